"""Plans of loops that solve a triangular system, by one call that works on blocks of rows."""

from __future__ import annotations

from dataclasses import dataclass

from nprewrite.analysis.liveness import live_after
from nprewrite.emit.array_code.guards import NotVectorizedError
from nprewrite.emit.array_code.nest_writer import NestWriter
from nprewrite.emit.array_code.plans import Plan, are_few, planned
from nprewrite.emit.array_code.scene import Scene
from nprewrite.regions.nests.nest import Nest
from nprewrite.regions.nests.triangular_systems import Substitution, substitution
from nprewrite.types.affine import Affine, number

_DTYPES = {"float32", "float64"}


@dataclass(kw_only=True)
class SolveWriter(NestWriter):
    """Follows the loop as it is, to collect its conditions, and writes the call in its place."""

    found: Substitution

    def loops(self, scene: Scene) -> None:
        """Write the call, after everything that the loop is checked for."""
        super().loops(scene)
        found, nest = self.found, self.nest
        for form in (found.high - found.low, found.done):
            self.guards.require(form, (), nest.root.node, "the rows of the triangle")
        for name, axes in ((found.matrix, 2), (found.right, 1), (found.unknowns, 1)):
            for axis in range(axes):
                what = f"nothing proves that `{name}` has a row for each unknown"
                gap = nest.length(name, axis) - found.high
                self.guards.require(gap, (), nest.root.node, what)
        self.guards.rounds = True
        self.lines = [self._call()]

    def _call(self) -> str:
        found, function = self.found, self.nest.function
        runtime = function.names.alias_of("nprewrite.runtime") or function.names.free("npr")
        given = [
            self._rows(found.matrix, 2),
            self._rows(found.right, 1),
            self._rows(found.unknowns, 1),
            *(["unit=True"] if found.unit else []),
            *([f"done={found.done.text(self.nest.names)}"] if found.done != number(0) else []),
        ]
        kind = "backward" if found.upper else "forward"
        return f"{runtime}.{kind}_substitution({', '.join(given)})"

    def _rows(self, name: str, axes: int) -> str:
        """The part of an array that belongs to the triangle's rows, along its first axes."""
        parts = [self._slice(name, axis) for axis in range(axes)]
        return name if set(parts) == {":"} else f"{name}[{', '.join(parts)}]"

    def _slice(self, name: str, axis: int) -> str:
        low, high = self.found.low, self.found.high
        whole = self.nest.length(name, axis) == high
        return f"{self._end(low, low == number(0))}:{self._end(high, whole)}"

    def _end(self, form: Affine, left_out: bool) -> str:
        return "" if left_out else form.text(self.nest.names)


def solve_plan(nest: Nest) -> Plan | None:
    """The plan of a loop that solves a triangular system; None for any other loop."""
    found = substitution(nest)
    root = nest.root
    if found is None or are_few([root]) or not _is_of_one_dtype(found, nest):
        return None
    own = nest.bound - {root.name} - nest.made
    if any(live_after(name, root.node, nest.function) for name in own):
        return None
    became = "the solution of a triangular system"
    try:
        return planned(nest, [root], lambda nest: SolveWriter(nest, (), found=found), became)
    except NotVectorizedError:
        return None


def _is_of_one_dtype(found: Substitution, nest: Nest) -> bool:
    arrays = [nest.array(name) for name in (found.matrix, found.right, found.unknowns)]
    dtypes = {each.dtype.name for each in arrays if each is not None}
    return len(dtypes) == 1 and dtypes <= _DTYPES
