"""The calls of a function in single precision: constructors, reductions, ufuncs, and unknown functions."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Any

import numpy as np

from nprewrite.analysis.caller_arrays import root
from nprewrite.emit.single_precision.expressions import Narrowing, NotNarrowed
from nprewrite.numpy_api.creation import creation
from nprewrite.numpy_api.effects import changes_its_array, changes_its_first
from nprewrite.numpy_api.elementwise import elementwise
from nprewrite.numpy_api.functions import array_function
from nprewrite.numpy_api.methods import METHODS
from nprewrite.numpy_api.python import python_function
from nprewrite.source.edits import NodeEdit, Replace, Wrap
from nprewrite.source.nodes import expression, with_keyword
from nprewrite.types import array_functions, constructors
from nprewrite.types.single_precision import double, holds_double, in_single, is_double, same_type, single
from nprewrite.types.values import Array, DtypeValue, Items, Scalar, Unknown, Value


class CallNarrowing(Narrowing):
    """Edits for expressions with the calls in them."""

    def call(self, node: ast.Call, wide: bool, cast: bool) -> list[NodeEdit]:
        """The edits of a call."""
        dotted = self.function.dotted(node.func)
        method = node.func if dotted is None and isinstance(node.func, ast.Attribute) else None
        if any(each.arg is None for each in node.keywords) or any(
            isinstance(each, ast.Starred) for each in node.args
        ):
            return self._unknown(node, wide, cast)
        if method is not None and isinstance(self.value(method.value), Array | Scalar):
            return self._method(node, method, wide, cast)
        builtin = python_function(dotted)
        if (builtin is not None and not builtin.holds) or (dotted or "").startswith("math."):
            return self._builtin(node, dotted or "", wide)
        if dotted is None or not dotted.startswith("numpy."):
            return self._unknown(node, wide, cast)
        short = dotted.removeprefix("numpy.")
        out = next((each.value for each in node.keywords if each.arg == "out"), None)
        if out is not None or changes_its_first(short):
            return self._stored(node, out, wide)
        converted = constructors.dtype_named(dotted)
        if converted is not None:
            return self._converted(node, converted, wide)
        if elementwise(dotted) is not None and not node.keywords:
            expressions = self.function.facts.expressions
            return self.operation(node, node.args, lambda known: expressions.apply(dotted, known), wide, cast)
        if short == "where" and len(node.args) == 3 and not node.keywords:
            return [
                *self.expression(node.args[0], wide),
                *self.operation(node, node.args[1:], _chosen, wide, cast),
            ]
        return self._function(node, short, node.args, wide, cast)

    def _method(self, node: ast.Call, method: ast.Attribute, wide: bool, cast: bool) -> list[NodeEdit]:
        """``x.sum()``, ``x.astype(float)``, ``x.fill(0)``."""
        name, receiver = method.attr, method.value
        if name == "setflags" or changes_its_array(name):
            return [*self.raw(receiver), *self._arguments(node.args, wide), *self._keywords(node, wide)]
        if name == "astype":
            return self._astype(node, receiver, wide)
        known = METHODS.get(name)
        kept = known is not None and known.gives in ("number", "list", "copy", "conjugate")
        if kept or array_function(name) is not None:
            return self._function(node, name, [receiver, *node.args], wide, cast)
        if name == "clip" and not node.keywords:
            apply = self.function.facts.expressions.apply
            operands = [receiver, *node.args]
            return self.operation(node, operands, lambda known: apply("numpy.clip", known), wide, cast)
        return self._unknown(node, wide, cast)

    def _builtin(self, node: ast.Call, dotted: str, wide: bool) -> list[NodeEdit]:
        known, builtin = self.value(node), python_function(dotted)
        if (
            isinstance(known, Unknown)
            and builtin is not None
            and builtin.folds
            and any(holds_double(self.value(each)) for each in node.args)
        ):
            raise NotNarrowed("dtype-unknown", f"`{ast.unparse(node)}`: {known.because}", node)
        if dotted == "builtins.len":
            return self.raw(node.args[0]) if node.args else []
        return [*self._arguments(node.args, wide), *self._keywords(node, wide)]

    def _converted(self, node: ast.Call, dtype: np.dtype[Any], wide: bool) -> list[NodeEdit]:
        """``np.float64(x)``; the operand of ``np.float32(...)`` is cast as it stands."""
        narrowing = single(dtype) != dtype and not wide
        edits = [edit for each in node.args for edit in self.expression(each, wide, cast=not wide)]
        if narrowing:
            edits.append(Replace(node.func, (expression(f"{self.numpy}.{single(dtype)}"),)))
        return edits

    def _astype(self, node: ast.Call, receiver: ast.expr, wide: bool) -> list[NodeEdit]:
        """The edits of a cast, which is needed as it is written, whatever the array's memory."""
        edits = self.expression(receiver, wide, cast=not wide and is_double(self.value(receiver)))
        asked = node.args[:1] or [each.value for each in node.keywords if each.arg == "dtype"]
        return edits if wide else edits + self._dtypes(asked)

    def _function(
        self, node: ast.Call, short: str, operands: Sequence[ast.expr], wide: bool, cast: bool
    ) -> list[NodeEdit]:
        """The edits of a NumPy function or method of whole arrays, or of a constructor."""
        edits = [*self._arguments(operands, wide), *self._keywords(node, wide)]
        value, given = self.value(node), [self.value(each) for each in operands]
        if isinstance(value, Unknown):
            text = isinstance(node.func, ast.Attribute) and node.func.attr == "tolist"
            if not text and any(holds_double(each) or isinstance(each, Unknown) for each in given):
                raise NotNarrowed(
                    "dtype-unknown", f"`{ast.unparse(node)}`: {value.because}", node, value.parameter
                )
            return edits
        if wide:
            return edits
        if isinstance(value, Items) and not self._same(node, short, operands):
            raise NotNarrowed("dtype-unknown", f"`{ast.unparse(node)}` gives several arrays of float64", node)
        if not is_double(value):
            return edits
        accumulated = self._accumulator(node, short, given)
        if accumulated is not None:
            edits += accumulated
            return edits if cast else self.narrowed(node, edits)
        dtypes = self._dtypes([each.value for each in node.keywords if each.arg == "dtype"])
        if not dtypes and len(operands) > 1 and isinstance(self.value(operands[-1]), DtypeValue):
            dtypes = self._dtypes(operands[-1:])
        if dtypes:
            return edits + dtypes
        if cast or self._same(node, short, operands):
            return edits
        made = creation(f"numpy.{short}")
        if (
            made is not None
            and made.takes_dtype
            and not any(is_double(each) for each in given if short == "asarray")
        ):
            assert isinstance(value, Array)
            return [*edits, self._with_dtype(node, single(value.dtype))]
        return self.narrowed(node, edits)

    def _accumulator(self, node: ast.Call, short: str, given: Sequence[Value]) -> list[NodeEdit] | None:
        """The edits that give a reduction of floats its accumulator's dtype; None where that is the default.

        Selected elements (``x[m].sum()``) get none: later passes only recognize such reductions as they are.
        """
        model = given[0] if given else None
        line = array_function(short)
        if line is None or not line.accumulates or self.precision.accumulate != "float64":
            return None
        if not isinstance(model, Array) or model.dtype.kind not in "fc" or model.under is not None:
            return None
        written = any(each.arg == "dtype" for each in node.keywords)
        return [] if written else [self._with_dtype(node, double(single(model.dtype)))]

    def _same(self, node: ast.Call, short: str, operands: Sequence[ast.expr]) -> bool:
        """Whether NumPy itself gives single precision for operands of single precision."""
        value, known = self.value(node), [self.narrow(each) for each in operands]
        keywords = {each.arg: self.narrow(each.value) for each in node.keywords if each.arg}
        place = f"@{node.lineno}:{node.col_offset}"
        method = len(operands) > len(node.args)
        if method and short in METHODS and METHODS[short].gives in ("copy", "conjugate"):
            return True
        if array_function(short) is not None:
            found = array_functions.call(short, known, keywords, node, method=method)
        else:
            found = constructors.construct(f"numpy.{short}", known, keywords, place)
        return _same_types(found, in_single(value))

    def _stored(self, node: ast.Call, out: ast.expr | None, wide: bool) -> list[NodeEdit]:
        """The edits of ``np.add(a, b, out=c)`` and ``np.copyto(c, a)``, which cast what they store."""
        target = out if out is not None else node.args[0] if node.args else None
        if target is None or not isinstance(target, ast.Name | ast.Subscript | ast.Attribute):
            return self._unknown(node, wide, cast=False)
        arguments = [each for each in node.args if each is not target]
        keywords = [
            each.value for each in node.keywords if each.value is not target and each.arg != "casting"
        ]
        return [*self.raw(target), *self._arguments([*arguments, *keywords], wide)]

    def _unknown(self, node: ast.Call, wide: bool, cast: bool) -> list[NodeEdit]:
        """The edits of a call of an unknown function, which may change its arguments and keep them."""
        dotted = self.function.dotted(node.func)
        if dotted is not None and dotted.startswith(".") and not node.keywords:
            return self._own(node, dotted.removeprefix("."), wide, cast)
        receiver = [node.func.value] if dotted is None and isinstance(node.func, ast.Attribute) else []
        parts = [*receiver, *node.args, *(each.value for each in node.keywords)]
        taken = next((each for each in parts if holds_double(self.value(each))), None)
        unclear = [known for each in node.args if isinstance(known := self.value(each), Unknown)]
        waiting = next((each.parameter for each in unclear if each.parameter), None)
        if taken is not None or waiting is not None:
            what = ast.unparse(taken) if taken is not None else waiting
            message = f"`{ast.unparse(node.func)}` may keep or change `{what}`, or compute in float64"
            raise NotNarrowed("unknown-call", message, node, waiting if taken is None else None)
        edits = [*self._arguments(node.args, wide), *self._keywords(node, wide)]
        if wide or cast or not is_double(self.value(node)):
            return edits
        return self.narrowed(node, edits)

    def _own(self, node: ast.Call, name: str, wide: bool, cast: bool) -> list[NodeEdit]:
        """The edits of a call within the module; arrays whose memory stays float64 are passed as they are."""
        if wide:
            return self._arguments(node.args, wide)
        edits: list[NodeEdit] = []
        known: list[Value] = []
        for each in node.args:
            kept = isinstance(root(each), ast.Name) and self.reads_double(each)
            edits += self.raw(each) if kept else self.expression(each)
            known.append(self.value(each) if kept else self.narrow(each))
        value, found = self.value(node), self.function.module.call(name, known)
        if isinstance(found, Unknown) or isinstance(value, Unknown):
            because = found.because if isinstance(found, Unknown) else value.because  # type: ignore[union-attr]
            raise NotNarrowed("unknown-call", f"`{name}`: {because}", node)
        if cast or not is_double(value) or same_type(found, in_single(value)):
            return edits
        return self.narrowed(node, edits)

    def _arguments(self, nodes: Sequence[ast.expr], wide: bool) -> list[NodeEdit]:
        given = [each for each in nodes if not isinstance(self.value(each), DtypeValue)]
        return self.each(given, wide)

    def _keywords(self, node: ast.Call, wide: bool) -> list[NodeEdit]:
        return self._arguments([each.value for each in node.keywords], wide)

    def _dtypes(self, nodes: Sequence[ast.expr]) -> list[NodeEdit]:
        """The edits that replace dtypes of double precision among arguments."""
        edits: list[NodeEdit] = []
        for each in nodes:
            value = self.value(each)
            if isinstance(value, DtypeValue) and single(value.dtype) != value.dtype:
                edits.append(Replace(each, (expression(f"{self.numpy}.{single(value.dtype)}"),)))
        return edits

    def _with_dtype(self, node: ast.Call, dtype: np.dtype[Any]) -> Wrap:
        """A call with ``dtype`` as its last argument."""
        return Wrap(node, lambda made: with_keyword(made, "dtype", expression(f"{self.numpy}.{dtype}")))


def _chosen(known: list[Value]) -> Value:
    """What ``np.where(m, x, y)`` gives for ``x`` and ``y``; only the dtype matters."""
    chosen = [each for each in known if isinstance(each, Array | Scalar)]
    if len(chosen) < 2:
        return Unknown("`np.where` of these operands")
    kinds = [each.dtype if isinstance(each, Array) else each.promoting for each in chosen]
    return Array(np.result_type(*kinds))


def _same_types(found: Value, wanted: Value) -> bool:
    if isinstance(found, Items) and isinstance(wanted, Items):
        pairs = zip(found.values, wanted.values, strict=False)
        return len(found.values) == len(wanted.values) and all(_same_types(*pair) for pair in pairs)
    return same_type(found, wanted)
