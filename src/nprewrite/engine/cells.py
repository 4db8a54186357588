"""A cell of a notebook as a module: names of other cells are bound after its text, so that no line moves."""

from __future__ import annotations

import ast
import keyword
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from types import ModuleType
from typing import Any

from nprewrite.base.syntax import text_tree
from nprewrite.engine.outcomes import Rewriting
from nprewrite.engine.parsing import is_python
from nprewrite.source.names import bindings

_ROOTS = ("numpy", "nprewrite")


@dataclass(frozen=True)
class Context:
    """What other cells bind: ``imports`` are statements, ``others`` are names of which nothing is known.

    The names that rewriting adds to a cell are none of these, so that a function of an earlier cell keeps the
    step that it was rewritten with.
    """

    imports: tuple[str, ...] = ()
    others: tuple[str, ...] = ()

    def lines(self, text: str) -> list[str]:
        """The statements that bind what the cell ``text`` does not bind itself."""
        own = _certain(text_tree(text))
        imports = [each for each in self.imports if not _certain(text_tree(each)) & own]
        others = [name for name in self.others if name not in own]
        return [*imports, *(f"from __main__ import {name}" for name in others)]


ALONE = Context()
"""What surrounds a text that is whole."""


def of_session(names: Mapping[str, Any]) -> Context:
    """What a running session binds; modules and functions of NumPy are known as such."""
    imports: list[str] = []
    others: list[str] = []
    for name, value in names.items():
        if not name.isidentifier() or keyword.iskeyword(name) or name.startswith("__"):
            continue
        statement = _import_of(name, value)
        if statement is None:
            others.append(name)
        else:
            imports.append(statement)
    return Context(tuple(imports), tuple(others))


def of_cells(texts: Iterable[str]) -> Context:
    """What the cells of a file bind: the imports of NumPy on their top level, and all other names.

    What a cell imports of nprewrite is left out: each imports what it needs itself, and can be run alone.
    """
    imports: list[str] = []
    others: list[str] = []
    for text in texts:
        tree = text_tree(text)
        own = [node for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom) and _is_ours(node)]
        imports += [each for node in own if "numpy" in (each := ast.unparse(node))]
        known = _certain(ast.Module(list(own), []))
        others += [name for name in bindings(tree) if name not in known]
    return Context(tuple(dict.fromkeys(imports)), tuple(dict.fromkeys(others)))


def as_module(text: str, names: Mapping[str, Any]) -> str:
    """The text of a cell of a running session, followed by what it needs of the other cells."""
    behind = of_session(names).lines(text) if is_python(text) else []
    return "\n".join([text, *behind]) if text and behind else text


def rewrite_cell(
    text: str,
    context: Context,
    rewrite: Callable[[str], Rewriting],
) -> Rewriting:
    """What ``rewrite`` makes of a cell followed by what it needs of the other cells."""
    behind = context.lines(text) if is_python(text) else []
    if not behind:
        return rewrite(text)
    joint = "" if text.endswith("\n") else "\n"
    suffix = joint + "\n".join(behind)
    done = rewrite(text + suffix)
    if not done.changed or not done.text.endswith(suffix):
        return replace(done, source=text, text=text, stages=(), origins=())
    origins = done.origins[: len(done.origins) - suffix.count("\n")]
    return replace(done, source=text, text=done.text.removesuffix(suffix), stages=(), origins=origins)


def _import_of(name: str, value: Any) -> str | None:
    """The import that binds ``name`` as in the session, where it is a name of NumPy's."""
    if isinstance(value, ModuleType):
        return f"import {value.__name__} as {name}" if value.__name__.split(".")[0] in _ROOTS else None
    home = getattr(value, "__module__", None) if callable(value) else None
    if isinstance(home, str) and home.split(".")[0] == "numpy":
        import numpy as np

        own = getattr(value, "__name__", "")
        return f"from numpy import {own} as {name}" if getattr(np, own, None) is value else None
    return None


def _is_ours(node: ast.Import | ast.ImportFrom) -> bool:
    if isinstance(node, ast.ImportFrom):
        return not node.level and (node.module or "").split(".")[0] in _ROOTS
    return all(each.name.split(".")[0] in _ROOTS for each in node.names)


def _certain(tree: ast.Module) -> set[str]:
    """The names that the statements of a module bind in any case."""
    found = set[str]()
    for node in tree.body:
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                found.add(name)
            case ast.Import(names=names) | ast.ImportFrom(names=names):
                found.update((each.asname or each.name).split(".")[0] for each in names)
            case ast.Assign(targets=targets):
                found.update(each.id for each in targets if isinstance(each, ast.Name))
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr()):
                found.add(name)
    return found
