"""Names that functions may see, or set, while the rest of a script, or of a function, runs.

def start(x): return exp(-k * x)       sees k when it is called, which the rest may not do
def energy(): return (u * u).sum()     sees u, and the rest calls it
anim = Animation(figure, frame)        whoever holds `frame` may call it at any time
def step(): global u; u = 2 * u        sets u, and the rest calls it
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from nprewrite.base.syntax import children, walk
from nprewrite.source.kept import names_declared

_CLOSURES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda, ast.GeneratorExp)
_SUSPENDED = (ast.Yield, ast.YieldFrom)


class Captured:
    """The names that functions made by the statements of a scope see.

    What a function makes may be called by others, and so may what a class holds; a generator goes on later.
    """

    def __init__(self, scope: Sequence[ast.stmt]) -> None:
        functions = (each for each in scope if isinstance(each, ast.FunctionDef) and not _makes(each))
        self._plain = {each.name: each for each in functions}
        others = [each for each in scope if self._plain.get(getattr(each, "name", "")) is not each]
        closures = [each for one in others for each in walk(one) if isinstance(each, _CLOSURES)]
        self._always: set[str] = set().union(*map(_free, closures))
        self._always_set: set[str] = set().union(*map(names_declared, closures))
        self._called = {*_called(closures), *_held(scope)}

    def during(self, rest: Sequence[ast.stmt]) -> tuple[set[str], set[str]]:
        """Those that may be seen, and those that may be set (``global u``), while ``rest`` runs: by functions
        that it calls, or that others may call."""
        waiting = [*_called(rest), *self._called]
        reached: set[str] = set()
        while waiting:
            name = waiting.pop()
            if name in self._plain and name not in reached:
                reached.add(name)
                waiting += _called([self._plain[name]])
        called = [self._plain[name] for name in reached]
        return self._always.union(*map(_free, called)), self._always_set.union(*map(names_declared, called))


def _makes(function: ast.FunctionDef) -> bool:
    """Whether what a call gives may see names after it."""
    inside = (each for each in walk(function) if each is not function)
    return any(isinstance(each, (*_CLOSURES, *_SUSPENDED)) for each in inside)


def _called(statements: Sequence[ast.AST]) -> Iterator[str]:
    for statement in statements:
        for each in walk(statement):
            if isinstance(each, ast.Call) and isinstance(each.func, ast.Name):
                yield each.func.id


def _held(statements: Sequence[ast.stmt]) -> Iterator[str]:
    """Names that are read in another way than to be called, and functions that a decorator may keep."""
    nodes = [each for statement in statements for each in walk(statement)]
    called = {id(each.func) for each in nodes if isinstance(each, ast.Call)}
    yield from (each.id for each in nodes if isinstance(each, ast.Name) and id(each) not in called)
    yield from (each.name for each in statements if isinstance(each, ast.FunctionDef) and each.decorator_list)


def _free(scope: ast.AST) -> set[str]:
    """The names that a function, or one inside it, takes from around it."""
    own: set[str] = set()
    declared: set[str] = set()
    found: set[str] = set()
    waiting = [*children(scope)]
    while waiting:
        node = waiting.pop()
        match node:
            case ast.Name(id=name, ctx=ast.Load()):
                found.add(name)
            case ast.Name(id=name) | ast.arg(arg=name):
                own.add(name)
            case ast.Global(names=names) | ast.Nonlocal(names=names):
                declared.update(names)
        if isinstance(node, _CLOSURES):
            found |= _free(node)
        else:
            waiting += children(node)
    return found | declared if isinstance(scope, ast.ClassDef) else (found - own) | declared
