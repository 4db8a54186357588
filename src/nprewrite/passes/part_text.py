"""The text of a loop around a step that computes a part of it.

with _heat_step.running(rate=rate, u=u) as run:
    for n in range(trips):
        if run.advance():
            (total,) = run.results
        else:
            u = u + rate * f(u)         as written
            total = u.sum()
        history.append(total)
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from nprewrite.facts.function import Function
from nprewrite.facts.liveness import escapes
from nprewrite.facts.part_of_loop import PartOfLoop
from nprewrite.facts.steps import StepSpec
from nprewrite.passes.step_text import Leaf, in_caller, tuple_text
from nprewrite.syntax.document import Edit, Origin

_LINE = 100
_MORE = "    "


def part_edit(
    part: PartOfLoop, name: str, spec: StepSpec, leaves: tuple[Leaf, ...], function: Function
) -> Edit:
    """The loop as written inside of ``with {name}.running(...)``, with ``advance`` before the step's part."""
    text = _Text(part, spec, function)
    text.opens(name, leaves)
    text.head()
    for statement in part.before:
        text.other(statement)
    text.advance(leaves)
    for statement in part.after:
        text.other(statement)
    text.otherwise()
    document, loop = function.document, part.loop
    start, end = document.line_start(loop.lineno), document.line_end(loop.end_lineno or loop.lineno)
    return Edit(start, end, document.newline.join(text.lines), tuple(text.origins))


class _Text:
    """The lines of the new text, with the user's line that each stands for."""

    def __init__(self, part: PartOfLoop, spec: StepSpec, function: Function) -> None:
        self.lines: list[str] = []
        self.origins: list[Origin] = []
        self._part, self._spec = part, spec
        self._function, self._document = function, function.document
        self._spelling = part.body.spelling
        self._run = function.names.fresh("run")
        self._exposed = _exposed_names(part, spec, function)
        loop = part.loop
        self._indent = self._document.indentation(loop)
        self._inner = self._document.indentation(loop.body[0]) + _MORE
        self._head = _last_line_of_head(part, function)
        ends = [self._head, *(each.end_lineno or 0 for each in loop.body)]
        self._first = {id(each): end + 1 for each, end in zip(loop.body, ends, strict=False)}

    def opens(self, name: str, leaves: tuple[Leaf, ...]) -> None:
        """``with _step.running(rate=rate, u=u) as run:``, as one line or one argument a line."""
        by_name = {leaf.names[-1]: leaf.text for leaf in leaves}
        spec, spelt = self._spec, self._spelling
        arguments = [f"{each}={in_caller(by_name[each], spelt)}" for each in spec.constants]
        arrays = (*spec.inputs, *spec.state, *spec.carried, *spec.apart)
        arrays = tuple(each for each in arrays if each not in spec.given)
        arguments += [f"{each}={spelt.get(each, each)}" for each in arrays]
        line = f"{self._indent}with {name}.running({', '.join(arguments)}) as {self._run}:"
        if len(line) <= _LINE:
            self._add(line, self._part.loop)
            return
        self._add(f"{self._indent}with {name}.running(", self._part.loop)
        for each in arguments:
            self._add(f"{self._indent}{_MORE}{each},", self._part.loop)
        self._add(f"{self._indent}) as {self._run}:", self._part.loop)

    def head(self) -> None:
        """The line of the loop itself."""
        self._copy(range(self._part.loop.lineno, self._head + 1), _MORE)

    def other(self, statement: ast.stmt) -> None:
        """A statement that stays, below what brings the arrays up to date that it may see."""
        first = self._first[id(statement)]
        assert statement.end_lineno is not None
        if _named_parts(statement, self._part):
            self._copy(range(first, statement.lineno), _MORE)
            self._with_names(statement)
            return
        inserted = dict(self._exposures(statement))
        for number in range(first, statement.end_lineno + 1):
            for line in inserted.get(number, ()):
                self._add(line, statement)
            self._copy(range(number, number + 1), _MORE)

    def advance(self, leaves: tuple[Leaf, ...]) -> None:
        """``if not run.advance():`` and the step's statements as written."""
        by_name = {leaf.names[-1]: leaf.text for leaf in leaves}
        numbers = [in_caller(by_name[each], self._spelling) for each in self._spec.scalars]
        arguments = [f"lambda: {tuple_text(numbers)}"] if numbers else []
        arguments += [f"{each}={self._spelling.get(each, each)}" for each in self._spec.given]
        bound = (*self._spec.carried, *self._spec.out, *self._spec.rotates)
        loop, call = self._part.loop, f"{self._run}.advance({', '.join(arguments)})"
        if bound:
            names = tuple_text([self._spelling.get(each, each) for each in bound])
            self._add(f"{self._inner}if {call}:", loop)
            self._add(f"{self._inner}{_MORE}{names} = {self._run}.results", loop)
            self._add(f"{self._inner}else:", loop)
        else:
            self._add(f"{self._inner}if not {call}:", loop)
        for statement in self._part.arrays:
            self._array(statement)

    def otherwise(self) -> None:
        """The ``else`` of the loop."""
        loop = self._part.loop
        if not loop.orelse:
            return
        assert loop.body[-1].end_lineno is not None
        first = loop.body[-1].end_lineno + 1
        for statement in loop.orelse:
            self._first[id(statement)] = first
            self.other(statement)
            assert statement.end_lineno is not None
            first = statement.end_lineno + 1

    def _array(self, statement: ast.stmt) -> None:
        name = self._part.name_of(statement)
        if name is None:
            assert statement.end_lineno is not None
            self._copy(range(self._first[id(statement)], statement.end_lineno + 1), _MORE * 2)
            return
        assert isinstance(statement, ast.Assign)
        value = self._document.segment(statement.value)
        opened, closed = ("(", ")") if "\n" in value else ("", "")
        for number, line in enumerate(f"{name} = {opened}{value}{closed}".splitlines()):
            self._add(f"{self._inner}{_MORE}{line}" if not number else f"{_MORE * 2}{line}", statement)

    def _with_names(self, statement: ast.stmt) -> None:
        """A statement with names in the place of what the step computes of it."""
        assert statement.end_lineno is not None
        document = self._document
        edits = [Edit(*document.span(node), name) for node, name in _named_parts(statement, self._part)]
        start, end = document.line_start(statement.lineno), document.line_end(statement.end_lineno)
        for line in document.edited(start, end, edits).splitlines():
            self._add(f"{_MORE}{line}", statement)

    def _exposures(self, statement: ast.stmt) -> Iterator[tuple[int, list[str]]]:
        """What has to stand above which lines of a statement."""
        if self._part.code.is_blind(statement):
            return
        if isinstance(statement, ast.If) and self._is_open(statement):
            for each in (*statement.body, *statement.orelse):
                yield from self._exposures(each)
            return
        named = {each.id for each in ast.walk(statement) if isinstance(each, ast.Name)}
        margin = self._document.indentation(statement) + _MORE
        seen = [each for each in self._spec.carried if each in named or each in self._exposed]
        spelt = [self._spelling.get(each, each) for each in seen]
        lines = [f"{margin}{each} = {self._run}.own({each})" for each in spelt]
        spec = self._spec
        # What the statement does not name may change too: inputs, and arrays that it was shown before.
        unnamed = {*spec.inputs} - {*spec.given} or spec.previous
        if spec.state or (unnamed and not lines):
            lines.insert(0, f"{margin}{self._run}.store()")
        yield statement.lineno, lines

    def _is_open(self, statement: ast.If) -> bool:
        """Whether lines may stand above each statement in an ``if``, and its test sees no array."""
        inner = [*statement.body, *statement.orelse]
        if not self._part.code.is_number(statement.test) or not all(map(self._document.stands_alone, inner)):
            return False
        elifs = (each for each in statement.orelse if isinstance(each, ast.If) and self._is_elif(each))
        # Nothing can stand above `elif`, after the block before it.
        return all(self._part.code.is_blind(each) or self._is_open(each) for each in elifs)

    def _is_elif(self, statement: ast.If) -> bool:
        return self._document.segment(statement).startswith("elif")

    def _copy(self, numbers: range, margin: str) -> None:
        for number in numbers:
            line = self._document.line(number).rstrip("\r\n")
            origin = self._document.origins[number - 1]
            self.lines.append(f"{margin}{line}" if line.strip() else line)
            self.origins.append(Origin(origin.line, origin.shift + len(margin)))

    def _add(self, line: str, statement: ast.stmt) -> None:
        self.lines.append(line)
        self.origins.append(self._document.origins[statement.lineno - 1])


def _named_parts(statement: ast.stmt, part: PartOfLoop) -> list[tuple[ast.expr, str]]:
    inside = [each for each in ast.walk(statement) if isinstance(each, ast.expr)]
    return [(node, name) for node, name in part.body.named.items() if any(node is each for each in inside)]


def _exposed_names(part: PartOfLoop, spec: StepSpec, function: Function) -> set[str]:
    """The names that other functions see while the loop runs."""
    node = function.node
    if isinstance(node, ast.Module):
        return {*spec.carried}
    return {each for each in spec.carried if function.is_shared(each) or escapes(each, node)}


def _last_line_of_head(part: PartOfLoop, function: Function) -> int:
    """The last line of ``for n in range(k):``, above the comments over the first statement."""
    number = part.loop.body[0].lineno - 1
    while number > part.loop.lineno and _is_comment(function.document.line(number)):
        number -= 1
    return number


def _is_comment(line: str) -> bool:
    return not line.strip() or line.lstrip().startswith("#")
