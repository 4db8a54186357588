"""A program that a user names in one string, to be run in a process that watches it."""

from __future__ import annotations

import os
import re
import runpy
import shlex
import sys
from dataclasses import dataclass
from pathlib import Path

from nprewrite.verification.problems import CannotVerify

_PYTHON = re.compile(r"(python[\d.]*|py)(\.exe)?")


@dataclass(frozen=True)
class Script:
    """The program to run: a file, or a module with ``is_module``; ``argv`` is its ``sys.argv``."""

    name: str
    is_module: bool
    argv: tuple[str, ...]


def script_of(command: str, option: str | None = None) -> Script:
    """The program that ``python run.py args`` or ``python -m module args`` names, the value of an ``option``.

    Raises ``CannotVerify`` where it names none.
    """
    shown = command if option is None else f'{option} "{command}"'
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise CannotVerify(f"{shown}: {error}") from error
    if words and _PYTHON.fullmatch(Path(words[0]).name):
        words = words[1:]
    if words[:1] == ["-m"] and len(words) > 1:
        return Script(words[1], True, tuple(words[1:]))
    if not words or words[0].startswith("-"):
        raise CannotVerify(f'{shown}: expected "python run.py args" or "python -m module args"')
    if not Path(words[0]).is_file():
        raise CannotVerify(f"{shown}: there is no file {words[0]}")
    return Script(words[0], False, tuple(words))


def enter(script: Script) -> None:
    """Give this process the ``sys.argv`` and the first folder of imports that the program expects."""
    sys.argv = list(script.argv)
    folder = os.getcwd() if script.is_module else os.path.dirname(os.path.abspath(script.name))
    sys.path.insert(0, folder)


def run(script: Script) -> None:
    """Run the program as ``__main__``, once ``enter`` was called; what it raises passes through."""
    if script.is_module:
        runpy.run_module(script.name, run_name="__main__", alter_sys=True)
    else:
        runpy.run_path(script.name, run_name="__main__")
