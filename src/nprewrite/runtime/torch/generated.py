"""What Inductor generates for a graph, taken apart: kernels in C++, and the Python code that calls them.

Its code calls the kernels on tensors. Where nothing else is called, the same calls are written down
for NumPy's arrays.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from nprewrite.runtime.torch.package import is_contiguous

_LETTERS = {"const int64_t": "i", "int64_t": "i", "const double": "d", "const float": "f"}
_CHECKS = ("assert_size_stride", "assert_alignment")
_DTYPES = frozenset(np.dtype(each).name for each in "?bhiqBHIQfdFD")
_SIMPLE = (
    *(ast.Name, ast.Constant, ast.Subscript, ast.BinOp, ast.UnaryOp),
    *(ast.operator, ast.unaryop, ast.expr_context),
)


class NotPackaged(RuntimeError):
    """Generated code is not of a form that is known."""


@dataclass(frozen=True)
class Kernel:
    """One kernel: the C++ types of its parameters and its text, which defines a function ``kernel``."""

    parameters: tuple[str, ...]
    text: str

    @property
    def letters(self) -> str:
        """The kinds of its parameters; see ``package.Plan``."""
        return "".join("p" if each.endswith("*") else _LETTERS[each] for each in self.parameters)


@dataclass(frozen=True)
class Generated:
    """``inputs`` are the names under which ``body`` reads the graph's inputs, in their order."""

    kernels: dict[str, Kernel]
    inputs: tuple[str, ...]
    body: tuple[ast.stmt, ...]


def taken_apart(source: str) -> Generated:
    """The parts of a generated module. Raises ``NotPackaged``."""
    tree = ast.parse(source)
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and node.name == "call"]
    if len(functions) != 1:
        raise NotPackaged(f"{len(functions)} functions `call`")
    body = _without_checks(functions[0].body)
    # A graph without inputs takes none out of the list.
    inputs = _unpacked(body[0]) if body else []
    return Generated(dict(_kernels(tree)), tuple(inputs), tuple(body[1:] if inputs else body))


def _kernels(tree: ast.Module) -> Iterator[tuple[str, Kernel]]:
    for node in tree.body:
        match node:
            case ast.Assign(
                targets=[ast.Name(name)],
                value=ast.Call(
                    func=ast.Attribute(attr="cpp_pybinding"), args=[types, ast.Constant(str(text))]
                ),
            ):
                yield name, Kernel(tuple(ast.literal_eval(types)), text)


def _without_checks(body: Sequence[ast.stmt]) -> list[ast.stmt]:
    """The statements but for those that look at what ``Plan.text`` has been asked about already."""
    return [node for node in body if not _is_check(node)]


def _is_check(node: ast.stmt) -> bool:
    match node:
        case ast.Expr(ast.Call(func=ast.Name(name))):
            return name in _CHECKS
        case ast.Expr(ast.Call(func=ast.Attribute(ast.Name("args"), "clear"))):
            return True
    return False


def _unpacked(node: ast.stmt) -> list[str]:
    match node:
        case ast.Assign(targets=[ast.Tuple(names)], value=ast.Name("args")):
            return [each.id for each in names if isinstance(each, ast.Name)]
    return []


def operations(generated: Generated) -> tuple[str, ...]:
    """What the code calls besides its kernels and the functions that make memory, by torch's short names."""
    known = {"empty_strided_cpu", "reinterpret_tensor", "device", *generated.kernels}
    calls = [node for part in generated.body for node in ast.walk(part) if isinstance(node, ast.Call)]
    names = [ast.unparse(each.func) for each in calls]
    called = [name for name in names if name not in known and not name.endswith(".size")]
    return tuple(dict.fromkeys(map(_short, called)))


def _short(name: str) -> str:
    """``sort`` for ``torch.ops.aten.sort.stable``, ``mm`` for ``extern_kernels.mm``."""
    return name.removeprefix("torch.ops.").split(".")[:2][-1].strip("_")


class NumpyText:
    """The statements of generated code on NumPy's arrays. Raises ``NotPackaged``.

    A part of memory may be read under another shape (``reinterpret_tensor``). NumPy makes such an array
    from the one that owns the memory, which therefore keeps a name as long as there are others in it.
    """

    def __init__(self, generated: Generated) -> None:
        self._kernels = generated.kernels
        self._owners = {name: name for name in generated.inputs}
        self.lines = [line for node in generated.body for line in self._statement(node)]

    def _statement(self, node: ast.stmt) -> Iterator[str]:
        match node:
            case ast.Assign(targets=[ast.Name(name)], value=value):
                yield from self._assigned(name, value)
            case ast.Expr(ast.Call(func=ast.Name(name), args=given, keywords=[])) if name in self._kernels:
                yield f"{name}({', '.join(map(self._argument, given))})"
            case ast.Expr(ast.Call(func=ast.Attribute(ast.Name("extern_kernels"), name)) as call):
                yield self._product(name, call)
            case ast.Delete(targets):
                names = [each.id for each in targets if isinstance(each, ast.Name)]
                yield f"del {', '.join(n for name in names for n in self._names(name))}"
            case ast.Return(ast.Tuple(values)):
                yield f"return ({''.join(f'{self._result(each)}, ' for each in values)})"
            case _:
                raise NotPackaged(ast.unparse(node))

    def _names(self, name: str) -> list[str]:
        """The variables that go with a name."""
        owner = self._owners.get(name, name)
        return [name] if owner == name else [name, owner]

    def _assigned(self, name: str, value: ast.expr) -> Iterator[str]:
        match value:
            case ast.Call(func=ast.Name("empty_strided_cpu"), args=[size, stride, dtype]):
                self._owners[name] = name
                yield f"{name} = {_empty(size, stride, _dtype(dtype))}"
            case ast.Call(func=ast.Name("reinterpret_tensor")):
                memory = self._owners[f"{name}_memory"] = self._memory(value)
                yield f"{name}_memory = {memory}"
                yield f"{name} = {self._array(value)}"
                self._owners[name] = f"{name}_memory"
            case ast.Name(other) if self._owners.get(other, other) != other:
                yield f"{name}_memory = {self._owners[other]}"
                yield f"{name} = {other}"
                self._owners[name] = f"{name}_memory"
            case ast.Call(func=ast.Attribute(ast.Name(array), "size"), args=[]):
                yield f"{name} = {array}.shape"
            case _ if _is_number_or_name(value):
                self._owners[name] = name
                yield f"{name} = {ast.unparse(value)}"
            case _:
                raise NotPackaged(ast.unparse(value))

    def _product(self, name: str, call: ast.Call) -> str:
        """A product of matrices, which NumPy has a BLAS for as well."""
        options = {str(each.arg): each.value for each in call.keywords}
        out = self._array(options.pop("out"))
        arrays = [self._array(each) for each in call.args]
        if name in ("mm", "bmm") and not options:
            return f"np.matmul({arrays[0]}, {arrays[1]}, out={out})"
        if name == "addmm" and all(ast.unparse(each) == "1" for each in options.values()):
            return f"np.add({arrays[0]}, np.matmul({arrays[1]}, {arrays[2]}), out={out})"
        raise NotPackaged(ast.unparse(call))

    def _memory(self, value: ast.expr) -> str:
        """The variable of the array that owns the memory in which a value lies."""
        match value:
            case ast.Name(name):
                return self._owners.get(name, name)
            case ast.Call(func=ast.Name("reinterpret_tensor"), args=[ast.Name(name), *_]):
                return self._owners.get(name, name)
        raise NotPackaged(ast.unparse(value))

    def _array(self, value: ast.expr) -> str:
        match value:
            case ast.Name(name):
                return name
            case ast.Call(func=ast.Name("reinterpret_tensor"), args=[_, size, stride, offset]):
                places = ", ".join(map(ast.unparse, (size, stride, offset)))
                return f"view({self._memory(value)}, {places})"
        raise NotPackaged(ast.unparse(value))

    def _result(self, value: ast.expr) -> str:
        return repr(value.value) if isinstance(value, ast.Constant) else self._array(value)

    def _argument(self, value: ast.expr) -> str:
        match value:
            case ast.Call(func=ast.Name("reinterpret_tensor"), args=[*_, ast.Constant(0)]):
                # A kernel is only told where the memory begins.
                return self._memory(value)
            case ast.Call():
                return self._array(value)
            case _ if _is_number_or_name(value):
                return ast.unparse(value)
        raise NotPackaged(ast.unparse(value))


def _is_number_or_name(value: ast.expr) -> bool:
    return all(isinstance(node, _SIMPLE) for node in ast.walk(value))


def _dtype(node: ast.expr) -> str:
    match node:
        case ast.Attribute(ast.Name("torch"), name) if name in _DTYPES:
            return name
    raise NotPackaged(ast.unparse(node))


def _empty(size: ast.expr, stride: ast.expr, dtype: str) -> str:
    if _is_contiguous(size, stride):
        return f"np.empty({ast.unparse(size)}, {dtype!r})"
    return f"empty({ast.unparse(size)}, {ast.unparse(stride)}, {dtype!r})"


def _is_contiguous(size: ast.expr, stride: ast.expr) -> bool:
    """Whether literal strides are those of an array in C order; False where they are not literal."""
    try:
        return is_contiguous(ast.literal_eval(size), ast.literal_eval(stride))
    except ValueError:
        return ast.unparse(stride) == "(1,)"
