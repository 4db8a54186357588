"""Complex arrays of a step as two separate real arrays.

Why: Inductor generates no code for complex numbers, and calls slow kernels one by one instead.

    Z = np.where(I, Z**2 + C, Z)
->  Z_re, Z_im = (np.where(I, Z_re * Z_re - Z_im * Z_im + C_re, Z_re),
                  np.where(I, Z_re * Z_im + Z_im * Z_re + C_im, Z_im))

Not a trailing axis of length two: that would change ``.T``, ``len`` and ``size``, and cost strided access.

Safety: products, quotients, powers and exp follow NumPy's own formulas, also for inf and nan; ``abs(z) < h``
is compared in squares while ``h`` is well inside the range, which the runtime checks; what has branch cuts
gets the complex array, rebuilt at that place.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, replace

from nprewrite.base.syntax import name_nodes, names_in
from nprewrite.emit.complex_pairs.arithmetic import NotInPairs
from nprewrite.emit.complex_pairs.writer import PairWriter
from nprewrite.passes.contract import Change, Refusal, StepPass
from nprewrite.passes.level import Level
from nprewrite.program.function import Function
from nprewrite.program.steps import StepSpec, parts
from nprewrite.source.edits import NodeEdit, Replace, Wrap
from nprewrite.source.nodes import parameters, statements
from nprewrite.types.values import Array

_PARTS = {"complex64": "float32", "complex128": "float64"}


@dataclass(frozen=True)
class Proof:
    """The statements of the step in pairs, and its new spec."""

    statements: tuple[tuple[ast.stmt, str], ...]
    spec: StepSpec


class ComplexPairs(StepPass[Proof]):
    """NPR201."""

    code = "NPR201"
    name = "complex-pairs"
    summary = "complex arrays of a step become two real arrays each"
    level = Level.ROUNDING

    def match(self, function: Function) -> Iterator[Function]:
        """Steps that take, make or return complex values."""
        if function.step is not None and _computes_complex(function):
            yield function

    def check(self, site: Function, function: Function) -> Proof | Refusal:
        """Write every statement in pairs; refuse if all of them would rebuild the complex array."""
        node, step = function.as_step()
        if function.facts.expressions.masked:
            return Refusal("unsupported-operation", "the step still selects elements by a mask")
        clash = _clash(function)
        if clash is not None:
            text = f"the name `{clash}` is already taken"
            return Refusal("unsupported-operation", text, help="rename it")
        writer = PairWriter(function)
        try:
            written = [(statement, writer.statement(statement)) for statement in node.body]
        except NotInPairs as problem:
            return Refusal("unsupported-operation", str(problem))
        if writer.rebuilt and not writer.split:
            return Refusal("nothing-to-split", "every operation needs the complex array itself")
        boxes = {
            name: replace(box, dtype=_PARTS[box.dtype], pair=True)
            for name, box in step.boxes.items()
            if box.dtype in _PARTS
        }
        spec = replace(step.with_boxes(boxes), bounds={**step.bounds, **writer.bounds})
        return Proof(tuple((statement, text) for statement, text in written if text is not None), spec)

    def rewrite(self, site: Function, proof: Proof, function: Function) -> Change:
        """New statements, parameters and decorator."""
        node, _ = function.as_step()
        document = function.document
        names = [name for name, box in proof.spec.boxes.items() if box.pair]
        edits: list[NodeEdit] = [
            Replace(statement, document.with_comments_of(statement, statements(text)))
            for statement, text in proof.statements
        ]
        halves = [part for each in node.args.args for part in _parts(each.arg, proof.spec)]
        edits.append(Wrap(node, lambda made: made.with_changes(params=parameters(halves))))
        listed = ", ".join(f"`{name}`" for name in names) or "complex values"
        message = f"{listed} held as two real arrays{' each' if len(names) > 1 else ''}"
        return Change(tuple(edits), specs={node.name: proof.spec}, message=message)


def _clash(function: Function) -> str | None:
    """A name of the step that would also be the name of a part of a complex value."""
    node, step = function.as_step()
    used = names_in(node)
    used |= {each.arg for each in node.args.args}
    split = (name for name, box in step.boxes.items() if box.dtype in _PARTS)
    return next(
        (f"{name}_{part}" for name in split for part in ("re", "im") if f"{name}_{part}" in used), None
    )


def _parts(name: str, spec: StepSpec) -> list[str]:
    """The parameters that replace one: two for a pair."""
    return parts(name, spec.boxes[name]) if name in spec.boxes else [name]


def _computes_complex(function: Function) -> bool:
    """Whether a parameter, result or name of the step is complex, not counting values rebuilt in between."""
    node, step = function.as_step()
    if any(box.dtype in _PARTS for box in step.boxes.values()):
        return True
    values = [function.facts.expressions.values.get(each) for each in name_nodes(node)]
    return any(isinstance(value, Array) and value.dtype.kind == "c" for value in values)
