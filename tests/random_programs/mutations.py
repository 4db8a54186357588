"""Wrong rewrites, made from right ones by small changes of the rewritten text, for a verifier to catch.

Changed is what the rewriter wrote: step functions, the headers of the loops that run through them, what takes
their results, and statements with a select. The body that stays in such a loop as it was written is left
alone, because it does not run.
"""

from __future__ import annotations

import ast
import copy
import difflib
import functools
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

from mutation_expressions import EXPRESSIONS
from mutation_place import Edit, Operator, Place
from mutation_statements import HEADERS, STATEMENTS

AN_OPERATOR = 3
"""Mutants of one operator in one text."""


@dataclass(frozen=True)
class Mutant:
    """The whole text of a module with one mistake in it, in what ``function`` does.

    ``change`` shows the lines that differ, as a diff does.
    """

    label: str
    change: str
    text: str
    function: str


@functools.cache
def mutants(text: str) -> tuple[Mutant, ...]:
    """The mutants of a rewritten module: for each operator at most ``AN_OPERATOR``, the same in every run.

    Which are chosen depends on the changed expressions alone, not on what stands elsewhere in the text.
    """
    tree = ast.parse(text)
    candidates: dict[str, list[tuple[int, Place, Edit]]] = {}
    for place, node in _places(tree):
        for number, (label, edit) in enumerate(_edits(place, node)):
            mark = f"{label} {number} {place.function.name} {ast.unparse(node)}"
            candidates.setdefault(label, []).append((zlib.crc32(mark.encode()), place, edit))
    written = _Written(tree)
    seen = {written.text}
    return tuple(each for label, edits in candidates.items() for each in _chosen(written, label, edits, seen))


def _chosen(
    written: _Written, label: str, candidates: list[tuple[int, Place, Edit]], seen: set[str]
) -> list[Mutant]:
    """Mutants of one operator, each with a text that is Python and none of those ``seen``."""
    found: list[Mutant] = []
    for _, place, edit in sorted(candidates, key=lambda each: each[0]):
        text = written.edited(edit)
        if text not in seen and _compiles(text):
            seen.add(text)
            found.append(Mutant(label, _change(written.text, text), text, place.caller))
        if len(found) == AN_OPERATOR:
            break
    return found


def _change(right: str, wrong: str) -> str:
    lines = difflib.ndiff(right.splitlines(), wrong.splitlines())
    return "\n".join(f"{each[0]} {each[2:].strip()}" for each in lines if each[0] in "+-")


def _edits(place: Place, node: ast.AST) -> Iterator[tuple[str, Edit]]:
    operators: Mapping[str, Operator] = STATEMENTS if isinstance(node, ast.stmt) else EXPRESSIONS | HEADERS
    for label, operator in operators.items():
        for edit in operator(place, node):
            yield label, edit


def _places(tree: ast.Module) -> Iterator[tuple[Place, ast.AST]]:
    """Every statement and expression that the rewriter wrote, with its surroundings."""
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    steps = {each.name: each for each in functions if _is_step(each)}
    for function in functions:
        if function.name == "cases" or (function.name not in steps and not _rewritten(function)):
            continue
        place = Place(tree, function, _caller(function.name, functions), steps, raising=_raising(functions))
        for statement in _written(function.body, function.name in steps):
            yield place, statement
            for node in _expressions(statement):
                yield place, node


def _caller(name: str, functions: list[ast.FunctionDef]) -> str:
    """The function through which ``cases()`` reaches a function; itself where the cases name it."""
    cases = [each for each in functions if each.name == "cases"]
    named = {node.value for each in cases for node in ast.walk(each) if isinstance(node, ast.Constant)}
    reached = name
    for _ in functions:
        callers = [each.name for each in functions if reached in _names(each) and each.name != reached]
        if reached in named or not callers:
            break
        reached = next((each for each in callers if each in named), callers[0])
    return reached


def _is_step(function: ast.FunctionDef) -> bool:
    return any(
        isinstance(each, ast.Call) and ast.unparse(each.func).endswith(".step")
        for each in function.decorator_list
    )


def _rewritten(function: ast.FunctionDef) -> bool:
    return any(_by_rewriter(each) for each in ast.walk(function) if isinstance(each, ast.stmt))


def _by_rewriter(statement: ast.stmt) -> bool:
    """Whether a statement outside of a step looks like the rewriter's."""
    head = statement.iter if isinstance(statement, ast.For) else statement
    if isinstance(statement, ast.If | ast.While | ast.FunctionDef | ast.With | ast.Try):
        head = getattr(statement, "test", ast.Constant(0))
    text = ast.unparse(head)
    return any(each in text for each in ("np.where(", "npr.", "_step", "loop", "count_nonzero"))


def _written(body: list[ast.stmt], is_step: bool) -> Iterator[ast.stmt]:
    """The statements that the rewriter wrote, the bodies of ``if`` and ``for`` included, where they run."""
    for statement in body:
        if is_step and _is_text(statement):
            continue
        if _is_guard(statement):
            # A guard that refuses sends to the loop as written: only what it guards may be wrong.
            yield from _written(getattr(statement, "body", []), is_step=True)
            continue
        if is_step or _by_rewriter(statement) or isinstance(statement, ast.Return):
            yield statement
        through_step = isinstance(statement, ast.For) and ".over(" in ast.unparse(statement.iter)
        if not through_step:
            yield from _written(getattr(statement, "body", []), is_step)


def _is_guard(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.If) and "npr.quiet(" in ast.unparse(statement.test)


def _is_text(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def _expressions(statement: ast.stmt) -> Iterator[ast.AST]:
    """The expressions of a statement, without those of the statements inside of it."""
    if isinstance(statement, ast.Return) and not isinstance(statement.value, ast.Tuple | ast.Name):
        yield from ast.walk(statement)
        return
    pending = [each for each in ast.iter_child_nodes(statement) if isinstance(each, ast.expr)]
    while pending:
        node = pending.pop(0)
        yield node
        pending += [each for each in ast.iter_child_nodes(node) if isinstance(each, ast.expr | ast.keyword)]


def _names(function: ast.FunctionDef) -> set[str]:
    return {node.id for node in ast.walk(function) if isinstance(node, ast.Name)}


def _raising(functions: list[ast.FunctionDef]) -> frozenset[str]:
    """The functions for which ``cases()`` expects an exception."""
    cases = next((each for each in functions if each.name == "cases"), None)
    yielded = [each.value for each in ast.walk(cases) if isinstance(each, ast.Yield)] if cases else []
    return frozenset(
        each.elts[0].value
        for each in yielded
        if isinstance(each, ast.Tuple) and len(each.elts) == 3 and isinstance(each.elts[0], ast.Constant)
    )


class _Written:
    """A tree and its text; an edit writes only those statements of the module anew that it changes."""

    def __init__(self, tree: ast.Module) -> None:
        self._statements = [(each, ast.unparse(each)) for each in tree.body]
        self.text = self.edited([])

    def edited(self, edit: Edit) -> str:
        """The text with some of the nodes replaced, by a node or by a list of statements."""
        by_old = {id(old): new for old, new in edit}
        texts = []
        for statement, text in self._statements:
            made = _replaced(statement, by_old)
            texts.append(text if made is statement else _unparsed(made))
        return "\n".join(texts) + "\n"


def _unparsed(made: ast.stmt | list[ast.stmt]) -> str:
    body = made if isinstance(made, list) else [made]
    return ast.unparse(ast.fix_missing_locations(ast.Module(body, [])))


def _replaced(node: Any, by_old: Mapping[int, Any]) -> Any:
    """A node with some of those inside it replaced; the node itself where there is none."""
    if id(node) in by_old:
        return by_old[id(node)]
    changed: dict[str, Any] = {}
    for name, value in ast.iter_fields(node):
        if isinstance(value, list):
            made = _replaced_in(value, by_old)
            if any(new is not old for new, old in zip_longest(made, value)):
                changed[name] = made
        elif isinstance(value, ast.AST):
            new = _replaced(value, by_old)
            if new is not value:
                changed[name] = new
    if not changed:
        return node
    if changed.get("body") == [] and isinstance(node, ast.stmt):
        changed["body"] = [ast.Pass()]
    made_node = copy.copy(node)
    vars(made_node).update(changed)
    return made_node


def _replaced_in(values: list[Any], by_old: Mapping[int, Any]) -> list[Any]:
    made: list[Any] = []
    for each in values:
        new = _replaced(each, by_old) if isinstance(each, ast.AST) else each
        made += new if isinstance(new, list) else [new]
    return made


def _compiles(text: str) -> bool:
    try:
        compile(text, "mutant.py", "exec", dont_inherit=True)
    except SyntaxError:
        return False
    return True
