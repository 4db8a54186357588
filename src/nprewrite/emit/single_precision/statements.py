"""The statements of a function in single precision: parameters, bindings, stores and results."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cached_property

from nprewrite.analysis.caller_arrays import keeps_arrays, root
from nprewrite.base.syntax import assigned, children, name_nodes, stored_names, walk
from nprewrite.emit.single_precision.calls import CallNarrowing
from nprewrite.emit.single_precision.expressions import NotNarrowed
from nprewrite.source.edits import Beside, NodeEdit
from nprewrite.source.names import parameter_names
from nprewrite.source.nodes import statements
from nprewrite.types.single_precision import holds_double, in_single, is_double, same_type, single
from nprewrite.types.values import Array, Scalar, Unknown, Value

_NOT_FOLLOWED = (ast.Yield, ast.YieldFrom, ast.Await, ast.NamedExpr)


class FunctionNarrowing(CallNarrowing):
    """Edits for a whole function; raises ``NotNarrowed`` where no edits would be correct."""

    def edits(self) -> list[NodeEdit]:
        """The edits of the function; none where it computes nothing in double precision."""
        node = self.function.node
        assert isinstance(node, ast.FunctionDef)
        casts = {name: (dtype, cast) for name, dtype, cast in self._casts(node)}
        bound = stored_names(node)
        fresh = self.function.names.fresh
        self.copies = {
            name: fresh(f"{name}_{dtype}") for name, (dtype, _) in casts.items() if name not in bound
        }
        found = [edit for statement in self.function.statements() for edit in self._statement(statement)]
        written = {ast.unparse(each) for each in node.body}
        again = [f"{name} = {cast}" for name, (_, cast) in casts.items() if name in bound]
        lines = [each for each in again if each not in written]
        lines += [f"{self.copies[name]} = {cast}" for name, (_, cast) in casts.items() if name in self.copied]
        if lines:
            first, *others = node.body
            docstring = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
            place = others[0] if docstring and others else first
            found.insert(0, Beside(place, before=statements("\n".join(lines))))
        return found

    def _casts(self, node: ast.FunctionDef) -> Iterator[tuple[str, str, str]]:
        """The double-precision parameters that may be copied: name, dtype of the copy, and the cast."""
        for name, value in self._parameters(node):
            if self.keeps(name) or not is_double(value):
                continue
            assert isinstance(value, Array | Scalar)
            assert value.dtype is not None
            dtype = f"{self.numpy}.{single(value.dtype)}"
            cast = f"{name}.astype({dtype})" if isinstance(value, Array) else f"{dtype}({name})"
            yield name, str(single(value.dtype)), cast

    def _parameters(self, node: ast.FunctionDef) -> Iterator[tuple[str, Value]]:
        given = self.function.parameter_values
        yield from ((name, given[name]) for name in parameter_names(node.args) if name in given)

    def _statement(self, statement: ast.stmt) -> list[NodeEdit]:
        """The edits of a statement without those of the statements inside it."""
        self._check_followed(statement)
        match statement:
            case ast.Assign(targets=targets, value=value):
                return self._assigned(targets, value)
            case ast.AnnAssign(target=target, value=ast.expr() as value):
                return self._assigned([target], value)
            case ast.AugAssign():
                return self._augmented(statement)
            case ast.Return(value=ast.expr() as value):
                return self._returned(value)
            case ast.For(target=target, iter=iterated):
                self._check_iterated(target, iterated)
                return self.expression(iterated)
            case ast.While(test=test) | ast.If(test=test) | ast.Assert(test=test):
                return self.expression(test)
            case ast.Expr(value=value):
                return [] if isinstance(value, ast.Constant) else self.expression(value)
            case ast.With(items=items):
                return self.each([each.context_expr for each in items], wide=False)
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef() | ast.Match():
                self._check_untouched(statement)  # type: ignore[arg-type]
                return []
            case ast.Raise(exc=ast.expr() as raised):
                return self.expression(raised)
        return []

    def _assigned(self, targets: list[ast.expr], value: ast.expr) -> list[NodeEdit]:
        pairs = [pair for target in targets for pair in assigned(target, value)]
        edits = [edit for target, _ in pairs for edit in self._target(target)]
        wide = {id(each): self._is_wide(target) for target, each in pairs}
        if len({self._is_wide(target) for target, each in pairs if each is value}) > 1:
            message = f"`{ast.unparse(value)}` is bound to names of both precisions"
            raise NotNarrowed("unsupported-operation", message, value)
        parts = list({id(each): each for _, each in pairs}.values())
        for each in parts:
            edits += self.expression(each, wide=wide[id(each)])
        return edits

    def _target(self, target: ast.expr) -> list[NodeEdit]:
        """The edits of the indices of a target."""
        value = self.value(target)
        self._check_own(target)
        if isinstance(target, ast.Subscript):
            return self.raw(target)
        if isinstance(target, ast.Starred) and holds_double(value):
            raise NotNarrowed("dtype-unknown", f"`{ast.unparse(target)}` takes any number of arrays", target)
        return []

    def _check_own(self, target: ast.expr) -> None:
        """Refuse to bind what other code sees."""
        local = not isinstance(target, ast.Name) or self.function.is_local(target.id)
        shared = isinstance(target, ast.Name) and self.function.is_shared(target.id)
        if isinstance(target, ast.Attribute) or not local or shared:
            text = f"`{ast.unparse(target)}` would change its dtype for other code"
            raise NotNarrowed("not-local", text, target)

    def _is_wide(self, target: ast.expr) -> bool:
        """Whether what is bound or stored here is computed in double precision, as the user asks.

        A name for memory of the caller's stays one when it is bound again, and a list of such memory stays
        one too; next to steps, a name that is only read in casts is a sum that was taken out of its cast.
        """
        name = root(target) if keeps_arrays(target, self.function) else target
        rebound = isinstance(name, ast.Name) and (name.id in self.callers or name.id in self.sums)
        cast = isinstance(target, ast.Name) and self._has_steps and self._is_only_cast(target.id)
        return self.is_named(target) or rebound or cast

    @cached_property
    def _has_steps(self) -> bool:
        """Whether statements of the function have been moved into steps."""
        nodes = (each for each in walk(self.function.node) if isinstance(each, ast.stmt))
        return not all(self.function.is_as_written(each) for each in nodes)

    def _is_only_cast(self, name: str) -> bool:
        casts = {
            each.func.value
            for each in walk(self.function.node)
            if isinstance(each, ast.Call)
            and isinstance(each.func, ast.Attribute)
            and each.func.attr == "astype"
        }
        nodes = name_nodes(self.function.node)
        return all(each in casts for each in nodes if each.id == name and isinstance(each.ctx, ast.Load))

    def _augmented(self, statement: ast.AugAssign) -> list[NodeEdit]:
        target, value = statement.target, statement.value
        if not isinstance(self.value(target), Array):
            self._check_own(target)
        wide = self.is_named(target)
        added = isinstance(target, ast.Name) and target.id in self.sums
        edits = self.raw(target) if isinstance(target, ast.Subscript) else []
        edits += self.expression(value, wide=wide, cast=added)
        known = self.value(target)
        unknown = next((each for each in (known, self.value(value)) if isinstance(each, Unknown)), None)
        if unknown is not None:
            message = f"`{ast.unparse(statement)}`: {unknown.because}"
            raise NotNarrowed("dtype-unknown", message, statement, unknown.parameter)
        if isinstance(known, Scalar) and not wide and not added and isinstance(target, ast.Name):
            edits = self._counted(statement, known, edits)
        return edits

    def _counted(self, statement: ast.AugAssign, known: Scalar, edits: list[NodeEdit]) -> list[NodeEdit]:
        """The edits of ``n += x``, where a NumPy integer and a float32 would give float64."""
        narrow = [in_single(known), self.narrow(statement.value)]
        binary = self.function.facts.expressions.binary
        operator = type(statement.op).__name__
        as_written = binary(operator, [known, self.value(statement.value)])
        if is_double(as_written) and not same_type(binary(operator, narrow), in_single(as_written)):
            message = f"`{ast.unparse(statement)}` adds a float to an integer of NumPy's"
            raise NotNarrowed("dtype-unknown", message, statement)
        return edits

    def _returned(self, value: ast.expr) -> list[NodeEdit]:
        """The edits of a result: to single precision, or NumPy's; memory of the caller's stays as it is."""
        if isinstance(value, ast.Tuple | ast.List):
            return [edit for each in value.elts for edit in self._returned(each)]
        if isinstance(value, ast.Dict):
            return [edit for each in value.values for edit in self._returned(each)]
        known = self.value(value)
        if isinstance(known, Unknown) and not isinstance(value, ast.Constant | ast.JoinedStr):
            raise NotNarrowed(
                "dtype-unknown", f"`{ast.unparse(value)}`: {known.because}", value, known.parameter
            )
        if is_double(known) and self._is_kept_memory(value):
            return self.raw(value)
        if not self.precision.keep_output_dtype or not holds_double(known):
            return self.expression(value)
        if not is_double(known):
            message = f"`{ast.unparse(value)}` is a tuple that is not written out"
            raise NotNarrowed("dtype-unknown", message, value)
        if self._is_written_double(value):
            return self.expression(value, cast=True) if isinstance(value, ast.Name) else self._operand(value)
        assert isinstance(known, Array | Scalar)
        assert known.dtype is not None
        return [*self.expression(value), self.cast(value, known, known.dtype)]

    def _is_kept_memory(self, value: ast.expr) -> bool:
        """Whether a result is an array of the caller's that was stored into, or one that the user names."""
        base = root(value)
        return self.is_named(value) or (isinstance(base, ast.Name) and base.id in self.callers)

    def _is_written_double(self, value: ast.expr) -> bool:
        """Whether a result is ``x.astype(np.float64)`` or ``np.float64(x)`` already."""
        if not isinstance(value, ast.Call):
            return False
        written = self.function.dotted(value.func) in ("numpy.float64", "numpy.complex128")
        return written or (isinstance(value.func, ast.Attribute) and value.func.attr == "astype")

    def _operand(self, value: ast.expr) -> list[NodeEdit]:
        assert isinstance(value, ast.Call)
        method = isinstance(value.func, ast.Attribute) and value.func.attr == "astype"
        return self.expression(value.func.value if method else value.args[0])  # type: ignore[attr-defined]

    def _check_iterated(self, target: ast.expr, iterated: ast.expr) -> None:
        if holds_double(self.value(iterated)):
            message = f"`{ast.unparse(target)}` is a part of `{ast.unparse(iterated)}` that is not supported"
            raise NotNarrowed("dtype-unknown", message, iterated)

    def _check_followed(self, statement: ast.stmt) -> None:
        """Refuse statements with values that other code reads at another time."""
        inside = (each for each in children(statement) if isinstance(each, ast.expr))
        for node in (inner for each in inside for inner in walk(each)):
            if isinstance(node, _NOT_FOLLOWED):
                message = f"`{ast.unparse(node)}` is not supported"
                raise NotNarrowed("unsupported-operation", message, node)
