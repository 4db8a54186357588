"""Room for deeply nested expressions: a sum of 3000 terms is a tree 3000 levels deep."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import TypeVar

T = TypeVar("T")

_STACK_BYTES = 512 << 20
_RECURSION_LIMIT = 200_000


def on_deep_stack(function: Callable[[], T]) -> T:
    """Call ``function`` in a thread with a large stack; raises what it raises.

    ``RecursionError`` still comes from expressions nested too deeply even for that.
    """
    result: Future[T] = Future()
    limit, size = sys.getrecursionlimit(), threading.stack_size(_STACK_BYTES)
    thread = threading.Thread(target=_into, args=(result, function))
    try:
        sys.setrecursionlimit(_RECURSION_LIMIT)
        thread.start()
        thread.join()
    finally:
        sys.setrecursionlimit(limit)
        threading.stack_size(size)
    return result.result()


def _into(result: Future[T], function: Callable[[], T]) -> None:
    try:
        result.set_result(function())
    except BaseException as error:  # noqa: BLE001 (handed on to the thread that waits)
        result.set_exception(error)
