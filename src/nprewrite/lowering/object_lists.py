"""Lists of objects of one class in a loop: their attributes that it uses, and the names of their objects."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from nprewrite.base.syntax import walk

NUMBER, VECTOR, TEXT = "number", "vector", "text"


@dataclass(frozen=True)
class Member:
    """An attribute of the objects in a list, as its text is, that holds a number, a vector or a text."""

    kind: str
    owner: str
    attribute: str

    @classmethod
    def read(cls, text: str) -> Member:
        """From ``"vector self.bodies.force"``."""
        kind, path = text.split(" ", 1)
        owner, _, attribute = path.rpartition(".")
        return cls(kind, owner, attribute)

    def __str__(self) -> str:
        return f"{self.kind} {self.owner}.{self.attribute}"


@dataclass(frozen=True)
class Column:
    """The parameter that stands for an attribute."""

    member: Member
    name: str
    bound: str = ""
    """Of vectors that the loop binds anew, the parameter that tells which."""
    before: str = ""
    """And the one that holds what the arrays were until then."""
    texts: tuple[str, ...] = ()
    """The strings that stand in the loop; each is kept as its place among them."""


def items_taken(node: ast.AST) -> Iterator[tuple[ast.expr, ast.Name | ast.Attribute]]:
    """The targets that a loop or an assignment binds to items of what may be a list, each with that."""
    match node:
        case ast.For(target=target, iter=over) | ast.comprehension(target=target, iter=over):
            match target, over:
                case ast.Tuple(elts=[_, one]), ast.Call(ast.Name(id="enumerate"), [given], []):
                    target, over = one, given
            over = turned(over) or over
            if isinstance(over, ast.Subscript) and isinstance(over.slice, ast.Slice):
                over = over.value
            if isinstance(over, ast.Name | ast.Attribute):
                yield target, over
        case ast.Assign(targets=[target], value=ast.Subscript(ast.Name() | ast.Attribute() as over, index)):
            if not isinstance(index, ast.Slice):
                yield target, over


def turned(over: ast.expr) -> ast.expr | None:
    """The list of ``reversed(agents)``."""
    match over:
        case ast.Call(ast.Name(id="reversed"), [given], []):
            return given
    return None


def taken_of(node: ast.AST, owners: Collection[str]) -> Iterator[tuple[ast.expr, str]]:
    """The targets that a loop or an assignment binds to objects of the lists, each with its list."""
    for target, over in items_taken(node):
        if (owner := ast.unparse(over)) in owners:
            yield target, owner


def owner_in(node: ast.expr, owners: Collection[str], elements: Mapping[str, str]) -> str | None:
    """The list of which an expression is an object: a name among the ``elements``, or ``agents[i]``."""
    match node:
        case ast.Name(id=name):
            return elements.get(name)
        case ast.Subscript(ast.Name() | ast.Attribute() as over, index) if not isinstance(index, ast.Slice):
            owner = ast.unparse(over)
            return owner if owner in owners else None
    return None


def elements_in(node: ast.AST, owners: Collection[str]) -> dict[str, str]:
    """The names of objects in a function or a loop, with their lists."""
    found: dict[str, str] = {}
    nodes = [*walk(node)]
    for target, owner in (pair for each in nodes for pair in taken_of(each, owners)):
        if isinstance(target, ast.Name):
            found.setdefault(target.id, owner)
    while True:
        further = {
            target.id: found[value.id]
            for each in nodes
            if isinstance(each, ast.Assign) and len(each.targets) == 1
            for target, value in [(each.targets[0], each.value)]
            if isinstance(target, ast.Name) and isinstance(value, ast.Name) and value.id in found
            if target.id not in found
        }
        if not further:
            return found
        found |= further
