"""What Inductor generates for a graph, taken apart: kernels in C++, and the Python code that calls them.

Its code calls the kernels on tensors; ``numpy_text`` writes down the same calls on NumPy's arrays.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass

from nprewrite.base.syntax import text_tree, walk

_LETTERS = {"const int64_t": "i", "int64_t": "i", "const double": "d", "const float": "f"}
_CHECKS = frozenset(
    {"assert_size_stride", "assert_size_stride_grouped", "assert_tensor_metadata", "assert_alignment"}
)
_KNOWN = frozenset({"empty_strided_cpu", "reinterpret_tensor", "device", *dir(builtins)})
"""Functions that generated code calls by a plain name, besides its kernels."""


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
    """``inputs`` are the names under which ``body`` reads the graph's inputs, in their order.

    ``layouts`` are the sizes and strides that results of operations without kernels have, by their names.
    """

    kernels: dict[str, Kernel]
    inputs: tuple[str, ...]
    body: tuple[ast.stmt, ...]
    layouts: dict[str, tuple[ast.expr, ast.expr]]


def taken_apart(source: str) -> Generated:
    """The parts of a generated module. Raises ``NotPackaged``."""
    tree = text_tree(source)
    functions = [node for node in walk(tree) if isinstance(node, ast.FunctionDef) and node.name == "call"]
    if len(functions) != 1:
        raise NotPackaged(f"{len(functions)} functions `call`")
    statements = functions[0].body
    layouts = dict(_layouts(statements))
    body = [part for node in statements if not _is_check(node) for part in _in_two_names(node, layouts)]
    # A graph without inputs takes none out of the list.
    inputs = _unpacked(body[0]) if body else []
    return Generated(dict(_kernels(tree)), tuple(inputs), tuple(body[1:] if inputs else body), layouts)


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


def _layouts(body: Sequence[ast.stmt]) -> Iterator[tuple[str, tuple[ast.expr, ast.expr]]]:
    for node in body:
        match node:
            case ast.Expr(ast.Call(ast.Name(check), [*_, ast.Constant("input")])) if check in _CHECKS:
                continue
            case ast.Expr(
                ast.Call(
                    ast.Name("assert_size_stride" | "assert_tensor_metadata"),
                    [ast.Name(name), size, stride, *_],
                )
            ):
                yield name, (size, stride)
            case ast.Expr(
                ast.Call(
                    ast.Name("assert_size_stride_grouped"),
                    [ast.Tuple(names), ast.Tuple(sizes), ast.Tuple(strides), *_],
                )
            ):
                yield from zip(map(ast.unparse, names), zip(sizes, strides, strict=True), strict=True)


def _in_two_names(node: ast.stmt, layouts: Container[str]) -> list[ast.stmt]:
    """What an operation gives, and as a second name the result in its layout: torch wrote both until 2.13."""
    match node:
        case ast.Assign([ast.Name(name) as target], ast.Call() as call) if name in layouts:
            whole = f"{name}_whole"
            given = ast.Assign([ast.Name(whole, ast.Store())], call)
            named = ast.Assign([target], ast.Name(whole, ast.Load()))
            return [
                ast.fix_missing_locations(each) for each in (given, named, *text_tree(f"del {whole}").body)
            ]
    return [node]


def _is_check(node: ast.stmt) -> bool:
    """Whether a statement looks only at what ``Plan.text`` has been asked about already."""
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
    """What the code calls besides its kernels and the functions that make memory, by torch's short names.

    Raises ``NotPackaged`` where it calls a function that is not known here, as another torch may generate.
    """
    known = _KNOWN | generated.kernels.keys()
    calls = [node for part in generated.body for node in walk(part) if isinstance(node, ast.Call)]
    names = [ast.unparse(each.func) for each in calls]
    called = [name for name in names if name not in known and not name.endswith(".size")]
    for name in called:
        if name.isidentifier():
            raise NotPackaged(f"`{name}` in generated code")
    return tuple(dict.fromkeys(map(_short, called)))


def _short(name: str) -> str:
    """``sort`` for ``torch.ops.aten.sort.stable``, ``mm`` for ``extern_kernels.mm``."""
    return name.removeprefix("torch.ops.").split(".")[:2][-1].strip("_")
