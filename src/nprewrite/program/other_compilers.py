"""Functions that another compiler takes: it reads their code, and knows nothing of the runtime."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from nprewrite.base.syntax import children, text_tree, walk

_PACKAGES = frozenset(
    (
        "cupyx",
        "cython",
        "dace",
        "jax",
        "numba",
        "pyccel",
        "taichi",
        "tensorflow",
        "transonic",
        "triton",
        "warp",
    )
)
_OF_TORCH = frozenset(("compile", "func", "fx", "jit"))
# A project may import them from a module of its own, which checks whether Numba is installed.
_NAMES = frozenset(("guvectorize", "jit", "jitclass", "njit"))
_MENTIONED = re.compile(rf"\b(?:{'|'.join(sorted({*_PACKAGES, *_NAMES, 'torch'}))})\b")


@dataclass(frozen=True)
class OtherCompilers:
    """What other compilers take from a module, with the name of the compiler as the text spells it.

    ``decorated``: functions and classes by qualified name. ``handed``: names of functions that are passed to
    a compiler, as in ``fast = njit(f)``.
    """

    decorated: Mapping[str, str] = field(default_factory=dict)
    handed: Mapping[str, str] = field(default_factory=dict)

    def compiler_of(self, function: str) -> str | None:
        """The compiler that takes a function, or the function or class around it; by qualified name."""
        parts = function.split(".")
        around = (".".join(parts[: count + 1]) for count in range(len(parts)))
        found = next((self.decorated[name] for name in around if name in self.decorated), None)
        return found or self.handed.get(function.rpartition("<locals>.")[2])


def other_compilers(text: str) -> OtherCompilers:
    """What other compilers take from a module.

    A name that may stand for a compiler counts as one, whatever else binds it
    (``except ImportError: def njit(f): ...``).
    """
    if not _MENTIONED.search(text):
        return OtherCompilers()
    tree = text_tree(text)
    origins = _origins(tree)
    handed = {
        each.id: compiler
        for call in walk(tree)
        if isinstance(call, ast.Call) and (compiler := _compiler(call.func, origins)) is not None
        for each in call.args
        if isinstance(each, ast.Name)
    }
    return OtherCompilers(dict(_decorated(tree, "", origins)), handed)


def _origins(tree: ast.Module) -> dict[str, str]:
    """What names stand for: imported dotted names, and for ``fast = njit(cache=True)`` the compiler."""
    origins: dict[str, str] = {}
    for node in walk(tree):
        if isinstance(node, ast.Import):
            origins |= {each.asname or each.name.split(".")[0]: each.name for each in node.names}
        elif isinstance(node, ast.ImportFrom):
            home = "." * node.level + (node.module or "")
            origins |= {each.asname or each.name: f"{home}.{each.name}" for each in node.names}
    for statement in tree.body:
        match statement:
            case ast.Assign(targets=[ast.Name()], value=ast.Call(args=[_, *_])):
                # It gives a compiled function.
                continue
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                compiler = _compiler(value, origins)
                if compiler is not None:
                    origins[name] = _dotted(compiler, origins)
    return origins


def _decorated(node: ast.AST, prefix: str, origins: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """The definitions in a statement that a compiler decorates, with the compiler."""
    for each in children(node):
        if not isinstance(each, ast.stmt | ast.excepthandler | ast.match_case):
            continue
        inner = prefix
        if isinstance(each, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            name = f"{prefix}{each.name}"
            found = (_compiler(decorator, origins) for decorator in each.decorator_list)
            yield from ((name, compiler) for compiler in found if compiler is not None)
            inner = f"{name}." if isinstance(each, ast.ClassDef) else f"{name}.<locals>."
        yield from _decorated(each, inner, origins)


def _compiler(expression: ast.expr, origins: Mapping[str, str]) -> str | None:
    """The compiler that an expression names (``partial(jax.jit, ...)`` too), as the text spells it."""
    for node in walk(expression):
        if isinstance(node, ast.Name | ast.Attribute):
            words = ast.unparse(node)
            if _is_compiler(_dotted(words, origins)):
                return words
    return None


def _dotted(words: str, origins: Mapping[str, str]) -> str:
    """Dotted names with what the first one stands for; it begins with a dot where that is not known."""
    name, dot, rest = words.partition(".")
    return origins.get(name, f".{name}") + dot + rest


def _is_compiler(dotted: str) -> bool:
    # What another cell of a notebook imports comes from there.
    root, *parts = dotted.removeprefix("__main__.").split(".")
    if root == "nprewrite":
        return False
    if root == "torch":
        return not _OF_TORCH.isdisjoint(parts)
    return root in _PACKAGES or not _NAMES.isdisjoint((root, *parts))
