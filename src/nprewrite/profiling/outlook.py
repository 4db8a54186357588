"""What nprewrite would do with a profiled function, what stands in the way, and what that would gain."""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from nprewrite.base.errors import OF_SYNTAX, unheard
from nprewrite.base.syntax import text_tree, walk
from nprewrite.decorated.rest import rests_of_script
from nprewrite.engine.cells import Context, rewrite_cell
from nprewrite.engine.outcomes import InternalError, Options, Outcome, Rewriting, Site
from nprewrite.engine.pipeline import rewrite_source
from nprewrite.profiling.attribution import Unit
from nprewrite.profiling.source import MODULE
from nprewrite.source.problems import SourceProblem
from nprewrite.types.values import Unknown, Value
from nprewrite.watching.seen import Seen

_OF_NATIVE = 20.0
"""Python takes this many times as long as compiled code for a loop over single elements, and more."""
_MOST = 4.0
"""Two cores compute fused array code this many times as fast as NumPy, where memory does not limit both."""
_OPERATIONS_FOR_ONE = 5.0
"""So many operations, fused, take as much less time as one time NumPy's."""
_CALL_S = 4e-5
"""Array code that takes NumPy less than this is done before a call of compiled code would be."""
_MOSTLY = 0.5
"""The part of a loop's time in array code from which on it is array code."""
_MISSING = re.compile(r"nothing is known of `(\w+)`")
_OPERATIONS = ast.BinOp | ast.Compare | ast.Call | ast.UnaryOp


@dataclass(frozen=True)
class Compiled:
    """Lines that would run compiled together: a loop over elements (``native``), or array code."""

    lines: frozenset[int]
    native: bool
    operations: int


@dataclass(frozen=True)
class Outlook:
    """What would be done, the sites that stand in the way, and the seconds of ``unit.time`` it would save.

    ``deferred`` tells that only a call of the decorated function, or a run of the script, can show what would
    be done.
    """

    parts: tuple[Compiled, ...] = ()
    refused: tuple[Site, ...] = ()
    deferred: bool = False
    gain: float = 0.0
    problem: str = ""

    @property
    def lines(self) -> frozenset[int]:
        """All lines that would run compiled."""
        return frozenset[int]().union(*(each.lines for each in self.parts))


def outlook(unit: Unit, options: Options, around: Context) -> Outlook:
    """What nprewrite.jit would do with a function, as far as the types that were seen tell.

    ``around`` is what its text finds in other cells.
    """
    text, own = unit.source.text, None if unit.name == MODULE else unit.name
    if not text:
        return Outlook(problem="its source cannot be read")
    given = {} if own is None else {own: _given(unit)}
    try:
        with unheard(*OF_SYNTAX):
            made = rewrite_cell(
                text, around, lambda whole: rewrite_source(whole, unit.source.path, options, given, own)
            )
    except SourceProblem as problem:
        return Outlook(problem=str(problem))
    except InternalError:
        return Outlook(problem="nprewrite cannot say: a fault of nprewrite, which nprewrite explain shows")
    # A statement of which NumPy computes a part (a Fourier transform) spends its time there.
    in_numpy = {each.line for each in made.sites if each.reason == "stays-in-numpy"}
    parts = tuple(replace(each, lines=each.lines - in_numpy) for each in _compiled(made))
    done = frozenset[int]().union(*(each.lines for each in parts))
    spent = {line for path, line in unit.focus if path == unit.source.path}
    inside = [lines for name, lines in unit.source.functions.items() if name != MODULE]
    sites = [
        each for each in made.sites if own is not None or not any(each.line in lines for lines in inside)
    ]
    refused = [each for each in sites if each.outcome is Outcome.REFUSED and each.line in spent - done]
    waits = any(isinstance(each, Unknown) and each.array for each in given.get(unit.name, {}).values())
    waits = waits or any(each.outcome is Outcome.DEFERRED or _of_globals(each, unit) for each in sites)
    deferred = waits if own is not None else _goes_on_rewritten(unit)
    if deferred and not parts:
        # With the types that a call shows, other sites may be refused.
        return Outlook(deferred=True)
    return Outlook(parts, tuple(refused), gain=_gain(unit, parts))


def _goes_on_rewritten(unit: Unit) -> bool:
    """Whether a loop of array code among the script's own statements may go on in what the rest becomes.

    That is rewritten for the types that its names have while it runs.
    """
    if unit.loop is None or unit.array < _MOSTLY * unit.weight or not os.path.isfile(unit.source.path):
        return False
    numpy = {name for name, module in unit.source.modules.items() if module == "numpy"}
    with unheard(*OF_SYNTAX):
        return bool(rests_of_script(text_tree(unit.source.text), "script", numpy))


def _of_globals(site: Site, unit: Unit) -> bool:
    """Whether a type is missing that is not known as long as nothing is known of the module's variables."""
    missing = _MISSING.search(site.message) if site.reason == "dtype-unknown" else None
    return missing is not None and missing[1] in unit.source.variables


def _given(unit: Unit) -> dict[str, Value]:
    """What was seen of the parameters, while the function ran."""
    seen = {name: tuple(kinds.values()) for name, kinds in unit.variables.parameters.items()}
    return Seen(unit.source.path, unit.name, 0, seen).given()


def _compiled(made: Rewriting) -> Iterator[Compiled]:
    """The parts of the user's text that run compiled in the rewritten text."""
    if not made.changed:
        return
    with unheard(*OF_SYNTAX):
        before, after = text_tree(made.source), text_tree(made.text)
    users = {each.name for each in before.body if isinstance(each, ast.FunctionDef)}
    for step in after.body:
        if not isinstance(step, ast.FunctionDef) or step.name in users:
            continue
        decorators = ast.unparse(ast.Module([ast.Expr(each) for each in step.decorator_list], []))
        if ".native" not in decorators and "compile=True" not in decorators:
            continue
        bodies = [step.body, *_bodies(after, step.name)]
        lines = {line for body in bodies for each in body for line in _origins(each, made)}
        operations = sum(isinstance(each, _OPERATIONS) for each in walk(step))
        yield Compiled(frozenset(lines), ".native" in decorators, operations)


def _bodies(tree: ast.Module, step: str) -> Iterator[list[ast.stmt]]:
    """The statements that a step stands for: they run where it may not."""
    for each in walk(tree):
        if isinstance(each, ast.For) and any(
            isinstance(n, ast.Name) and n.id == step for n in walk(each.iter)
        ):
            yield each.body


def _origins(node: ast.stmt, made: Rewriting) -> Iterator[int]:
    yield from (made.origins[line - 1] for line in range(node.lineno, (node.end_lineno or node.lineno) + 1))


def _gain(unit: Unit, parts: tuple[Compiled, ...]) -> float:
    """The seconds that compiling would save, estimated from the operations that would be fused."""
    saved, counted = 0.0, set[int]()
    for each in sorted(parts, key=lambda part: (not part.native, -part.operations)):
        lines = each.lines - counted
        counted |= lines
        spent = unit.seconds_on(lines)
        if unit.calls and unit.loop is None and spent / unit.calls < _CALL_S:
            continue
        faster = _OF_NATIVE if each.native else min(_MOST, 1 + each.operations / _OPERATIONS_FOR_ONE)
        saved += spent * (1 - 1 / faster)
    return saved
