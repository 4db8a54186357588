"""Why a file cannot be explained."""

from __future__ import annotations


class CannotExplain(Exception):
    """The command line asks for something that is not there; the message says what there is."""
