"""Generated code, written down for NumPy's arrays."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from nprewrite.base.syntax import walk
from nprewrite.runtime.torch import operations
from nprewrite.runtime.torch.generated import Generated, NotPackaged
from nprewrite.runtime.torch.package import is_contiguous

_DTYPES = frozenset(np.dtype(each).name for each in "?bhiqBHIQfdFD")
_SIMPLE = (
    *(ast.Name, ast.Constant, ast.Subscript, ast.BinOp, ast.UnaryOp),
    *(ast.operator, ast.unaryop, ast.expr_context),
)


@dataclass(frozen=True)
class Known:
    """What is known of an array: its dtype, and the number of its axes."""

    dtype: str
    rank: int


class NumpyText:
    """The statements of generated code on NumPy's arrays. Raises ``NotPackaged``.

    A part of memory may be read under another shape (``reinterpret_tensor``). NumPy makes such an array
    from the one that owns the memory, which therefore keeps a name as long as there are others in it.

    ``known`` are the arrays that names stand for, as far as torch tells without computing anything.
    """

    def __init__(self, generated: Generated, known: Mapping[str, Known]) -> None:
        self._kernels = generated.kernels
        self._layouts = generated.layouts
        self._known = known
        # Of operations without kernels: the variables of their parts, and memory that is read anew.
        self._parts: dict[str, dict[int | None, str]] = {}
        self._views: set[str] = set()
        self._read = {ast.unparse(each) for part in generated.body for each in walk(part)}
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
            case ast.Expr(ast.Call(ast.Attribute(ast.Name(target), "copy_"), [source, *_])):
                yield f"np.copyto({target}, {self._array(source)}, casting='unsafe')"
            case ast.Expr(ast.Call(function)) if operations.name_of(function) in operations.CHECKS:
                return
            case ast.Delete(targets):
                names = [each.id for each in targets if isinstance(each, ast.Name)]
                names = [each for name in names for each in self._names(name)]
                if names:
                    yield f"del {', '.join(names)}"
            case ast.Return(ast.Tuple(values)):
                yield f"return ({''.join(f'{self._result(each)}, ' for each in values)})"
            case _:
                raise NotPackaged(ast.unparse(node))

    def _names(self, name: str) -> list[str]:
        """The variables that go with a name; none where it stands for what has no name here."""
        if name in self._parts:
            return list(self._parts[name].values())
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
            case ast.Call(func=function) if operations.name_of(function) is not None:
                yield from self._operation(name, value)
            case ast.Name(other) | ast.Subscript(ast.Name(other)) if other in self._parts or (
                other in self._views
            ):
                self._owners[name] = name
                yield f"{name} = {self._result_of(name, other, value)}"
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

    def _operation(self, name: str, call: ast.Call) -> Iterator[str]:
        """What an operation gives, as it comes from NumPy; see ``_result_of``."""
        operation = str(operations.name_of(call.func))
        if operation in operations.VIEWS:
            self._views.add(name)
            yield f"{name} = {self._whole(call.args[0])}"
            return
        given = operations.Given(
            operation.partition(".")[0],
            call.args,
            [self._value(each) for each in call.args],
            {str(each.arg): each.value for each in call.keywords},
            self._rank,
        )
        try:
            parts = operations.in_numpy(operation, given)
        except operations.Unknown as problem:
            raise NotPackaged(ast.unparse(call)) from problem
        read = [part for part in parts if part is None or f"{name}[{part}]" in self._read]
        self._parts[name] = {part: name if part is None else f"{name}_{part}" for part in read}
        yield from (f"{self._parts[name][part]} = {parts[part]}" for part in read)

    def _result_of(self, name: str, operation: str, value: ast.expr) -> str:
        """The text of an operation's result, in the layout and dtype that the kernels expect."""
        part = ast.literal_eval(value.slice) if isinstance(value, ast.Subscript) else None
        if operation in self._parts and part not in self._parts[operation]:
            # It says whether there was an error, which NumPy would have raised.
            return "None"
        if name not in self._layouts or name not in self._known:
            raise NotPackaged(ast.unparse(value))
        places = ", ".join(map(ast.unparse, self._layouts[name]))
        dtype = self._known[name].dtype
        if operation in self._views:
            return f"view({operation}, {places}, 0, {dtype!r})"
        return f"laid_out({self._parts[operation][part]}, {places}, {dtype!r})"

    def _whole(self, value: ast.expr) -> str:
        """The variable of an array that begins where its memory does. Raises ``NotPackaged``."""
        match value:
            case (
                ast.Name(name)
                | ast.Call(func=ast.Name("reinterpret_tensor"), args=[ast.Name(name), _, _, ast.Constant(0)])
            ) if self._owners.get(name, name) == name:
                return name
        raise NotPackaged(ast.unparse(value))

    def _value(self, value: ast.expr) -> str:
        """An argument of an operation: an array, or what is written out."""
        if isinstance(value, ast.Call):
            return self._array(value)
        return ast.unparse(value)

    def _rank(self, value: ast.expr) -> int | None:
        match value:
            case ast.Name(name) if name in self._known:
                return self._known[name].rank
            case ast.Call(func=ast.Name("reinterpret_tensor"), args=[_, ast.Tuple(size), *_]):
                return len(size)
        return None

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
            case ast.Name(name) | ast.Call(func=ast.Name("reinterpret_tensor"), args=[ast.Name(name), *_]):
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
    return all(isinstance(node, _SIMPLE) for node in walk(value))


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
