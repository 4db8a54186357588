"""Small questions about syntax that every room asks: names, indices, what belongs to which target."""

from __future__ import annotations

import ast
import copy
import os
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, TypeVar

NodeT = TypeVar("NodeT", bound=ast.AST)

_PARSING = threading.RLock()
"""Held while a text is parsed, and by a fork: before CPython 3.11.8, threads that make trees at once raise
``SystemError: AST constructor recursion depth mismatch``."""
if hasattr(os, "register_at_fork"):
    os.register_at_fork(
        before=_PARSING.acquire, after_in_parent=_PARSING.release, after_in_child=_PARSING.release
    )

_NO_COLUMN = -1
"""For which code that is compiled from a tree has None."""


def text_tree(text: str | bytes, filename: str = "<unknown>") -> ast.Module:
    """``ast.parse``, by one thread at a time. Raises what that raises."""
    with _PARSING:
        return ast.parse(text, filename)


def expression_tree(text: str) -> ast.expr:
    """The tree of an expression. Raises what ``ast.parse`` raises."""
    with _PARSING:
        return ast.parse(text, mode="eval").body


def put_on_line(node: ast.expr | ast.stmt | ast.excepthandler, line: int) -> None:
    """Give a node a line, without columns: a traceback shows what is given, an empty range too."""
    node.lineno = node.end_lineno = line
    node.col_offset = node.end_col_offset = _NO_COLUMN


_WITHOUT_NODES = {"arg", "attr", "ctx", "id", "kind", "type_comment"}


class _Parts(dict[type[ast.AST], tuple[str, ...]]):
    """The fields that hold nodes, for each kind of nodes; ``ctx`` is not among them."""

    def __missing__(self, kind: type[ast.AST]) -> tuple[str, ...]:
        found = self[kind] = tuple(name for name in kind._fields if name not in _WITHOUT_NODES)
        return found


_PARTS = _Parts()


def walk(node: ast.AST) -> Iterator[ast.AST]:
    """``ast.walk`` in a third of its time, as texts are walked through all the time.

    The order is the same. Left out is only ``ctx``, which is asked of its node.
    """
    parts, found = _PARTS, [node]
    add = found.append
    for each in found:
        for name in parts[each.__class__]:
            value = getattr(each, name, None)
            if value.__class__ is list:
                for item in value:
                    if isinstance(item, ast.AST):
                        add(item)
            elif isinstance(value, ast.AST):
                add(value)
        yield each


def children(node: ast.AST) -> list[ast.AST]:
    """``ast.iter_child_nodes``, of which `walk` consists, without ``ctx``."""
    found: list[ast.AST] = []
    for name in _PARTS[node.__class__]:
        value = getattr(node, name, None)
        if isinstance(value, list):
            found += [each for each in value if isinstance(each, ast.AST)]
        elif isinstance(value, ast.AST):
            found.append(value)
    return found


def twin(node: NodeT) -> NodeT:
    """``copy.deepcopy`` of a tree, in a quarter of its time: parts that occur twice do so in the copy."""
    known: dict[int, Any] = {}

    def made(value: Any) -> Any:
        if isinstance(value, list):
            return [made(each) for each in value]
        if not isinstance(value, ast.AST):
            return value
        found = known.get(id(value))
        if found is None:
            kind = type(value)
            found = known[id(value)] = kind.__new__(kind)
            parts = found.__dict__
            for name, each in vars(value).items():
                # Most are lines and columns.
                parts[name] = each if each.__class__ is int else made(each)
        return found

    result: NodeT = made(node)
    return result


def name_nodes(*trees: ast.AST) -> Iterator[ast.Name]:
    """Where names occur in trees, in the order of a walk."""
    return (node for tree in trees for node in walk(tree) if isinstance(node, ast.Name))


def names_in(*trees: ast.AST) -> set[str]:
    """The names that occur anywhere in trees."""
    return {node.id for tree in trees for node in walk(tree) if isinstance(node, ast.Name)}


def words_in(tree: ast.AST) -> set[str]:
    """The names and attributes that occur anywhere in a tree."""
    words = (getattr(each, "id", None) or getattr(each, "attr", None) for each in walk(tree))
    return {each for each in words if each is not None}


def stored_names(*trees: ast.AST) -> set[str]:
    """The names that trees bind, change with ``+=`` or delete, also in the scopes inside them."""
    return {node.id for node in name_nodes(*trees) if not isinstance(node.ctx, ast.Load)}


def names_bound(*trees: ast.AST) -> tuple[str, ...]:
    """The names that trees bind, also in the scopes inside them, each once, in the order of a walk."""
    return tuple(dict.fromkeys(node.id for node in name_nodes(*trees) if isinstance(node.ctx, ast.Store)))


def parts_of(node: ast.expr) -> list[ast.expr]:
    """The elements of a tuple, or the node alone."""
    return node.elts if isinstance(node, ast.Tuple) else [node]


def items_of(node: ast.Subscript) -> list[ast.expr]:
    """What stands between the brackets, one for each axis: ``i`` and ``:`` of ``x[i, :]``."""
    return parts_of(node.slice)


def conditions(test: ast.expr) -> Iterator[ast.expr]:
    """What ``and``, ``or`` and ``not`` join in a test."""
    match test:
        case ast.BoolOp(values=values):
            for each in values:
                yield from conditions(each)
        case ast.UnaryOp(operand=operand):
            yield from conditions(operand)
        case _:
            yield test


def blocks(statement: ast.AST) -> list[list[ast.stmt]]:
    """The blocks of statements directly inside a statement."""
    found = [getattr(statement, name, []) for name in ("body", "orelse", "finalbody")]
    found += [handler.body for handler in getattr(statement, "handlers", [])]
    found += [case.body for case in getattr(statement, "cases", [])]
    return [block for block in found if block and isinstance(block[0], ast.stmt)]


def does_nothing(statement: ast.stmt) -> bool:
    """Whether it is ``pass``, a docstring or another literal."""
    text = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
    return text or isinstance(statement, ast.Pass)


def base_of(node: ast.expr) -> ast.expr:
    """``x`` of ``x[i, j]`` and ``x[i][j]``."""
    while isinstance(node, ast.Subscript):
        node = node.value
    return node


def base_name(node: ast.expr) -> str | None:
    """The name of the object that a node is an element or a part of, if it has one."""
    base = base_of(node)
    return base.id if isinstance(base, ast.Name) else None


def root_name(node: ast.expr) -> str | None:
    """The name that an element, a part or an attribute begins with: ``u`` of ``u.T[0]``."""
    while isinstance(node, ast.Subscript | ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else None


def is_none(node: ast.expr) -> bool:
    """Whether it is a literal ``None``."""
    return isinstance(node, ast.Constant) and node.value is None


def is_new_axis(item: ast.expr) -> bool:
    """Whether an item between brackets adds an axis: ``None``, ``np.newaxis``."""
    return is_none(item) or (isinstance(item, ast.Attribute) and item.attr == "newaxis")


def is_ellipsis(item: ast.expr) -> bool:
    """Whether it is a literal ``...``."""
    return isinstance(item, ast.Constant) and item.value is Ellipsis


def is_everything(item: ast.expr) -> bool:
    """Whether an item between brackets is ``...`` or ``:``."""
    if isinstance(item, ast.Slice):
        return item.lower is None and item.upper is None and item.step is None
    return is_ellipsis(item)


def assigned(target: ast.expr, value: ast.expr, apart: bool = True) -> Iterator[tuple[ast.expr, ast.expr]]:
    """The targets, each with its own value where the text has one.

    Targets of a value that is not written out stay together, or with ``apart`` each is yielded with it.
    """
    match target, value:
        case ast.Tuple(targets) | ast.List(targets), ast.Tuple(values) | ast.List(values) if len(
            targets
        ) == len(values):
            for each, part in zip(targets, values, strict=True):
                yield from assigned(each, part, apart)
        case ((ast.Tuple(targets) | ast.List(targets)), _) if apart:
            for each in targets:
                yield from assigned(each, value)
        case _:
            yield target, value


def bindings(nodes: Iterable[ast.AST]) -> Iterator[tuple[ast.Name, ast.expr]]:
    """The names that assignments among some nodes bind, each with its own value where the text has one."""
    assignments = (each for each in nodes if isinstance(each, ast.Assign))
    for target, value in ((target, each.value) for each in assignments for target in each.targets):
        pairs = assigned(target, value, apart=False)
        yield from ((name, part) for name, part in pairs if isinstance(name, ast.Name))


def with_names(node: NodeT, made: Callable[[ast.Name], ast.expr | None]) -> NodeT:
    """A copy of a tree with what is ``made`` of each name in its place; None leaves it as it is."""

    class Exchange(ast.NodeTransformer):
        def visit_Name(self, name: ast.Name) -> ast.expr:
            found = made(name)
            return name if found is None else ast.copy_location(found, name)

    exchanged: NodeT = Exchange().visit(twin(node))
    return exchanged


def renamed(node: NodeT, names: Mapping[str, str]) -> NodeT:
    """A copy of a tree with other names."""
    return with_names(node, lambda name: ast.Name(names.get(name.id, name.id), name.ctx))


def with_body(function: ast.FunctionDef, body: list[ast.stmt]) -> ast.FunctionDef:
    """A copy of a function with other statements, or with ``pass`` where there are none."""
    made = copy.copy(function)
    made.body = body or [ast.copy_location(ast.Pass(), function.body[-1])]
    return made


def fresh_name(word: str, taken: set[str]) -> str:
    """A name that is not ``taken``, which is so from then on."""
    while word in taken:
        word += "_"
    taken.add(word)
    return word


def placed(made: NodeT, node: ast.AST) -> NodeT:
    """A tree of which what has no place in the text stands where ``node`` stands."""
    for each in walk(made):
        if isinstance(each, ast.expr | ast.stmt) and not hasattr(each, "lineno"):
            ast.copy_location(each, node)
    return made


def copied(node: ast.expr) -> ast.expr:
    """A copy of an expression whose parts all stand where it stands."""
    made = expression_tree(ast.unparse(node))
    for each in walk(made):
        ast.copy_location(each, node)
    return made
