"""From a step to a package: traced and compiled by torch.compile, in the process that compiles."""

from __future__ import annotations

import ast
import math
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest.mock import patch

import sympy
import torch
import torch.fx
from torch.fx.experimental.symbolic_shapes import ShapeEnv

from nprewrite.runtime.torch.generated import (
    Generated,
    Kernel,
    NotPackaged,
    operations,
    taken_apart,
)
from nprewrite.runtime.torch.numpy_text import Known, NumpyText
from nprewrite.runtime.torch.package import OUT_OF_RANGE, Plan
from nprewrite.runtime.torch.private import (
    AsyncCompile,
    FakeTensorMode,
    PythonPrinter,
    codecache,
    compile_fx,
    compile_fx_inner,
    detect_fake_mode,
    dynamic_axes,
)

Tensor = Any
_PREFIX = "#include <torch/csrc/inductor/cpp_prefix.h>"
# How Dynamo names the length of one of a function's arguments.
_LENGTH = re.compile(r"L\['tensors'\]\[(\d+)\]\.size\(\)\[(\d+)\]")
_CHECK = """
// A position is checked in a loop before its element is read. An exception may not leave a thread.
#undef TORCH_CHECK
#define TORCH_CHECK(condition, ...) \\
    if (!(condition)) { \\
        out_of_range.store(1, std::memory_order_relaxed); \\
        continue; \\
    }
"""
_KERNEL = re.compile(r'extern "C"\s+void\s+kernel\(')
# An object of Python begins with what all objects have; an array's next field is where its elements are.
_HEAD = object.__basicsize__


def packed(
    function: Callable[..., Any], tensors: Sequence[Tensor], options: dict[str, Any]
) -> tuple[Plan, Path]:
    """Compile a function of tensors, and return the plan and the library of its kernels.

    Raises what torch.compile does, and ``NotPackaged``.
    """
    seen = _Compilation(options)
    compiled = torch.compile(function, fullgraph=True, backend=seen.backend)
    with torch.no_grad(), patch.object(AsyncCompile, "cpp_pybinding", lambda *_: None):
        dtypes, same_shape, rest = compiled(*tensors)
    graph = seen.graph()
    generated = taken_apart(graph.source)
    named = _Named(graph, tensors)
    calls: tuple[str, ...] = ()
    try:
        lines = NumpyText(generated, _known(generated, graph)).lines
    except NotPackaged as problem:
        lines = [ast.unparse(node) for node in generated.body]
        calls = operations(generated) or (str(problem),)
    text = "\n".join([*named.fits(), *_call(generated, named, rest, lines, torch_objects=bool(calls))])
    library = _built(generated.kernels, torch_objects=bool(calls))
    plan = Plan(
        text,
        {name: kernel.letters for name, kernel in generated.kernels.items()},
        tuple(named.required()),
        dict(_constants(graph.constants)),
        dtypes,
        same_shape,
        b"Sleef_" in library.read_bytes(),
        calls,
    )
    return plan, library


@dataclass(frozen=True)
class _Graph:
    """A compiled graph of tensors: its code, and what went in and came out when it was called.

    ``lengths`` are the places of the lengths that are inputs, by their symbols.
    """

    source: str
    constants: dict[str, Tensor]
    placeholders: list[Any]
    environment: ShapeEnv | None
    lengths: dict[str, str]
    inputs: list[Any]
    outputs: list[Any]


class _Compilation:
    """A backend of torch.compile that keeps what Inductor generates, and whose graphs compute nothing.

    Which of the function's arguments and results are the graph's is seen from one call, by identity.
    """

    def __init__(self, options: dict[str, Any]) -> None:
        # A graph that Inductor finds in its own cache would not be generated.
        self._options = {**options, "fx_graph_cache": False}
        self._graphs: list[_Graph] = []
        self._lengths: dict[str, str] = {}

    def backend(self, module: Any, examples: Sequence[Any]) -> Any:
        for node in module.graph.find_nodes(op="placeholder"):
            found = _LENGTH.fullmatch(node.meta["grapharg"].source.name)
            if found:
                self._lengths[str(node.meta["example_value"])] = "t{}.shape[{}]".format(*found.groups())
        return compile_fx(module, examples, inner_compile=self._inner, config_patches=self._options)

    def graph(self) -> _Graph:
        if len(self._graphs) != 1:
            raise NotPackaged(f"{len(self._graphs)} graphs")
        return self._graphs[0]

    def _inner(self, module: Any, examples: Sequence[Any], **options: Any) -> Any:
        compiled: Any = compile_fx_inner(module, examples, **options)
        modes = detect_fake_mode(examples)
        (results,) = module.graph.output_node().args
        graph = _Graph(
            compiled.source_code,
            dict(compiled.constants or {}),
            [node.meta["val"] for node in module.graph.find_nodes(op="placeholder")],
            modes.shape_env if modes is not None else None,
            self._lengths,
            [],
            [],
        )
        self._graphs.append(graph)

        def called(inputs: list[Any]) -> list[Any]:
            graph.inputs.extend(inputs)
            graph.outputs.extend(map(_stand_in, results))
            return graph.outputs

        called._boxed_call = True  # type: ignore[attr-defined]
        return called


def _stand_in(result: Any) -> Any:
    """What is returned in place of a graph's result: a tensor of its own, or the answer about lengths."""
    value = result.meta["val"] if isinstance(result, torch.fx.Node) else result
    if not isinstance(value, torch.Tensor):
        return bool(value)
    # Of the result's own form, because torch makes the views of it that are returned too; nothing is written.
    lengths = [each if isinstance(each, int) else each.node.hint for each in (*value.shape, *value.stride())]
    shape, strides = lengths[: value.ndim], lengths[value.ndim :]
    return torch.empty_strided(shape, strides, dtype=value.dtype)


class _Named:
    """The graph's inputs in terms of the function's tensors, ``t0`` and so on, and the shapes they need."""

    def __init__(self, graph: _Graph, tensors: Sequence[Tensor]) -> None:
        self.graph = graph
        self._tensors = tensors
        self._environment = graph.environment
        # The place of each length that varies, by its symbol.
        self._places = dict(graph.lengths)
        for given, value in zip(graph.inputs, graph.placeholders, strict=True):
            for axis, length in enumerate(getattr(value, "shape", ())):
                self._places.setdefault(str(length), f"t{self._number(given)}.shape[{axis}]")
        self.inputs = [
            f"t{self._number(given)}" if isinstance(value, torch.Tensor) else self._text(value)
            for given, value in zip(graph.inputs, graph.placeholders, strict=True)
        ]

    @property
    def parameters(self) -> str:
        return ", ".join(f"t{number}" for number in range(len(self._tensors)))

    def result(self, tensor: Tensor, *, torch_objects: bool) -> str:
        """The text of one of the step's results, where ``found`` are the graph's. Raises ``NotPackaged``."""
        ending = ".numpy()" if torch_objects else ""
        places = [(f"found[{number}]{ending}", each) for number, each in enumerate(self.graph.outputs)]
        places += [(f"t{number}", each) for number, each in enumerate(self._tensors)]
        tensors = [(name, each) for name, each in places if isinstance(each, torch.Tensor)]
        for name, each in tensors:
            if each is tensor:
                return name
        memory = tensor.untyped_storage().data_ptr()
        for name, each in tensors:
            same = each.untyped_storage().data_ptr() == memory and each.dtype == tensor.dtype
            if same and memory and not self.graph.lengths:
                return f"view({name}, {tuple(tensor.shape)}, {tensor.stride()}, {tensor.storage_offset()})"
        raise NotPackaged("a result that is a view of another, of lengths that vary or as another dtype")

    def fits(self) -> Iterator[str]:
        """The function that tells whether arrays have shapes for which the graph was made."""
        yield f"def fits({self.parameters}):"
        yield f"    return {' and '.join([*self._fixed(), *self.required()]) or 'True'}"

    def _fixed(self) -> Iterator[str]:
        for name, shape in self._shapes():
            if all(isinstance(length, int) for length in shape):
                yield f"{name}.shape == {tuple(shape)}"
            else:
                yield f"{name}.ndim == {len(shape)}"

    def required(self) -> Iterator[str]:
        """What the graph requires of lengths that may vary."""
        for name, shape in self._shapes():
            if not all(isinstance(length, int) for length in shape):
                places = [f"{name}.shape[{axis}]" for axis in range(len(shape))]
                texts = [self._text(length) for length in shape]
                yield from (f"{a} == {b}" for a, b in zip(places, texts, strict=True) if a != b)
        if self._environment is not None:
            yield from self._ranges(self._environment)
            found = [self._environment.simplify(guard.expr) for guard in self._environment.guards]
            yield from (f"({self._printed(each)})" for each in dict.fromkeys(found) if each != sympy.true)

    def _ranges(self, environment: ShapeEnv) -> Iterator[str]:
        for symbol, bounds in environment.var_to_range.items():
            place = self._places.get(str(symbol))
            if place is None:
                continue
            yield f"{place} >= {bounds.lower}"
            if isinstance(bounds.upper, sympy.Integer):
                yield f"{place} <= {bounds.upper}"

    def _shapes(self) -> Iterator[tuple[str, Sequence[Any]]]:
        """The shapes of the function's tensors; of one that the graph does not read, where it is given."""
        used = dict(zip(self.inputs, self.graph.placeholders, strict=True))
        for number, tensor in enumerate(self._tensors):
            name = f"t{number}"
            if name in used:
                yield name, used[name].shape
            elif not dynamic_axes(tensor):
                yield name, tensor.shape

    def _text(self, length: Any) -> str:
        if isinstance(length, int) or self._environment is None:
            return str(int(length))
        return self._printed(self._environment.simplify(length.node.expr))

    def _printed(self, expression: Any) -> str:
        """An expression of SymPy's, with places for its symbols."""
        text = str(PythonPrinter().doprint(expression))
        return re.sub(r"\b[A-Za-z_]\w*", lambda name: self._places.get(name[0], name[0]), text)

    def _number(self, given: Any) -> int:
        for number, tensor in enumerate(self._tensors):
            if tensor is given:
                return number
        raise NotPackaged("an input or a result that is neither an argument nor computed")


def _known(generated: Generated, graph: _Graph) -> dict[str, Known]:
    """What is known of the arrays in generated code, which is run on tensors without elements."""
    found: dict[str, Known] = {}

    def note(name: str, value: Any) -> None:
        if isinstance(value, torch.Tensor):
            found[name] = Known(str(value.dtype).removeprefix("torch."), value.ndim)

    if not generated.layouts:
        return found
    with FakeTensorMode() as mode:
        names: dict[str, Any] = {
            "torch": torch,
            "device": torch.device,
            "inf": math.inf,
            "nan": math.nan,
            "empty_strided_cpu": lambda size, stride, dtype: torch.empty_strided(size, stride, dtype=dtype),
            "reinterpret_tensor": torch.as_strided,
        }
        given = [*zip(generated.inputs, graph.inputs, strict=True), *graph.constants.items()]
        for name, value in given:
            names[name] = mode.from_tensor(value) if isinstance(value, torch.Tensor) else value
            note(name, value)
        for node in generated.body:
            if isinstance(node, ast.Assign):
                exec(ast.unparse(node), names)
                name = ast.unparse(node.targets[0])
                note(name, names.get(name))
    return found


def _call(
    generated: Generated, named: _Named, rest: Sequence[Tensor], lines: Sequence[str], *, torch_objects: bool
) -> Iterator[str]:
    """The functions that run the graph, and pick from its results those that the step returns."""
    yield f"def graph({', '.join(generated.inputs)}):"
    yield from (f"    {line}" for line in lines)
    yield f"def call({named.parameters}):"
    inputs = ", ".join(
        f"tensor({each})" if torch_objects and each.isidentifier() else each for each in named.inputs
    )
    yield f"    found = graph({inputs})"
    results = [named.result(each, torch_objects=torch_objects) for each in rest]
    yield f"    return ({''.join(f'{each}, ' for each in results)})"


def _constants(constants: dict[str, Tensor]) -> Iterator[tuple[str, tuple[str, list[int], str]]]:
    for name, value in constants.items():
        array = value.detach().contiguous().numpy()
        yield name, (array.dtype.name, list(array.shape), array.tobytes().hex())


class _Library(codecache.CppCodeCache):  # type: ignore[misc]
    """Compiles the kernels of a graph as Inductor compiles each, with its header compiled before."""

    cache: dict[str, Any] = {}  # noqa: RUF012 (as the class above has it)
    cpp_compile_command_flags = {"include_pytorch": False, "shared": True}  # noqa: RUF012

    @classmethod
    def _get_uncompiled_header(cls, device: str) -> str | None:
        header: str | None = codecache._get_cpp_prefix_header(device)
        return header


def _built(kernels: dict[str, Kernel], *, torch_objects: bool) -> Path:
    """The library of the kernels, each behind a function ``run_NAME`` that returns 0 where all went well."""
    address = "(o)" if torch_objects else f"(*(void**)((char*)(o) + {_HEAD}))"
    head = [_PREFIX, "#include <exception>", f"#define MEMORY(T, o) ((T){address})", _CHECK]
    parts = [line for name, kernel in kernels.items() for line in _entry(name, kernel)]
    # Torch's own library is only needed where a kernel calls it.
    flags = ("-Wl,--as-needed",) if sys.platform == "linux" else ()
    library = _Library.load("\n".join([*head, *parts]), extra_flags=flags)
    return Path(library._name)


def _entry(name: str, kernel: Kernel) -> Iterator[str]:
    body = kernel.text.replace(_PREFIX, "")
    text, found = _KERNEL.subn(f"static void kernel_{name}(std::atomic<int>& out_of_range, ", body)
    if found != 1:
        raise NotPackaged(f"the kernel {name} is not one function")
    yield text
    pointer = [each.endswith("*") for each in kernel.parameters]
    declared = [f"void* a{n}" if p else f"{kernel.parameters[n]} a{n}" for n, p in enumerate(pointer)]
    given = [f"MEMORY({kernel.parameters[n]}, a{n})" if p else f"a{n}" for n, p in enumerate(pointer)]
    threads = torch.get_num_threads()
    yield f"""
extern "C" int run_{name}({", ".join(declared)}) {{
    // The kernel was generated for this number of threads; the program may have asked for another.
    const int threads = omp_get_max_threads();
    omp_set_num_threads({threads});
    int failed = 0;
    std::atomic<int> out_of_range{{0}};
    try {{
        kernel_{name}({", ".join(["out_of_range", *given])});
    }} catch (const std::exception&) {{
        failed = 1;
    }}
    omp_set_num_threads(threads);
    return out_of_range ? {OUT_OF_RANGE} : failed;
}}"""
