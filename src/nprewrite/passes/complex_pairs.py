"""Complex arrays of a step as two separate real arrays.

Why: Inductor generates no code for complex numbers, and calls slow kernels one by one instead.

    Z = np.where(I, Z**2 + C, Z)
->  Z_re, Z_im = (np.where(I, Z_re * Z_re - Z_im * Z_im + C_re, Z_re),
                  np.where(I, Z_re * Z_im + Z_im * Z_re + C_im, Z_im))

Never a trailing axis of two: that changes ``.T``, ``len``, ``size`` and costs strided access.

Safety: products, quotients, powers and exp follow NumPy's own formulas, also for inf and nan; ``abs(z) < h``
is compared in squares while ``h`` is well inside the range, which the runtime checks; what has branch cuts
gets the complex array, rebuilt at that place.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, replace

from nprewrite.facts.function import Function
from nprewrite.facts.steps import Box, StepSpec, parts
from nprewrite.facts.values import Array
from nprewrite.passes.contract import Change, Level, Reason, Refusal, RewritePass
from nprewrite.passes.pair_writer import PairWriter
from nprewrite.passes.reasons import reason, reasons
from nprewrite.syntax.document import Edit


@dataclass(frozen=True)
class Proof:
    """The statements of the step in pairs, and its new spec."""

    statements: tuple[tuple[ast.stmt, str], ...]
    spec: StepSpec


@dataclass(frozen=True)
class ComplexPairs(RewritePass[Function, Proof]):
    """NPR201."""

    code = "NPR201"
    name = "complex-pairs"
    summary = "complex arrays of a step become two real arrays each"
    level = Level.ROUNDING
    refuses: tuple[Reason, ...] = reasons("NPR201")  # type: ignore[misc]

    def match(self, function: Function) -> Iterator[Function]:
        """Steps that take, make or return complex values."""
        if function.step is not None and _complex_names(function):
            yield function

    def node(self, site: Function) -> ast.stmt:
        """The step."""
        assert isinstance(site.node, ast.FunctionDef)
        return site.node

    def check(self, site: Function, function: Function) -> Proof | Refusal:
        """Write every statement in pairs; refuse when all of them would rebuild the complex array."""
        assert isinstance(function.node, ast.FunctionDef)
        assert function.step is not None
        writer = PairWriter(function)
        statements = []
        for statement in function.node.body:
            text = writer.statement(statement)
            if text is not None:
                statements.append((statement, text))
        if writer.rebuilt and not writer.split:
            return Refusal(reason("nothing-to-split"), "every operation needs the complex array itself")
        boxes = {
            name: Box({"complex64": "float32", "complex128": "float64"}[box.dtype], pair=True)
            for name, box in function.step.boxes.items()
            if box.dtype.startswith("complex")
        }
        spec = replace(function.step.with_boxes(boxes), bounds={**function.step.bounds, **writer.bounds})
        return Proof(tuple(statements), spec)

    def rewrite(self, site: Function, proof: Proof, function: Function) -> Change:
        """New statements, parameters and decorator."""
        assert isinstance(function.node, ast.FunctionDef)
        assert function.step is not None
        document = function.document
        edits = []
        for statement, text in proof.statements:
            indent = document.indentation(statement)
            start, end = document.span(statement)
            indented = text.replace("\n", f"{document.newline}{indent}")
            edits.append(Edit(start, end, document.with_comments(statement, indented)))
        names = [name for name, box in proof.spec.boxes.items() if box.pair]
        arguments = function.node.args.args
        for argument in arguments:
            if argument.arg in names:
                start = document.offset(argument.lineno, argument.col_offset)
                halves = ", ".join(parts(argument.arg, proof.spec.boxes[argument.arg]))
                edits.append(Edit(start, start + len(argument.arg), halves))
        listed = ", ".join(f"`{name}`" for name in names) or "complex values"
        message = (
            f"{listed} held as two real arrays each"
            if len(names) > 1
            else f"{listed} held as two real arrays"
        )
        return Change(tuple(edits), specs={function.node.name: proof.spec}, message=message)


def _complex_names(function: Function) -> bool:
    assert function.step is not None
    if any(box.dtype.startswith("complex") for box in function.step.boxes.values()):
        return True
    values = function.facts.expressions.values.values()
    return any(isinstance(value, Array) and value.dtype.kind == "c" for value in values)
