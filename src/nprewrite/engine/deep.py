"""Room for deeply nested expressions: a sum of 3000 terms is a tree 3000 levels deep."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from typing import ParamSpec, TypeVar

from nprewrite.source.problems import SourceProblem

P = ParamSpec("P")
T = TypeVar("T")

_STACK_BYTES = 512 << 20
_RECURSION_LIMIT = 200_000


def with_room(function: Callable[P, T]) -> Callable[P, T]:
    """``function``, called again on a larger stack where an expression is too deep for the usual one.

    Raises ``SourceProblem`` where it is nested too deeply even for that.
    """

    @functools.wraps(function)
    def called(*args: P.args, **kwargs: P.kwargs) -> T:
        try:
            return function(*args, **kwargs)
        except RecursionError:
            try:
                return on_deep_stack(functools.partial(function, *args, **kwargs))
            except RecursionError as error:
                raise SourceProblem("an expression is nested too deeply to follow") from error

    return called


def on_deep_stack(function: Callable[[], T]) -> T:
    """Call ``function`` in a thread with a large stack; raises what it raises.

    ``RecursionError`` still comes from expressions nested too deeply even for that.
    """
    # Imported here because few texts need threads and every run of the command would pay.
    import threading
    from concurrent.futures import Future

    result: Future[T] = Future()

    def run() -> None:
        try:
            result.set_result(function())
        except BaseException as error:  # noqa: BLE001 (handed on to the thread that waits)
            result.set_exception(error)

    limit, size = sys.getrecursionlimit(), threading.stack_size(_STACK_BYTES)
    thread = threading.Thread(target=run)
    try:
        sys.setrecursionlimit(_RECURSION_LIMIT)
        thread.start()
        thread.join()
    finally:
        sys.setrecursionlimit(limit)
        threading.stack_size(size)
    return result.result()
