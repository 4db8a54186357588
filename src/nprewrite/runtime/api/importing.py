"""Imports that Ctrl-C cannot break off in the middle, and objects that are imported when first asked for."""

from __future__ import annotations

import importlib
import sys
import threading
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from pkgutil import resolve_name
from typing import Any


def imported(name: str) -> Any:
    """The module if it is completely imported; None if not, or if another thread is still importing it."""
    module = sys.modules.get(name)
    return None if getattr(getattr(module, "__spec__", None), "_initializing", False) else module


def named_objects(module: str, places: Mapping[str, str]) -> Callable[[str], Any]:
    """The ``__getattr__`` of a module whose names are loaded from other places, when they are asked for."""

    def load(name: str) -> Any:
        if name not in places:
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        found = resolve_name(places[name])
        setattr(sys.modules[module], name, found)
        return found

    return load


def import_whole(*names: str) -> None:
    """Import modules, each completely, whatever a signal handler raises meanwhile.

    torch registers its operators as it is imported. If Ctrl-C breaks that off, it cannot be imported again in
    the process (torch 2.13 fails or crashes), but a notebook goes on after Ctrl-C. Raises what the import
    raises.
    """
    missing = [name for name in names if imported(name) is None]
    if missing:
        do_whole(*(partial(importlib.import_module, name) for name in missing))


def do_whole(*steps: Callable[[], object]) -> None:
    """Do what must not be broken off in the middle, whatever a signal handler raises meanwhile.

    Signal handlers run in the main thread, so the steps are done in another. Raises what a step raises.
    """
    if threading.current_thread() is not threading.main_thread():
        _do(steps)
        return
    # Events, because an interrupted Thread.join takes the thread for ended (Python 3.11).
    waited_for, interrupted, done = threading.Event(), threading.Event(), threading.Event()
    errors: list[BaseException] = []

    def work() -> None:
        waited_for.wait()
        try:
            for step in steps:
                if not interrupted.is_set():
                    step()
        except BaseException as error:  # noqa: BLE001 (raised again where the steps were asked for)
            errors.append(error)
        finally:
            done.set()

    try:
        threading.Thread(target=work).start()
        waited_for.set()
        done.wait()
    except RuntimeError:
        # From 3.12 on, Python starts no threads while it shuts down.
        _do(steps)
    finally:
        # The step under way is completed before the program sees what was raised; if the interrupt came
        # while the thread was started, none is done.
        interrupted.set()
        if waited_for.is_set():
            done.wait()
        waited_for.set()
    if errors:
        raise errors[0]


def _do(steps: Iterable[Callable[[], object]]) -> None:
    for step in steps:
        step()
