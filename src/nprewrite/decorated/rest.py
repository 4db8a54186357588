"""What is left of a function when one of its loops stops: the rest of the loop, and what follows it.

    def main():                            def main(u, step, first, last):
        u = start()
        for step in range(100):      ->        for step in range(first, last):
            u = smoothed(u)                        u = smoothed(u)
        return u                               return u

The rest is a function of the names that are bound when the loop stops. Its lines keep their numbers.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import cast

from nprewrite.program.exposed_names import exposed
from nprewrite.source.names import ALL_SCOPES, find_definition, first_line, names_in, stored_names

_KEPT = (ast.Import, ast.ImportFrom, ast.Global)
"""Statements before the loop that say what names stand for, and may be run again."""
_CLOSURES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda, ast.GeneratorExp)
_READ_NAMES = frozenset({"locals", "vars", "dir", "eval", "exec", "globals"})
"""Functions that see the names of their caller."""
_SUSPENDING = (ast.Yield, ast.YieldFrom, ast.Await, ast.AsyncFor, ast.AsyncWith, ast.Nonlocal)


@dataclass(frozen=True)
class Rest:
    """The rest of a function from one of its loops on.

    ``names`` are those that it may read before it binds them, in the order in which the function binds them;
    those in ``needed`` must be bound when the loop stops. ``ranged`` where the loop is written over
    ``range(...)``. ``constants`` are statements before the loop that the rest repeats: what they bind stays
    what their text says.
    """

    node: ast.FunctionDef
    loop: ast.For | ast.While
    names: tuple[str, ...]
    needed: frozenset[str]
    ranged: bool
    constants: tuple[ast.stmt, ...]

    @property
    def reads(self) -> Iterator[ast.expr]:
        """The names, attributes and elements that the rest reads."""
        for statement in self._statements:
            for each in ast.walk(statement):
                match each:
                    case ast.Name(ctx=ast.Load()) | ast.Attribute(ctx=ast.Load()):
                        yield each
                    case ast.Subscript(ctx=ast.Load()):
                        yield each

    @property
    def _statements(self) -> list[ast.stmt]:
        return self.node.body[self.node.body.index(self.loop) :]

    def text(self, text: str, bound: Sequence[str], parts: Sequence[str]) -> str:
        """The text of the module with the rest in place of the function.

        ``bound`` are the function's parameters; ``parts`` those of them that say what the loop runs over: the
        ends of a range and its step, or an iterator.
        """
        lines = text.splitlines(keepends=True)
        head = lines[self.node.lineno - 1]
        indent = head[: len(head) - len(head.lstrip())]
        shown = [*lines]
        for number in range(first_line(self.node) - 1, self.loop.lineno - 1):
            shown[number] = "\n"
        shown[self.node.lineno - 1] = f"{indent}def {self.node.name}({', '.join(bound)}):\n"
        for each in self.node.body:
            if isinstance(each, _KEPT) or each in self.constants:
                shown[each.lineno - 1 : each.end_lineno] = lines[each.lineno - 1 : each.end_lineno]
        if isinstance(self.loop, ast.For):
            over = f"range({', '.join(parts)})" if self.ranged else parts[0]
            self._put(shown, over, self.loop.iter)
        return "".join(shown)

    @staticmethod
    def _put(lines: list[str], text: str, place: ast.expr) -> None:
        """Replace an expression, whose further lines become part of the first."""
        first, last = place.lineno - 1, cast("int", place.end_lineno) - 1
        before = lines[first].encode()[: place.col_offset].decode()
        after = lines[last].encode()[place.end_col_offset :].decode()
        lines[first : last + 1] = [before + text + after, *["\n"] * (last - first)]


def rests(tree: ast.Module, qualname: str, numpy: Container[str]) -> list[Rest]:
    """The rest of a function for each loop that is a statement of its own; empty where it cannot be cut.

    ``numpy`` are the names that stand for NumPy.
    """
    node = find_definition(tree, qualname)
    if not isinstance(node, ast.FunctionDef) or "." in qualname or not _can_be_cut(node):
        return []
    found = (_rest(node, each, numpy) for each in node.body if isinstance(each, ast.For | ast.While))
    return [each for each in found if each is not None]


def _can_be_cut(node: ast.FunctionDef) -> bool:
    inside = [each for statement in node.body for each in ast.walk(statement)]
    if any(isinstance(each, _SUSPENDING) for each in inside) or names_in(*node.body) & _READ_NAMES:
        return False
    own = [each for each in node.body if isinstance(each, ast.Global)]
    if any(isinstance(each, ast.Global) and each not in own for each in inside):
        return False
    # Two statements on a line are not told apart by their lines.
    ends = [(each.lineno, cast("int", each.end_lineno)) for each in node.body]
    return node.lineno < ends[0][0] and all(before[1] < after[0] for before, after in pairwise(ends))


def _rest(node: ast.FunctionDef, loop: ast.For | ast.While, numpy: Container[str]) -> Rest | None:
    place = node.body.index(loop)
    earlier, later = node.body[:place], node.body[place:]
    if loop.orelse or _captured(node.body) & stored_names(*later):
        return None
    declared = {name for each in node.body if isinstance(each, ast.Global) for name in each.names}
    kept = [each for each in earlier if isinstance(each, _KEPT)]
    imported = {
        (alias.asname or alias.name).partition(".")[0]
        for each in kept
        if not isinstance(each, ast.Global)
        for alias in each.names
    }
    arguments = [each.arg for each in ast.walk(node.args) if isinstance(each, ast.arg)]
    own = dict.fromkeys([*arguments, *_bound(node.body)])
    constants = {name: each for name, each in _constants(earlier, node, numpy) if name not in arguments}
    own = {name: None for name in own if name not in declared | imported | constants.keys()}
    deleted = {
        each.id
        for statement in later
        for each in ast.walk(statement)
        if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Del)
    }
    # What it runs over is evaluated by now.
    over = (
        ast.For(loop.target, ast.List([], ast.Load()), loop.body, []) if isinstance(loop, ast.For) else loop
    )
    used = exposed([over, *later[1:]]).read.keys() | deleted
    before = {*arguments, *_bound(earlier)}
    ranged = (
        isinstance(loop, ast.For)
        and isinstance(loop.iter, ast.Call)
        and isinstance(loop.iter.func, ast.Name)
        and loop.iter.func.id == "range"
    )
    names = tuple(name for name in own if name in used)
    return Rest(node, loop, names, frozenset(before.intersection(names)), ranged, (*constants.values(),))


def _constants(
    statements: Sequence[ast.stmt], node: ast.FunctionDef, numpy: Container[str]
) -> Iterator[tuple[str, ast.stmt]]:
    """The statements that bind a name, once and for all, to numbers that are written out.

    An array of them must not be stored into, and must have no other name: the rest makes it anew.
    """
    bound = [*_bound(node.body)]
    numbers: set[str] = set()
    for each in statements:
        match each:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if bound.count(name) == 1:
                if _is_literal(value, numbers):
                    numbers.add(name)
                    yield name, each
                elif _is_table(value, numpy, numbers) and _is_only_read(name, node):
                    yield name, each


def _is_literal(node: ast.expr, known: Container[str]) -> bool:
    match node:
        case ast.Constant():
            return True
        case ast.Name(id=name):
            return name in known
        case ast.UnaryOp(operand=operand):
            return _is_literal(operand, known)
        case ast.BinOp(left=left, right=right):
            return _is_literal(left, known) and _is_literal(right, known)
    return False


def _is_table(node: ast.expr, numpy: Container[str], known: Container[str]) -> bool:
    match node:
        case ast.Call(ast.Attribute(ast.Name(id=module), "array" | "arange"), args, keywords=[]):
            return module in numpy and all(_is_literal_list(each, known) for each in args)
    return False


def _is_literal_list(node: ast.expr, known: Container[str]) -> bool:
    if isinstance(node, ast.List | ast.Tuple):
        return all(_is_literal_list(each, known) for each in node.elts)
    return _is_literal(node, known)


def _is_only_read(name: str, node: ast.FunctionDef) -> bool:
    """Whether a name is only looped over and computed with, so that nothing else refers to its array."""
    read: set[int] = set()
    for each in ast.walk(node):
        match each:
            case ast.BinOp(left=left, right=right):
                read |= {id(left), id(right)}
            case ast.For(iter=ast.Call(func=ast.Name(id="zip" | "enumerate"), args=given)):
                read |= {id(part) for part in given}
            case ast.For(iter=over):
                read.add(id(over))
    uses = (each for each in ast.walk(node) if isinstance(each, ast.Name) and each.id == name)
    return all(id(each) in read for each in uses if isinstance(each.ctx, ast.Load))


def _captured(body: Sequence[ast.stmt]) -> set[str]:
    """The names that functions made inside of a function may read later."""
    inside = (each for statement in body for each in ast.walk(statement))
    return names_in(*(each for each in inside if isinstance(each, _CLOSURES)))


def _bound(body: Sequence[ast.stmt]) -> Iterator[str]:
    """The names that statements bind in their own scope, in the order of the text."""
    for statement in body:
        yield from _bound_by(statement)


def _bound_by(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
            yield name
        case ast.FunctionDef(name=name) | ast.ClassDef(name=name) | ast.ExceptHandler(name=str(name)):
            yield name
        case ast.Import(names=aliases) | ast.ImportFrom(names=aliases):
            yield from ((each.asname or each.name).partition(".")[0] for each in aliases)
    if not isinstance(node, ALL_SCOPES):
        for each in ast.iter_child_nodes(node):
            yield from _bound_by(each)


def stopping(node: ast.FunctionDef, cut: Sequence[Rest], name: str, probe: str) -> ast.FunctionDef:
    """The function with loops that may stop, each followed by a call of what takes over the rest.

    ``name`` stands for an object with ``trips(number, iterable)``, ``stays(number)``, ``left``,
    ``go_on(names)`` and ``probe()``, whose result is a local variable called ``probe``.
    """
    numbers = {each.loop.lineno: number for number, each in enumerate(cut)}
    made = copy.deepcopy(node)
    probing = ast.parse(f"{probe} = {name}.probe()").body[0]
    body = [cast("ast.stmt", _at(probing, node.body[0]))]
    for statement in made.body:
        body.append(statement)
        number = numbers.get(statement.lineno)
        if number is None or not isinstance(statement, ast.For | ast.While):
            continue
        if isinstance(statement, ast.For):
            statement.iter = _like(f"{name}.trips({number}, x)", statement.iter)
        else:
            statement.test = _like(f"{name}.stays({number}) and x", statement.test)
        leaving = ast.parse(f"if {name}.left is not None: return {name}.go_on(locals())").body[0]
        body.append(cast("ast.stmt", _at(leaving, statement)))
    made.body, made.decorator_list = body, []
    return made


def _like(text: str, inner: ast.expr) -> ast.expr:
    """An expression at the place of the one that stands for ``x`` in it."""
    made = _at(ast.parse(text, mode="eval").body, inner)
    if isinstance(made, ast.Call):
        made.args[-1] = inner
    elif isinstance(made, ast.BoolOp):
        made.values[-1] = inner
    return cast("ast.expr", made)


def _at(node: ast.AST, like: ast.expr | ast.stmt) -> ast.AST:
    for each in ast.walk(node):
        if isinstance(each, ast.expr | ast.stmt):
            ast.copy_location(each, like)
    return node
