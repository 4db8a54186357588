"""Warnings that nprewrite gives at run time."""

from __future__ import annotations


class NprewriteWarning(UserWarning):
    """A rewritten loop runs in another way than asked for; its results are still right."""
