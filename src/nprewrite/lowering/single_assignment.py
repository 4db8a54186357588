"""One iteration of a loop as statements that bind each name once, and what it hands on to the next one."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from nprewrite.base.syntax import children, copied, names_in, renamed
from nprewrite.lowering.problems import NotNative


@dataclass(frozen=True)
class Iteration:
    """The statements of a step, in which a name that is bound again gets another name.

    ``made`` maps the bound names to their values, ``written`` to the values as they stand in the step;
    ``results`` are the names that are returned. ``copies`` are made only to be stored at once.
    """

    function: ast.FunctionDef
    statements: tuple[ast.stmt, ...]
    made: Mapping[str, ast.expr]
    written: Mapping[str, ast.expr]
    results: tuple[str, ...]
    copies: frozenset[str]

    @property
    def parameters(self) -> tuple[str, ...]:
        """The names that the step takes."""
        return tuple(each.arg for each in self.function.args.args)

    def free(self, stem: str) -> str:
        """A name that the step does not use."""
        while stem in self._taken:
            stem += "_"
        return stem

    @cached_property
    def _taken(self) -> set[str]:
        names = names_in(self.function)
        return names | {*self.parameters, *self.made}

    def showing(self) -> ast.FunctionDef:
        """The step as a function that returns what it makes, in place of its results."""
        names: list[ast.expr] = [ast.Name(each, ast.Load()) for each in self.made]
        body = [*self.statements, ast.Return(ast.Tuple(names, ast.Load()))]
        made = ast.FunctionDef(self.function.name, self.function.args, body, [], None)
        return ast.fix_missing_locations(ast.copy_location(made, self.function))


def single_assignment(step: ast.FunctionDef) -> Iteration:
    """The statements of a step function with a name of its own for each value; raises ``NotNative``."""
    walk = _Walk(step)
    *statements, last = step.body
    for each in statements:
        walk.statement(each)
    if not isinstance(last, ast.Return) or not isinstance(last.value, ast.Tuple):
        raise NotNative("not-lanewise", "the iteration does not end with its results", last)
    results = [walk.renamed(each) for each in last.value.elts]
    names = [each.id for each in results if isinstance(each, ast.Name)]
    if len(names) < len(results):
        raise NotNative("not-lanewise", "a result of the iteration has no name", last)
    unknown = {*names} - {*walk.made, *walk.current}
    if unknown:
        raise NotNative("not-local", f"`{unknown.pop()}` is not made in the iteration", last)
    return Iteration(
        step, tuple(walk.made_statements), walk.made, walk.written, tuple(names), frozenset(walk.copies)
    )


class _Walk:
    """One walk over the statements of a step."""

    def __init__(self, step: ast.FunctionDef) -> None:
        self.made_statements: list[ast.stmt] = []
        self.made: dict[str, ast.expr] = {}
        self.written: dict[str, ast.expr] = {}
        self.copies: set[str] = set()
        self.current: dict[str, str] = {each.arg: each.arg for each in step.args.args}
        self._taken = names_in(step) | {*self.current}
        self._bound = {*self.current}

    def statement(self, node: ast.stmt) -> None:
        """Take one statement."""
        match node:
            case ast.Expr(value=ast.Constant()):
                return
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                self._bind_all([name], [value], node)
            case ast.Assign(targets=[ast.Tuple(elts=targets)], value=ast.Tuple(elts=values)) if len(
                targets
            ) == len(values):
                names = [each.id for each in targets if isinstance(each, ast.Name)]
                if len(names) < len(targets):
                    raise NotNative("not-lanewise", f"`{ast.unparse(node)}` stores several at once", node)
                self._bind_all(names, values, node)
            case ast.Assign(targets=[ast.Subscript() as target], value=value):
                self._store(ast.Assign([self._place(target)], value), node)
            case ast.AugAssign(target=ast.Subscript() | ast.Name() as target, op=op, value=value):
                self._store(ast.AugAssign(self._place(target), op, value), node)
            case _:
                raise NotNative("not-lanewise", f"`{ast.unparse(node)}` is not a plain statement", node)

    def _bind_all(self, names: Sequence[str], values: Sequence[ast.expr], node: ast.stmt) -> None:
        """Bind values that were all computed before; a further name for an array stands for that array."""
        found = [(name, self._bind(name, value, node)) for name, value in zip(names, values, strict=True)]
        self.current |= dict(found)

    def renamed(self, node: ast.expr) -> ast.expr:
        """The expression, with each name replaced by that of the value that it stands for now."""
        return renamed(copied(node), self.current)

    def _bind(self, name: str, value: ast.expr, node: ast.stmt) -> str:
        made = self.renamed(value)
        if isinstance(made, ast.Name) and made.id in self._bound:
            return made.id
        fresh = self._fresh(name)
        self.made[fresh], self.written[fresh] = made, value
        self._add(ast.Assign([ast.Name(fresh, ast.Store())], made), node)
        return fresh

    def _fresh(self, stem: str) -> str:
        name, number = stem, 0
        while name in self._bound or (number and name in self._taken):
            number += 1
            name = f"{stem}_{number}"
        self._bound.add(name)
        return name

    def _place(self, target: ast.expr) -> ast.Subscript | ast.Name:
        place = self.renamed(target)
        base = place.value if isinstance(place, ast.Subscript) else place
        if not isinstance(base, ast.Name) or not isinstance(place, ast.Subscript | ast.Name):
            raise NotNative("not-lanewise", f"`{ast.unparse(target)}` is stored into", target)
        place.ctx = ast.Store()
        return place

    def _store(self, made: ast.Assign | ast.AugAssign, node: ast.stmt) -> None:
        """A store; its value gets a name of its own where other elements of the same array are read."""
        target = made.targets[0] if isinstance(made, ast.Assign) else made.target
        base = target.value if isinstance(target, ast.Subscript) else target
        assert isinstance(base, ast.Name)
        match made.value:
            case ast.Call(func=ast.Attribute(value=copied, attr="copy"), args=[], keywords=[]):
                # NumPy computes what is stored before it stores.
                made.value = copied
        if _reads_elsewhere(self.renamed(made.value), base.id, ast.unparse(target)):
            name = self._bind("value", made.value, node)
            self.copies.add(name)
            made.value = ast.copy_location(ast.Name(name, ast.Load()), node)
        else:
            made.value = self.renamed(made.value)
        self._add(made, node)

    def _add(self, made: ast.stmt, node: ast.stmt) -> None:
        self.made_statements.append(ast.fix_missing_locations(ast.copy_location(made, node)))


def _reads_elsewhere(value: ast.expr, name: str, place: str) -> bool:
    """Whether an expression reads an array at another place than the one where it is stored into."""
    match value:
        case ast.Subscript(value=ast.Name(id=base)) if base == name:
            return ast.unparse(value) != place
        case ast.Name():
            return value.id == name and place != name
    inner = (each for each in children(value) if isinstance(each, ast.expr))
    return any(_reads_elsewhere(each, name, place) for each in inner)
