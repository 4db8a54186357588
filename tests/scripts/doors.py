"""Run scripts as written and through each door of nprewrite, each in a fork of this process.

    doors.py FOLDER SCRIPT[::DOOR] ...

Without DOOR, a script goes through all of them. FOLDER gets, for each script and door, the arrays that it
saves in ``NAME.DOOR.npz`` and what it prints, with the traceback where it fails, in ``NAME.DOOR.txt``, whose
last line is the exit status. A fork has all modules imported already, so that many scripts take little time.
"""

from __future__ import annotations

import os
import re
import runpy
import sys
import traceback
from collections.abc import Callable
from functools import partial
from importlib import import_module
from pathlib import Path

from nprewrite.cli import main as command

FIRST = ("numpy", "nprewrite.engine.engine", "nprewrite.loading.program")
"""What the forks need."""
DECORATED = r"(?m)^([ \t]*)def (?!__)"
"""Functions and methods that get a decorator; not ``__init__`` and its like."""


def written(script: Path, saved: Path) -> None:
    """As Python runs it."""
    _script(script, saved)


def run(script: Path, saved: Path) -> int:
    """``nprewrite run``."""
    sys.argv = ["nprewrite", "run", str(script), str(saved), "small"]
    return command()


def rewritten(script: Path, saved: Path) -> None:
    """The text that ``nprewrite FILE`` writes."""
    copy = saved.with_suffix(".py")
    copy.write_text(script.read_text())
    if os.fork() == 0:
        _ended(lambda: command([str(copy)]))
    assert os.wait()[1] == 0, f"nprewrite {copy} failed"
    _script(copy, saved)


def decorated(script: Path, saved: Path) -> None:
    """All functions and methods with the decorator."""
    copy = saved.with_suffix(".py")
    head, text = "import nprewrite\n", script.read_text()
    copy.write_text(head + re.sub(DECORATED, r"\1@nprewrite.jit\n\1def ", text) + "\nnprewrite.report()\n")
    _script(copy, saved)


DOORS = {each.__name__: each for each in (written, run, rewritten, decorated)}


def _script(path: Path, saved: Path) -> None:
    sys.argv = [str(path), str(saved), "small"]
    runpy.run_path(str(path), run_name="__main__")


def _ended(action: Callable[[], int | None]) -> None:
    """End this fork with the status of an action."""
    status = 1
    try:
        status = action() or 0
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else int(end.code is not None)
    finally:
        if sys.exception() is not None:
            traceback.print_exc()
        print(status, flush=True)
        sys.stderr.flush()
        os._exit(status)


def main(folder: Path, words: list[str]) -> None:
    """All scripts, as written and through their doors."""
    for module in FIRST:
        import_module(module)
    for word in words:
        name, _, only = word.partition("::")
        script = Path(name).resolve()
        doors = ["written", only] if only else [*DOORS]
        for door in doors:
            saved = folder / f"{script.stem}.{door}.npz"
            if os.fork() == 0:
                printed = os.open(saved.with_suffix(".txt"), os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
                os.dup2(printed, 1)
                os.dup2(printed, 2)
                _ended(partial(DOORS[door], script, saved))
        for _ in doors:
            os.wait()


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
