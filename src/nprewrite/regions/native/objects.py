"""Lists of objects in a loop for Numba: which of their attributes it uses, and what these are."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence

from nprewrite.analysis.called_functions import owner_of
from nprewrite.base.syntax import expression_tree, walk
from nprewrite.lowering.arrays import Argument, ArrayArgument, ListArgument
from nprewrite.lowering.list_items import Column as ListColumn
from nprewrite.lowering.list_items import Items
from nprewrite.lowering.numbers import FLOAT, INT, NONE, NUMPY
from nprewrite.lowering.object_lists import (
    NUMBER,
    TEXT,
    VECTOR,
    Column,
    Member,
    elements_in,
    items_taken,
    owner_in,
)
from nprewrite.program.function import Function
from nprewrite.regions.native.lists import number_of
from nprewrite.types.values import Absent, Array, Instance, Scalar, Unknown, Value, objects_in


def members_of(loop: ast.stmt, function: Function) -> tuple[Member, ...]:
    """The attributes of objects in lists that a loop uses; none where it uses something else of them."""
    owners = dict(_owners(loop, function))
    elements = elements_in(loop, owners)
    found: dict[tuple[str, str], Member] = {}
    for each in walk(loop):
        owner = owner_in(each.value, owners, elements) if isinstance(each, ast.Attribute) else None
        if owner is None or not isinstance(each, ast.Attribute):
            continue
        kind = _kind_of(dict(owners[owner].attributes).get(each.attr))
        if kind is None:
            return ()
        found[owner, each.attr] = Member(kind, owner, each.attr)
    return tuple(found[each] for each in sorted(found)) if {key for key, _ in found} == {*owners} else ()


def columns_given(columns: Sequence[Column], function: Function) -> Iterator[tuple[str, Argument]]:
    """The parameters of a loop that stand for columns, and what they are."""
    for each in columns:
        element = objects_in(owner_of(expression_tree(each.member.owner), function))
        value = dict(element.attributes).get(each.member.attribute) if element is not None else None
        number = number_of(value) if value is not None else None
        if each.member.kind == VECTOR:
            yield each.name, ArrayArgument(number or NUMPY["float64"], 2)
        else:
            missing = NONE if isinstance(value, Absent) else FLOAT
            found = INT if each.member.kind == TEXT else number or missing
            yield each.name, ListArgument(Items("number", (ListColumn.of([found]),)))
        if each.bound:
            yield each.bound, ArrayArgument(NUMPY["int64"], 1)
            yield each.before, ArrayArgument(number or NUMPY["float64"], 2)


def _owners(loop: ast.stmt, function: Function) -> Iterator[tuple[str, Instance]]:
    """The lists of objects from which a loop takes any, by their texts."""
    taken = [over for each in walk(loop) for _, over in items_taken(each)]
    taken += [
        each.value
        for each in walk(loop)
        if isinstance(each, ast.Subscript) and isinstance(each.value, ast.Name | ast.Attribute)
    ]
    for over in taken:
        element = objects_in(owner_of(over, function))
        if element is not None:
            yield ast.unparse(over), element


def _kind_of(value: Value | None) -> str | None:
    """What an attribute holds, as far as a column can."""
    if isinstance(value, Array) and value.rank == 1:
        return VECTOR
    if isinstance(value, Unknown) and value.string:
        return TEXT
    if isinstance(value, Absent):
        return NUMBER
    return NUMBER if isinstance(value, Scalar) and number_of(value) is not None else None


def another_name(names: Iterable[str], members: Sequence[Member], function: Function) -> str | None:
    """An attribute that a loop uses by a name of its own, ``self.leader.x``, of what may be an object."""
    spelling = function.module.spelling
    for spelt in (spelling[each] for each in names if each in spelling):
        holder, _, attribute = spelt.rpartition(".")
        lists = [each.owner for each in members if each.attribute == attribute]
        owner = _shown(expression_tree(holder), function) if holder and lists else None
        like = (objects_in(owner_of(expression_tree(each), function)) for each in lists)
        if any(each is None or owner is None or _related(owner.kind, each.kind) for each in like):
            return spelt
    return None


def _shown(node: ast.expr, function: Function) -> Instance | None:
    """The object that the call has shown, be it another one by now."""
    found: Value | None = None
    match node:
        case ast.Name(id=name):
            found = function.module.given.get(function.name, {}).get(name)
        case ast.Attribute(value=holder, attr=name):
            owner = _shown(holder, function)
            found = dict(owner.attributes).get(name) if owner is not None else None
    return found if isinstance(found, Instance) else None


def _related(one: type, other: type) -> bool:
    return issubclass(one, other) or issubclass(other, one)


def named_objects(loop: ast.stmt, members: Sequence[Member]) -> frozenset[str]:
    """The names of objects in a loop: their places, which nothing else can use."""
    return frozenset(elements_in(loop, {each.owner for each in members}))
