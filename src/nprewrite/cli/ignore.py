"""Which paths the ``.gitignore`` files of a tree leave out, by git's rules."""

from __future__ import annotations

import os
from dataclasses import dataclass

from nprewrite.config.patterns import Pattern, decide, parse_patterns

NAME = ".gitignore"


@dataclass(frozen=True)
class IgnoreRules:
    """The ``.gitignore`` files that hold in a directory, the outermost first."""

    layers: tuple[tuple[str, tuple[Pattern, ...]], ...] = ()

    def within(self, directory: str) -> IgnoreRules:
        """The rules inside ``directory``, its own file included. Raises OSError when that cannot be read."""
        path = os.path.join(directory, NAME)
        if not os.path.isfile(path):
            return self
        with open(path, encoding="utf-8-sig", errors="surrogateescape") as file:
            lines = file.read().split("\n")
        return IgnoreRules((*self.layers, (os.path.join(directory, ""), parse_patterns(lines))))

    def ignores(self, path: str, *, directory: bool) -> bool:
        """Whether the absolute ``path`` is left out: the innermost file with a matching pattern decides."""
        for prefix, patterns in reversed(self.layers):
            relative = path[len(prefix) :].replace(os.sep, "/")
            decision = decide(patterns, relative, directory=directory)
            if decision is not None:
                return decision
        return False


def rules_above(directory: str) -> IgnoreRules:
    """The rules that a repository around the absolute ``directory`` sets for it.

    None hold outside a repository, nor for a directory that is itself ignored: whoever names it wants it.
    Raises OSError when a ``.gitignore`` cannot be read.
    """
    parents = _parents_in_repository(directory)
    rules = IgnoreRules()
    for index, parent in enumerate(parents):
        rules = rules.within(parent)
        child = parents[index + 1] if index + 1 < len(parents) else directory
        if rules.ignores(child, directory=True):
            return IgnoreRules()
    return rules


def _parents_in_repository(directory: str) -> list[str]:
    """The directories above ``directory`` up to the root of its repository, the root first."""
    parents: list[str] = []
    while not os.path.lexists(os.path.join(directory, ".git")):
        parent = os.path.dirname(directory)
        if parent == directory:
            return []
        parents.append(parent)
        directory = parent
    return parents[::-1]
