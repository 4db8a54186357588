"""What a program passes to the functions of some files: ``nprewrite FILE --observe "python run.py"``."""

from __future__ import annotations


class CannotObserve(Exception):
    """The command did not run to its end, or called nothing; the message says why."""
