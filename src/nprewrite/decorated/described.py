"""What became of the decorated functions of the process that still exist."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

from nprewrite.decorated.handover import SCRIPTS
from nprewrite.decorated.jitted import decorated


def described() -> Iterator[str]:
    """What became of the script's own statements, if their loops may stop, and of each decorated function."""
    for script in SCRIPTS:
        yield f"{script.original.__module__}, its own statements"
        yield textwrap.indent(str(script.report()), "    ")
    for each in decorated():
        yield f"{each.original.__module__}.{each.original.__qualname__}"
        yield textwrap.indent(str(each.report()), "    ")


def report() -> None:
    """Print what became of every decorated function of the process that still exists."""
    for each in described():
        print(each)
