"""The entry point: runs a command and returns its exit status."""

from __future__ import annotations

import argparse
import os
import signal
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from types import FrameType

from nprewrite.cli.arguments import COMMANDS, parse
from nprewrite.files.problems import FAILURE, SUCCESS, UsageProblem

_INTERRUPTED = 128 + signal.SIGINT


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line with ``argv`` (default: the process's arguments) and return the exit status."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    if arguments[:1] == ["run"]:
        # Signals, streams and exceptions are left to the program.
        from nprewrite.cli.run import run

        return run(arguments[1:])
    _replace_closed_streams()
    from nprewrite.cli.console import OutputProblem

    try:
        with _termination_as_exit():
            return _dispatch(arguments)
    except OutputProblem as error:
        print(f"nprewrite: error: {error}", file=sys.stderr)
        return FAILURE
    except KeyboardInterrupt:
        print("nprewrite: interrupted; every file is either rewritten or as it was", file=sys.stderr)
        return _INTERRUPTED
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else SUCCESS


def _replace_closed_streams() -> None:
    """Where a process was started without standard output or error, which are then None, discard it."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            nowhere = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 - as long as the process lives
            setattr(sys, name, nowhere)


def _dispatch(arguments: list[str]) -> int:
    if arguments[:1] == ["pass"]:
        return _show_passes(arguments[1:])
    if arguments[:1] == ["verify"]:
        from nprewrite.cli.verify import run as verify

        return verify(arguments[1:])
    if arguments[:1] == ["explain"]:
        from nprewrite.cli.explain import run as explain

        return explain(arguments[1:])
    if arguments[:1] == ["bench"]:
        from nprewrite.cli.bench import run as bench

        return bench(arguments[1:])
    if arguments[:1] == ["cache"]:
        from nprewrite.cli.cache import run as cache

        return cache(arguments[1:])
    if arguments[:1] == ["doctor"]:
        from nprewrite.cli.doctor import run as doctor

        return doctor(arguments[1:])
    if arguments[:1] == ["completion"]:
        from nprewrite.cli.completion import run as completion

        return completion(arguments[1:])
    bare = arguments[:1] != ["rewrite"]
    request = parse(arguments if bare else arguments[1:])
    from nprewrite.cli.rewriting import run

    return run(request, commands=COMMANDS if bare else ())


def _show_passes(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="nprewrite pass",
        description="List the passes, or print the page of one: what it does, why, and what it refuses.",
        allow_abbrev=False,
    )
    parser.add_argument(
        "name", nargs="?", metavar="NAME", help="a pass, by name or code (masked-store, NPR101)"
    )
    name: str | None = parser.parse_args(arguments).name
    from nprewrite.cli.catalogue import page, table
    from nprewrite.cli.console import Console

    try:
        text = page(name) if name else table()
    except UsageProblem as error:
        parser.error(str(error))
    Console().line(text)
    return SUCCESS


@contextmanager
def _termination_as_exit() -> Iterator[None]:
    """SIGTERM, or a closed terminal, ends the run by an exception, so that temporary files are removed."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    signals = [signal.SIGTERM, *([signal.SIGHUP] if sys.platform != "win32" else [])]
    # A signal that the process was told to ignore (nohup) stays ignored.
    wanted = [number for number in signals if signal.getsignal(number) is signal.SIG_DFL]
    try:
        for number in wanted:
            signal.signal(number, _exit)
        yield
    finally:
        for number in wanted:
            signal.signal(number, signal.SIG_DFL)


def _exit(number: int, _frame: FrameType | None) -> None:
    raise SystemExit(128 + number)
