"""Whether what a loop does besides its reductions affects them, or shows when one of them raises."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from nprewrite.base.syntax import walk
from nprewrite.lowering.reductions import reduction_of
from nprewrite.numpy_api.elementwise import elementwise
from nprewrite.numpy_api.methods import only_reads
from nprewrite.numpy_api.python import python_function
from nprewrite.program.function import Function
from nprewrite.types.problems import Problem
from nprewrite.types.values import Array, Scalar

_LOOPS = (ast.For, ast.While)
_EFFECTS = {"append", "print"}


@dataclass
class LoopReductions:
    """What a loop reduces: each expression with its text over ``scalars`` and ``arrays``.

    ``scalars`` maps the text of each number, as the loop computes it, to its name in the reductions.
    ``removed`` are statements that bind only what the reductions need; ``stored`` names what the loop stores
    into, ``read`` what the scalars are taken from.
    """

    loop: ast.For
    target: str
    nodes: list[tuple[ast.expr, str]] = field(default_factory=list)
    scalars: dict[str, str] = field(default_factory=dict)
    arrays: list[str] = field(default_factory=list)
    removed: list[ast.Assign] = field(default_factory=list)
    stored: list[str] = field(default_factory=list)
    read: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Reads:
    """The numbers and arrays that a reduction reads; ``always`` if each iteration computes it."""

    node: ast.expr
    always: bool
    names: frozenset[str]
    form: ast.expr

    @property
    def place(self) -> tuple[int, int]:
        """Where the reduction starts."""
        return self.node.lineno, self.node.col_offset


class ReductionEffects:
    """What the statements of a loop do besides its reductions."""

    def __init__(
        self,
        found: LoopReductions,
        reads: Sequence[Reads],
        values: Mapping[str, Array],
        used: Collection[int],
        function: Function,
    ) -> None:
        """``values`` are the arrays reduced; ``used`` are the nodes of the reductions, by their ``id``."""
        self._found, self._reads, self._values = found, reads, values
        self._used, self._function = used, function
        self._inside = [each for statement in found.loop.body for each in walk(statement)]
        self._bound = {each.id for each in self._inside if isinstance(each, ast.Name) and is_store(each)}

    def problem(self) -> Problem | None:
        """Why what the loop does may affect its reductions, or show when one of them raises."""
        first = None
        used = {*self._found.arrays, *self._found.read}
        for statement in self._statements:
            for node in walk(statement):
                problem = None if id(node) in self._used else self._effect(node, used)
                if problem is not None:
                    return problem
                if _is_effect(node):
                    # What is stored or printed is computed before.
                    whole = node if isinstance(node, ast.Call) else statement
                    end = whole.end_lineno or whole.lineno, whole.end_col_offset or whole.col_offset
                    first = end if first is None else min(first, end)
        return self._too_early(first)

    @property
    def _statements(self) -> Iterator[ast.stmt | ast.expr]:
        """The parts of the loop's body that contain no statement."""
        for node in self._inside:
            if isinstance(node, ast.stmt) and not isinstance(node, (*_LOOPS, ast.If)):
                yield node
            elif isinstance(node, _LOOPS):
                yield from (node.target, node.iter) if isinstance(node, ast.For) else (node.test,)
            elif isinstance(node, ast.If):
                yield node.test

    def _too_early(self, first: tuple[int, int] | None) -> Problem | None:
        """Why a number or array that an iteration needs may be missing where no error is raised yet."""
        sure: set[str] = set()
        for each in self._reads:
            new = sorted(each.names - sure, key=lambda name: (name in self._values, name))
            if new and first is not None and each.place > first:
                text = f"`{new[0]}` is first read after the loop has stored something"
                return Problem("may-raise", text, self._found.loop)
            if not each.always and (new or not self._is_safe(each)):
                text = f"`{new[0]}` is read" if new else f"`{ast.unparse(each.node)}` is computed"
                return Problem("may-raise", f"{text} in some iterations only", self._found.loop)
            if each.always:
                sure |= each.names
        return None

    def _is_safe(self, reads: Reads) -> bool:
        """Whether a reduction raises nothing, provided that its numbers exist."""
        nodes = [each for each in walk(reads.form) if isinstance(each, ast.Name | ast.BinOp)]
        names = {each.id for each in nodes if isinstance(each, ast.Name)} & self._values.keys()
        shapes = {self._values[name].shape for name in names}
        dtypes = [self._values[name].dtype for name in names]
        # A Python integer out of the range of a narrow array raises.
        narrow = any(each.kind in "iu" and each.itemsize < 8 for each in dtypes)
        computes = any(isinstance(each, ast.BinOp) for each in nodes)
        return (len(names) == 1 or (len(shapes) == 1 and None not in shapes)) and not (narrow and computes)

    def _effect(self, node: ast.AST, used: set[str]) -> Problem | None:
        match node:
            case ast.Subscript() if is_store(node):
                return self._stored(node, used)
            case ast.Attribute() if is_store(node):
                return Problem("aliased-arrays", f"`{ast.unparse(node)}` is bound in the loop", node)
            case ast.AugAssign(target=ast.Name() as target):
                before = self._function.facts.before(self._found.loop).get(target.id)
                number = isinstance(before, Scalar) and not self._is_assigned(target.id)
                if not number and not isinstance(self._function.facts.value(target), Scalar):
                    return Problem("aliased-arrays", f"`{target.id}` may be changed in place", node)
            case ast.AugAssign(target=ast.Subscript(value=base) as target):
                if not isinstance(self._function.facts.value(base), Array):
                    return Problem(
                        "aliased-arrays",
                        f"`{ast.unparse(target)}` may share memory with one of the arrays",
                        node,
                    )
            case ast.Call():
                return self._called(node)
        return None

    def _is_assigned(self, name: str) -> bool:
        """Whether the loop binds a name in another way than ``name += ...``."""
        added = {id(each.target) for each in self._inside if isinstance(each, ast.AugAssign)}
        stores = (each for each in self._inside if isinstance(each, ast.Name) and is_store(each))
        return any(each.id == name and id(each) not in added for each in stores)

    def _stored(self, node: ast.Subscript, used: set[str]) -> Problem | None:
        base = node.value
        if not isinstance(base, ast.Name) or base.id in self._bound:
            return Problem(
                "aliased-arrays",
                f"`{ast.unparse(base)}` may share memory with one of the reduced arrays",
                node,
            )
        if base.id in used:
            line, _ = self._function.document.position(node)
            text = f"`{base.id}` is changed on line {line}, and the next iteration reads it"
            return Problem("aliased-arrays", text, self._found.loop)
        self._note_stored(base.id)
        return None

    def _note_stored(self, name: str) -> None:
        if name not in self._found.stored:
            self._found.stored.append(name)

    def _called(self, node: ast.Call) -> Problem | None:
        dotted = self._function.dotted(node.func)
        entry, python = elementwise(dotted), python_function(dotted)
        # With more arguments than operands, NumPy stores into the last one.
        known = entry is not None and len(node.args) <= entry[1].ufunc.nin
        known |= reduction_of(node, self._function.dotted) is not None
        known |= python is not None and python.quiet
        if not node.keywords and (known or (dotted is None and self._is_known_method(node))):
            return None
        return Problem("unknown-call", f"`{ast.unparse(node.func)}(...)` may change the arrays", node)

    def _is_known_method(self, node: ast.Call) -> bool:
        """Whether ``x.sum()`` of an array or number, or ``x.append(y)``, whose type a guard sees."""
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="append"), args=[_]):
                self._note_stored(name)
                return name not in self._bound and self._function.is_local(name)
            case ast.Call(func=ast.Attribute(value=owner, attr=attr), args=[]):
                return only_reads(attr) and isinstance(self._function.facts.value(owner), Array | Scalar)
        return False


def is_store(node: ast.Name | ast.Subscript | ast.Attribute) -> bool:
    """Whether a name, element or attribute is bound."""
    return isinstance(node.ctx, ast.Store)


def _is_effect(node: ast.AST) -> bool:
    """Whether a node changes something outside the iteration."""
    if isinstance(node, ast.Call):
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        return name in _EFFECTS
    return isinstance(node, ast.Subscript) and is_store(node)
