"""The command line: ``nprewrite FILE…``, ``nprewrite pass``.

Nothing here imports NumPy or torch, and the rewriter itself is imported only when a file is
rewritten, so that ``--help`` answers at once.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from nprewrite.base.environment import COMPLETION

__all__ = ["main"]


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line with ``argv`` (default: the process's arguments) and return the exit status."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    _replace_closed_streams()
    if arguments[:1] == ["run"] and COMPLETION not in os.environ:
        from nprewrite.cli.launching import plain_program, run_program

        program = plain_program(arguments)
        if program is not None:
            return run_program(program)
    from nprewrite.cli.command import main as command

    return command(arguments)


def _replace_closed_streams() -> None:
    """Where a process was started without standard output or error, which are then None, discard it."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            nowhere = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 - as long as the process lives
            setattr(sys, name, nowhere)
