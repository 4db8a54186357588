"""Plain classes, judged by the file's text: their methods can get the decorator."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import lru_cache

from nprewrite.base.syntax import walk
from nprewrite.source.names import ModuleNames

_OF_DATA = ("dataclass", "dataclasses.dataclass")
"""Decorators of classes that leave the methods as they are."""
_HARMLESS = (
    *("object", "ABC", "abc.ABC"),
    *(f"{module}{name}" for module in ("", "typing.") for name in ("Generic", "Protocol")),
)
"""Bases that leave the methods as they are."""
_ABSTRACT_KINDS = ("ABCMeta", "abc.ABCMeta")


def plain_class(qualname: str, tree: ast.Module) -> ast.ClassDef | None:
    """The class of a method, at the top level of the module, if nothing else can change its functions.

    Other decorators, metaclasses and bases from other files may do anything with them.
    """
    owner, _, method = qualname.partition(".")
    if "." in method or (method.startswith("__") and method != "__call__"):
        return None
    found = _class_named(owner, tree)
    return found if found is not None and _bases(found, tree) is not None else None


@lru_cache(maxsize=16)
def kept_arrays(owner: ast.ClassDef, tree: ast.Module, names: ModuleNames) -> frozenset[str]:
    """The attributes of a plain class, or of its bases, that are bound to results of NumPy's functions."""
    every = [owner, *(_bases(owner, tree) or ())]
    stored = (node for each in every for node in walk(each) if isinstance(node, ast.Assign | ast.AnnAssign))
    return frozenset(name for each in stored for name in _arrays_of(each, names, tree))


def _arrays_of(node: ast.Assign | ast.AnnAssign, names: ModuleNames, tree: ast.Module) -> Iterator[str]:
    """The attributes that are bound to arrays, and the field of a data class that is declared as one."""
    if isinstance(node, ast.AnnAssign) and names.dotted(node.annotation, tree) == "numpy.ndarray":
        yield ast.unparse(node.target).rpartition(".")[2]
    elif _calls_numpy(node.value, names, tree):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        yield from (each.attr for each in targets if isinstance(each, ast.Attribute))


def _class_named(name: str, tree: ast.Module) -> ast.ClassDef | None:
    """The only class of this name in the module's own statements."""
    found = [each for each in tree.body if isinstance(each, ast.ClassDef) and each.name == name]
    return found[0] if len(found) == 1 else None


def _bases(owner: ast.ClassDef, tree: ast.Module) -> list[ast.ClassDef] | None:
    """The bases of a class that are in the file; None where another class is among them."""
    decorators = [each.func if isinstance(each, ast.Call) else each for each in owner.decorator_list]
    metaclasses = [ast.unparse(each.value) if each.arg == "metaclass" else None for each in owner.keywords]
    if any(each not in _ABSTRACT_KINDS for each in metaclasses):
        return None
    if any(ast.unparse(each) not in _OF_DATA for each in decorators):
        return None
    found: list[ast.ClassDef] = []
    for each in owner.bases:
        base = _class_named(each.id, tree) if isinstance(each, ast.Name) else None
        named = each.value if isinstance(each, ast.Subscript) else each
        if base is None and ast.unparse(named) in _HARMLESS:
            continue
        inherited = _bases(base, tree) if base is not None and base is not owner else None
        if base is None or inherited is None:
            return None
        found += [base, *inherited]
    return found


def _calls_numpy(node: ast.expr | None, names: ModuleNames, tree: ast.Module) -> bool:
    calls = [each for each in walk(node) if isinstance(each, ast.Call)] if node is not None else []
    return any((names.dotted(each.func, tree) or "").startswith("numpy.") for each in calls)
