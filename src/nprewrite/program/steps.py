"""Step functions in rewritten text: the arguments of their ``step`` decorator, read and written."""

from __future__ import annotations

import ast
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any

import numpy as np

from nprewrite.base.syntax import walk
from nprewrite.source.names import ModuleNames
from nprewrite.types.values import Array, Scalar, Unknown, Value, kind_of

RUNTIME = "nprewrite.runtime"
RUNTIME_ALIAS = "npr"
_NATIVE = {f"{RUNTIME}.native", f"{RUNTIME}.reduction", f"{RUNTIME}.sweep"}
_GROUPS = ("scalars", "constants", "inputs", "state", "carried", "out")


@dataclass(frozen=True)
class Box:
    """How a value reaches the step: as one ``dtype``, or as a pair of real parts of ``dtype``.

    ``typed`` is set for a number that is a NumPy scalar in the user's program, not a Python one, ``exact``
    for one that no number of a lower kind may stand for.
    """

    dtype: str
    pair: bool = False
    typed: bool = False
    exact: bool = False

    def render(self, runtime: str) -> str:
        """The box as the decorator declares it."""
        inner = f'{runtime}.pair("{self.dtype}")' if self.pair else f'"{self.dtype}"'
        if self.exact:
            return f"{runtime}.exact({inner})"
        return f"{runtime}.scalar({inner})" if self.typed else inner

    @property
    def numpy(self) -> np.dtype[Any]:
        """The dtype of the whole value; complex for a pair."""
        return np.dtype(
            {"float32": "complex64", "float64": "complex128"}[self.dtype] if self.pair else self.dtype
        )


@dataclass(frozen=True)
class NativeSpec:
    """``@npr.native``, ``@npr.reduction`` or ``@npr.sweep``; see the modules of ``nprewrite.runtime``."""

    decorator: str = "native"
    on_fallback: str = "warn"
    spent: tuple[str, ...] = ()
    sets: tuple[str, ...] = ()
    tables: tuple[str, ...] = ()
    objects: tuple[str, ...] = ()

    def render(self, runtime: str) -> str:
        """The decorator's text."""
        named = {"spent": self.spent, "sets": self.sets, "tables": self.tables, "objects": self.objects}
        arguments = [f"{key}={_literal(each, runtime)}" for key, each in named.items() if each]
        arguments += [f'on_fallback="{self.on_fallback}"'] if self.on_fallback != "warn" else []
        called = f"({', '.join(arguments)})" if arguments else ""
        return f"@{runtime}.{self.decorator}{called}"


@dataclass(frozen=True)
class StepSpec:
    """The arguments of ``@npr.step(...)``; see ``nprewrite.runtime.api.step`` for their meaning."""

    counter: str | None = None
    scalars: Mapping[str, Box] = field(default_factory=dict)
    constants: Mapping[str, Box] = field(default_factory=dict)
    sizes: tuple[str, ...] = ()
    bounds: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    inputs: Mapping[str, Box] = field(default_factory=dict)
    state: Mapping[str, Box] = field(default_factory=dict)
    carried: Mapping[str, Box] = field(default_factory=dict)
    out: Mapping[str, Box] = field(default_factory=dict)
    calls: Mapping[str, str] = field(default_factory=dict)
    received: tuple[str, ...] = ()
    given: tuple[str, ...] = ()
    apart: tuple[str, ...] = ()
    read_first: tuple[str, ...] = ()
    aligned: tuple[str, ...] = ()
    ranks: Mapping[str, int] = field(default_factory=dict)
    rotates: Mapping[str, str] = field(default_factory=dict)
    previous: Mapping[str, str] = field(default_factory=dict)
    lanewise: bool = False
    chunked: bool = False
    once: bool = False
    grows: bool = False
    picks: bool = False
    looped: bool = False
    live: str | None = None
    compile: bool = False
    on_fallback: str = "warn"

    @property
    def parameters(self) -> dict[str, Box]:
        """Everything the step takes, in the order of its parameters."""
        sizes = {name: Box("int64") for name in self.sizes}
        return {**self.scalars, **self.constants, **sizes, **self.inputs, **self.state, **self.carried}

    @property
    def results(self) -> dict[str, Box]:
        """Everything the step returns, in order, without the live mask."""
        return {**self.state, **self.carried, **self.out}

    @property
    def boxes(self) -> dict[str, Box]:
        """All boxes by name."""
        return {**self.parameters, **self.out}

    def with_boxes(self, boxes: Mapping[str, Box]) -> StepSpec:
        """The same spec with some boxes replaced."""
        groups: dict[str, Any] = {
            group: {name: boxes.get(name, box) for name, box in getattr(self, group).items()}
            for group in _GROUPS
        }
        return replace(self, **groups)

    def signature(self) -> list[str]:
        """The parameter names of the step function, pairs as two."""
        return [part for name, box in self.parameters.items() for part in parts(name, box)]

    def render(self, runtime: str) -> str:
        """The decorator's text, ``runtime`` being the name under which the runtime is imported."""
        lines: list[str] = []
        for each in fields(self):
            value = getattr(self, each.name)
            if value and value != each.default:
                # The functions that are called are names, not texts.
                text = _mapping(value) if each.name == "calls" else _literal(value, runtime)
                lines.append(f"    {each.name}={text},\n")
        return f"@{runtime}.step(\n{''.join(lines)})"


def parts(name: str, box: Box) -> list[str]:
    """The names under which a value reaches the step."""
    return [f"{name}_re", f"{name}_im"] if box.pair else [name]


def _literal(value: Any, runtime: str) -> str:
    match value:
        case Box():
            return value.render(runtime)
        case str():
            return f'"{value}"'
        case tuple():
            return "({}{})".format(
                ", ".join(_literal(each, runtime) for each in value), "," * (len(value) == 1)
            )
        case Mapping():
            return _mapping({name: _literal(each, runtime) for name, each in value.items()})
    return repr(value)


def _mapping(texts: Mapping[str, str]) -> str:
    return "{{{}}}".format(", ".join(f'"{name}": {text}' for name, text in texts.items()))


def read_step(node: ast.AST, names: ModuleNames, scope: ast.Module) -> StepSpec | None:
    """The spec of a step function; None for any other node."""
    decorator = step_decorator(node, names, scope)
    if decorator is None:
        return None
    # Tuning belongs to the runtime, and is no part of the step.
    found = {each.arg: _argument(each) for each in decorator.keywords if each.arg and each.arg != "tune"}
    return StepSpec(**found)


def step_decorator(node: ast.AST, names: ModuleNames, scope: ast.Module) -> ast.Call | None:
    """The ``@npr.step(...)`` of a step function."""
    if not isinstance(node, ast.FunctionDef):
        return None
    for decorator in node.decorator_list:
        if isinstance(decorator, ast.Call) and names.dotted(decorator.func, scope) == f"{RUNTIME}.step":
            return decorator
    return None


def is_native(node: ast.AST, names: ModuleNames, scope: ast.Module) -> bool:
    """Whether a node is a function, made of a loop of another one, for Numba to compile."""
    return isinstance(node, ast.FunctionDef) and any(
        names.dotted(each.func if isinstance(each, ast.Call) else each, scope) in _NATIVE
        for each in node.decorator_list
    )


def _argument(keyword: ast.keyword) -> Any:
    if not isinstance(keyword.value, ast.Dict) or keyword.arg not in (*_GROUPS, "calls"):
        return ast.literal_eval(keyword.value)
    keys = [ast.literal_eval(key) for key in keyword.value.keys if key is not None]
    read = ast.unparse if keyword.arg == "calls" else _box
    return dict(zip(keys, map(read, keyword.value.values), strict=True))


def _box(node: ast.expr) -> Box:
    """``"float32"``, ``npr.pair("float32")``, ``npr.scalar("float32")`` or ``npr.exact("float32")``."""
    match node:
        case ast.Call(func=ast.Attribute(attr="scalar"), args=[inner]):
            return replace(_box(inner), typed=True)
        case ast.Call(func=ast.Attribute(attr="exact"), args=[inner]):
            return replace(_box(inner), exact=True)
        case ast.Call(args=[inner]):
            return replace(_box(inner), pair=True)
    return Box(ast.literal_eval(node))


def step_values(spec: StepSpec) -> dict[str, Value]:
    """What is known of a step's parameters: boxes are exact, and guards check the shapes."""
    numbers = {**spec.scalars, **spec.constants}
    known: dict[str, Value] = {}
    for name, box in spec.parameters.items():
        for part in parts(name, box):
            known[part] = _number(part, box) if name in numbers else _array(name, box, spec)
    known.update({name: Scalar("int", symbol=name) for name in spec.sizes})
    return known


def _array(name: str, box: Box, spec: StepSpec) -> Value:
    symbol = "lanes" if spec.lanewise or name in spec.aligned else f"shape({name})"
    rank = spec.ranks.get(name)
    shape = symbol if rank is None else tuple(f"{symbol}.{axis}" for axis in range(rank))
    return Array(np.dtype(box.dtype), shape)


def _number(name: str, box: Box) -> Value:
    dtype = np.dtype(box.dtype)
    kind = kind_of(dtype)
    return Scalar(kind, dtype, symbol=name) if kind else Unknown(f"dtype {dtype} is not numeric")


def is_extracted(loop: ast.stmt, names: ModuleNames, steps: Collection[str]) -> bool:
    """Whether a loop is already run by a step: ``for n in _step.over(...)``, ``with _step.running(...)``."""
    match loop:
        case ast.For(iter=ast.NamedExpr(value=call)) | ast.For(iter=call):
            method = "over"
        case ast.With(items=[ast.withitem(context_expr=call)]):
            method = "running"
        case _:
            return False
    return (
        isinstance(call, ast.Call)
        and isinstance(call.func, ast.Attribute)
        and call.func.attr == method
        and isinstance(call.func.value, ast.Name)
        and call.func.value.id in steps
    )


def controls(node: ast.AST, steps: Collection[str]) -> frozenset[str]:
    """The generators of the loops that run through ``steps``: ``_step.over(_trips(t, T), ...)``."""
    found: set[str] = set()
    for each in walk(node):
        match each:
            case ast.Call(
                func=ast.Attribute(value=ast.Name(id=step), attr="over"),
                args=[ast.Call(func=ast.Name(id=name))],
            ) if step in steps:
                found.add(name)
    return frozenset(found - {"range"})
