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
import io
import tokenize
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from itertools import pairwise
from typing import cast

from nprewrite.base.syntax import children, names_in, stored_names, walk
from nprewrite.decorated.blocks import Block, blocks_in, results_of
from nprewrite.decorated.captured import Captured
from nprewrite.decorated.deciding_names import deciding
from nprewrite.decorated.tables import depth_of, is_literal, is_only_read, is_table
from nprewrite.program.caught_errors import Resolve
from nprewrite.program.exposed_names import exposed
from nprewrite.source.names import ALL_SCOPES, ModuleNames, find_definition, first_line, statements_of

_KEPT = (ast.Import, ast.ImportFrom, ast.Global)
"""Statements before the loop that say what names stand for, and may be run again."""
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_STRINGS = (tokenize.STRING, getattr(tokenize, "FSTRING_MIDDLE", tokenize.STRING))
_READ_NAMES = frozenset({"locals", "vars", "dir", "eval", "exec", "globals"})
"""Functions that see the names of their caller."""
_OF_NUMBERS = (
    *(ast.Compare, ast.BoolOp, ast.BinOp, ast.UnaryOp, ast.Name, ast.Constant, ast.expr_context),
    *(ast.cmpop, ast.boolop, ast.operator, ast.unaryop),
)
_SUSPENDING = (ast.Yield, ast.YieldFrom, ast.Await, ast.AsyncFor, ast.AsyncWith, ast.Nonlocal)


_PRODUCTS = frozenset(("product", "ndindex", "ndenumerate"))
"""What loops run over that are loops in loops."""


@dataclass(frozen=True)
class Place:
    """Where the head of a rest goes: what it is called, its line, and the first line that it replaces.

    ``shift`` is what the lines of the rest are indented by, ``owner`` the class of a method, ``last`` the
    last line of the function.
    """

    name: str
    line: int
    first: int
    shift: str = ""
    owner: str = ""
    last: int = 0

    @property
    def qualname(self) -> str:
        return f"{self.owner}.{self.name}" if self.owner else self.name


@dataclass(frozen=True)
class Rest:
    """The rest of a function, or of a script, from one of its loops on.

    ``names`` are those that it may read before it binds them, in the order of the text; those in ``needed``
    must be bound when the loop stops. ``kept`` are statements before the loop that the rest repeats: what
    they bind stays what their text says. ``seen`` are the names that other functions see. Where the loop is
    in statements ``around`` it, the rest ends with its block, and gives the ``results``; the other names that
    it binds, ``dropped``, nothing reads later: they have no value then, rather than an old one.
    """

    place: Place
    statements: tuple[ast.stmt, ...]
    names: tuple[str, ...]
    needed: frozenset[str]
    kept: tuple[ast.stmt, ...]
    seen: frozenset[str]
    around: tuple[ast.stmt, ...] = ()
    results: tuple[str, ...] = ()
    dropped: tuple[str, ...] = ()

    @property
    def loop(self) -> ast.For | ast.While:
        """The loop that may stop."""
        loop = self.statements[0]
        assert isinstance(loop, ast.For | ast.While)
        return loop

    @property
    def ranged(self) -> bool:
        """Whether the loop is written over ``range(...)``."""
        match self.loop:
            case ast.For(iter=ast.Call(func=ast.Name(id="range"))):
                return True
        return False

    def is_over(self, names: Mapping[str, object]) -> bool:
        """Whether a ``while`` loop has ended: its test is one of numbers, so that asking changes nothing."""
        if not isinstance(self.loop, ast.While):
            return False
        nodes = [*walk(self.loop.test)]
        used = {each.id: names.get(each.id) for each in nodes if isinstance(each, ast.Name)}
        if not all(isinstance(each, _OF_NUMBERS) for each in nodes):
            return False
        if not all(type(each) in (bool, int, float) for each in used.values()):
            return False
        test = ast.fix_missing_locations(ast.Expression(self.loop.test))
        try:
            return not eval(compile(test, "<test>", "eval"), {"__builtins__": {}}, used)
        except ArithmeticError:
            return False

    @property
    def numbered(self) -> bool:
        """Whether the loop is written over ``enumerate(x)``."""
        match self.loop:
            case ast.For(iter=ast.Call(func=ast.Name(id="enumerate"), args=[given], keywords=[])):
                return not isinstance(given, ast.Starred)
        return False

    @cached_property
    def bound_by_loop(self) -> frozenset[str]:
        """The names that iterations bind."""
        return frozenset(stored_names(self.loop))

    @cached_property
    def has_loops(self) -> bool:
        """Whether an iteration of the loop holds others."""
        return any(isinstance(each, ast.For | ast.While) for part in self.loop.body for each in walk(part))

    @property
    def reads(self) -> Iterator[ast.expr]:
        """The names, attributes and elements that the rest reads."""
        for statement in self.statements:
            for each in walk(statement):
                if isinstance(each, ast.Name | ast.Attribute | ast.Subscript) and isinstance(
                    each.ctx, ast.Load
                ):
                    yield each

    @property
    def deciding(self) -> frozenset[str]:
        """The names that the rest does not bind, and whose values may decide what it is rewritten to."""
        return deciding(self.statements)

    def _reads_of(self, names: Container[str]) -> Iterator[ast.Name]:
        """Where the rest reads some names, except for the text of formatted strings, which has no places."""
        waiting: list[ast.AST] = [*self.statements]
        while waiting:
            node = waiting.pop()
            if isinstance(node, ast.Name) and node.id in names:
                yield node
            if node is self.loop and isinstance(self.loop, ast.For):
                waiting += self.loop.body
            elif not isinstance(node, ast.JoinedStr):
                waiting += children(node)

    def text(self, text: str, bound: Sequence[str], parts: Sequence[str], said: Mapping[str, str]) -> str:
        """The text of the module with the rest as a function of its own.

        ``bound`` are the function's parameters; ``parts`` those of them that say what the loop runs over: the
        ends of a range and its step, an iterator, or an array and the number of its first item. ``said`` are
        names in whose place their values stand.
        """
        lines = [*io.StringIO(text, newline="")]
        for name in sorted(self._reads_of(said), key=lambda each: each.col_offset, reverse=True):
            _put(lines, f"({said[name.id]})", name)
        shown, place, begin = [*lines], self.place, self.loop.lineno - 1
        shown[place.first - 1 : begin] = ["\n"] * (begin - place.first + 1)
        for each in self.kept:
            start = first_line(each) - 1 if isinstance(each, _DEFINITIONS) else each.lineno - 1
            shown[start : each.end_lineno] = lines[start : each.end_lineno]
        # The head of a script's rest has the place of any line above the loop.
        head = lines[place.line - 1] if place.line and not place.shift else ""
        indent = head[: len(head) - len(head.lstrip())]
        shown[place.line - 1] = f"{indent}def {place.name}({', '.join(bound)}):\n"
        if self.around:
            self._put_in_block(shown, lines)
        if isinstance(self.loop, ast.For):
            function = "range" if self.ranged else "enumerate" if len(parts) > 1 else ""
            over = f"{function}({', '.join(parts)})" if function else parts[0]
            _put(shown, over, self.loop.iter)
        inside = _inside_strings(text) if place.shift else set()
        for number in range(begin, self.statements[-1].end_lineno or 0):
            if place.shift and number + 1 not in inside and shown[number].strip():
                shown[number] = place.shift + shown[number]
        return "".join(shown)

    def _put_in_block(self, shown: list[str], lines: Sequence[str]) -> None:
        """Have the loop stand as deep as it does, with nothing behind its block but what the rest gives."""
        # An `elif` stands as deep as its `if`.
        deepest = {each.col_offset: each.lineno - 1 for each in self.around}
        for depth, line in deepest.items():
            shown[line] = f"{lines[line][:depth]}if True:\n"
        end = self.statements[-1].end_lineno or 0
        shown[end : self.place.last] = ["\n"] * (self.place.last - end)
        if self.results:
            indent = lines[self.loop.lineno - 1][: self.loop.col_offset]
            shown[end] = f"{indent}return {', '.join(self.results)},\n"


def _put(lines: list[str], text: str, place: ast.expr) -> None:
    """Replace an expression, whose further lines become part of the first."""
    first, last = place.lineno - 1, cast("int", place.end_lineno) - 1
    before = lines[first].encode()[: place.col_offset].decode()
    after = lines[last].encode()[place.end_col_offset :].decode()
    lines[first : last + 1] = [before + text + after, *["\n"] * (last - first)]


def _inside_strings(text: str) -> set[int]:
    """The lines that begin inside of a string."""
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    ends = ((each.start[0], each.end[0]) for each in tokens if each.type in _STRINGS)
    return {line for first, last in ends for line in range(first + 1, last + 1)}


def rests_of_function(tree: ast.Module, name: str, numpy: Container[str]) -> list[Rest]:
    """The rest of a function for each loop that is a statement of its own; empty where it cannot be cut.

    ``numpy`` are the names that stand for NumPy.
    """
    node = find_definition(tree, name)
    if (
        not isinstance(node, ast.FunctionDef)
        or name.count(".") > 1
        or not _can_be_cut(node.body, node.lineno)
    ):
        return []
    arguments = [each.arg for each in walk(node.args) if isinstance(each, ast.arg)]
    owner = name.rpartition(".")[0]
    above = Place(node.name, node.lineno, first_line(node), owner=owner, last=node.end_lineno or 0)
    found = _rests(node.body, arguments, numpy, above, node.body)
    names = cache(lambda: ModuleNames(tree))
    inside = _rests_in_blocks(node.body, arguments, numpy, above, lambda each: names().dotted(each, node))
    return [each for each in (*found, *inside) if not _is_for_whole_loops(each.loop)]


def _is_for_whole_loops(loop: ast.For | ast.While) -> bool:
    """Whether a loop is only compiled from its start on: what is left of a product of ranges is none."""
    match loop:
        case ast.For(iter=ast.Call(func=ast.Name(id=called) | ast.Attribute(attr=called))):
            return called in _PRODUCTS
    return False


def rests_of_script(tree: ast.Module, name: str, numpy: Container[str]) -> list[Rest]:
    """The rest of a script, called ``name``, for each loop among its own statements, or under a last ``if``.

    Its names become those of a function, which no other function may see.
    """
    own = [each for each in tree.body if not isinstance(each, (*_DEFINITIONS, *_KEPT))]
    last = tree.body[-1] if tree.body else None
    body, above = tree.body, Place(name, 0, 1, shift="    ")
    if (
        isinstance(last, ast.If)
        and not last.orelse
        and not any(isinstance(each, ast.For | ast.While) for each in own)
    ):
        body, above = last.body, Place(name, last.lineno, 1)
    if not _can_be_cut(body, above.line) or not _can_be_cut(tree.body, 0):
        return []
    found = _rests(body, [], numpy, above, tree.body)
    before = [] if body is tree.body else [each for each in tree.body if each not in own]
    return [made for each in found if (made := _as_function(each, before)) is not None]


def _as_function(rest: Rest, before: Sequence[ast.stmt]) -> Rest | None:
    """The rest of a script with a line for its head, below what the rest repeats of the script."""
    if any(isinstance(each, _DEFINITIONS) for each in rest.statements):
        return None
    if rest.place.line:
        return replace(rest, kept=(*before, *rest.kept))
    line = rest.loop.lineno - 1
    if line and not any(each.lineno <= line <= (each.end_lineno or 0) for each in rest.kept):
        return replace(rest, place=replace(rest.place, line=line))
    return None


def _can_be_cut(body: Sequence[ast.stmt], line: int) -> bool:
    """Whether statements, of which those of a function begin below its ``line``, may go on elsewhere."""
    own = [each for each in body if not isinstance(each, _DEFINITIONS)]
    inside = [each for statement in body for each in walk(statement)]
    if any(isinstance(each, _SUSPENDING) for statement in own for each in walk(statement)):
        return False
    if names_in(*body) & _READ_NAMES:
        return False
    declared = [each for statement in own for each in walk(statement) if isinstance(each, ast.Global)]
    if any(each not in body for each in declared) or not inside:
        return False
    return line < first_line(body[0]) and all(_may_share(*pair) for pair in _on_one_line(body))


def _on_one_line(body: Sequence[ast.stmt]) -> Iterator[tuple[ast.stmt, ast.stmt]]:
    """Neighbours that share a line: they are not told apart by their lines."""
    for before, after in pairwise(body):
        if cast("int", before.end_lineno) >= first_line(after):
            yield before, after


def _may_share(one: ast.stmt, other: ast.stmt) -> bool:
    if any(isinstance(each, (*_DEFINITIONS, ast.For, ast.While)) for each in (one, other)):
        return False
    return isinstance(one, _KEPT) == isinstance(other, _KEPT)


def _rests(
    body: list[ast.stmt],
    arguments: Sequence[str],
    numpy: Container[str],
    above: Place,
    scope: Sequence[ast.stmt],
) -> Iterator[Rest]:
    """``scope`` are all statements beside the functions that may see the names of ``body``."""
    captured = Captured(scope)
    for number, loop in enumerate(body):
        if not isinstance(loop, ast.For | ast.While) or loop.orelse:
            continue
        seen, changing = captured.during(body[number:])
        if seen & stored_names(*body[number:]):
            continue
        made = _rest(body[:number], body[number:], body, arguments, numpy, above, changing)
        of_module = scope is not body or bool(above.shift)
        if of_module or changing.isdisjoint(made.names):
            # Names of the module that change are found there as they are by then.
            names = tuple(each for each in made.names if each not in changing)
            yield replace(made, seen=frozenset(seen), names=names, needed=made.needed - changing)


def _rests_in_blocks(
    body: list[ast.stmt],
    arguments: Sequence[str],
    numpy: Container[str],
    above: Place,
    resolve: Resolve,
) -> Iterator[Rest]:
    """Those that end with a block of an `if`, a `with` or a `try`."""
    captured = Captured(body)
    declared = {name for each in body if isinstance(each, ast.Global) for name in each.names}
    for block in blocks_in(Block(body)):
        if not block.around or not all(_may_share(*pair) for pair in _on_one_line(block.statements)):
            continue
        for number, loop in enumerate(block.statements):
            earlier, later = [*block.before, *block.statements[:number]], block.statements[number:]
            if not isinstance(loop, ast.For | ast.While) or loop.orelse or _may_return(later):
                continue
            seen, changing = captured.during(later)
            results = results_of(block, later, resolve)
            if results is None or not seen.isdisjoint(stored_names(*later)):
                continue
            dropped = stored_names(*later).difference(results, declared)
            made = _rest(earlier, later, body, arguments, numpy, above, changing, results)
            made = replace(made, seen=frozenset(seen), around=block.around)
            if changing.isdisjoint(made.names):
                yield replace(made, results=results, dropped=tuple(sorted(dropped)))


def _may_return(statements: Sequence[ast.stmt]) -> bool:
    return any(isinstance(each, ast.Return) for each in statements_of(ast.Module([*statements], [])))


def _rest(
    earlier: Sequence[ast.stmt],
    later: Sequence[ast.stmt],
    body: Sequence[ast.stmt],
    arguments: Sequence[str],
    numpy: Container[str],
    above: Place,
    changing: Container[str],
    results: Sequence[str] = (),
) -> Rest:
    """``changing`` are names that functions may set meanwhile, ``results`` those that the rest gives."""
    loop = later[0]
    # The head of the rest of a script needs the line above the loop.
    head = 0 if above.line else loop.lineno - 1
    constants = ((name, each) for name, each in _constants(earlier, body, numpy) if each.end_lineno != head)
    said = {name: each for name, each in constants if name not in arguments and name not in changing}
    # A function that is defined anew is another one.
    kinds = (*_KEPT, *_DEFINITIONS) if above.shift else _KEPT
    kept = [each for each in earlier if isinstance(each, kinds)]
    stated = {*_bound(kept), *(name for each in kept if isinstance(each, ast.Global) for name in each.names)}
    own = [name for name in dict.fromkeys([*arguments, *_bound(body)]) if name not in stated | said.keys()]
    deleted = {
        each.id
        for statement in later
        for each in walk(statement)
        if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Del)
    }
    # What it runs over is evaluated by now.
    over = (
        ast.For(loop.target, ast.List([], ast.Load()), loop.body, []) if isinstance(loop, ast.For) else loop
    )
    found = exposed([over, *later[1:]])
    kept_on = {*results} - (found.surely_set or frozenset())
    used = found.read.keys() | deleted | kept_on
    names = tuple(name for name in own if name in used)
    needed = frozenset({*arguments, *_bound(earlier)}.intersection(names) | kept_on)
    return Rest(above, (*later,), names, needed, (*kept, *said.values()), frozenset())


def _constants(
    statements: Sequence[ast.stmt], body: Sequence[ast.stmt], numpy: Container[str]
) -> Iterator[tuple[str, ast.stmt]]:
    """The statements that bind a name, once and for all, to numbers that are written out.

    An array of them must not be stored into, and must have no other name: the rest makes it anew.
    """
    bound = [*_bound(body)]
    numbers: set[str] = set()
    beside = {id(each) for pair in _on_one_line(body) for each in pair}
    for each in statements:
        if id(each) in beside:
            continue
        match each:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if bound.count(name) == 1:
                if is_literal(value, numbers):
                    numbers.add(name)
                    yield name, each
                elif is_table(value, numpy, numbers) and is_only_read(name, body, depth_of(value)):
                    yield name, each


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
        for each in children(node):
            yield from _bound_by(each)
