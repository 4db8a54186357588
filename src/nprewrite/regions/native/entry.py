"""What is known of the names that a loop for Numba reads from before it."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace

from nprewrite.base.syntax import children, name_nodes, walk
from nprewrite.lowering.arrays import (
    Argument,
    ArrayArgument,
    Entry,
    GeneratorArgument,
    NumberArgument,
    TupleArgument,
)
from nprewrite.lowering.draws import source_of_module
from nprewrite.lowering.numbers import CHARACTER, NONE, Number
from nprewrite.program.function import Function
from nprewrite.regions.native.lists import list_argument, lists_of, number_of
from nprewrite.source.kept import kept
from nprewrite.types.problems import Problem
from nprewrite.types.values import Absent, Array, Generator, Instance, Items, Scalar, Unknown, Value

_CONTAINERS = (ast.List, ast.Dict, ast.Set, ast.ListComp, ast.DictComp, ast.SetComp, ast.JoinedStr)


def values_before(loop: ast.stmt, inputs: Sequence[str], function: Function) -> Mapping[str, Value] | Problem:
    """What is known of the inputs where the loop starts; a problem where only a call tells a type."""
    settings = _class_read(loop, function)
    if settings is not None and function.can_defer and function.module.jitted is None:
        text = f"the attributes of `{settings}` are not known"
        return Problem("dtype-unknown", text, loop, settings)
    before, globals_ = function.facts.before(loop), function.module.values
    subscripts = (each for each in walk(loop) if isinstance(each, ast.Subscript))
    indexed = {each.value.id for each in subscripts if isinstance(each.value, ast.Name)}
    used = indexed | {*_used_as_arrays(loop)}
    found: dict[str, Value] = {}
    lists = lists_of(loop, function)
    for name in inputs:
        value = before.get(name) or globals_.get(name) or Unknown(f"nothing is known of `{name}`")
        told = isinstance(value, Absent) or (isinstance(value, Unknown) and value.string)
        if told or (name in lists and not isinstance(value, Array)):
            found[name] = value
            continue
        if isinstance(value, Unknown) and name in used and function.names.is_variable(name, function.node):
            value = _shown(name, loop, function) or replace(value, parameter=name)
        listed = isinstance(value, Items) or (isinstance(value, Unknown) and name in indexed)
        if listed and is_container(ast.Name(name), function):
            return Problem("not-plain-array", f"`{name}` is a list or another container", loop)
        waits = isinstance(value, Unknown) and value.parameter is not None and function.can_defer
        if isinstance(value, Unknown) and (waits or name in indexed):
            text = f"the type of `{name}` is not known: {value.because}"
            return Problem("dtype-unknown", text, loop, value.parameter)
        # An element of an array of unknown rank may be a row; what is not indexed is taken for a number.
        unclear = isinstance(value, Array) and value.rank is None and name not in used
        found[name] = Scalar("float", value.dtype) if unclear and isinstance(value, Array) else value
    return found


def _class_read(loop: ast.stmt, function: Function) -> str | None:
    """The name of a class of the file of which a loop reads attributes: ``Settings.steps``."""
    called = {each.func for each in walk(loop) if isinstance(each, ast.Call)}
    read = (each for each in walk(loop) if isinstance(each, ast.Attribute) and each not in called)
    names = (each.value.id for each in read if isinstance(each.value, ast.Name))
    classes = _classes(function.document.tree)
    return next((each for each in names if each in classes and not function.is_local(each)), None)


@kept
def _classes(tree: ast.AST) -> frozenset[str]:
    return frozenset(each.name for each in children(tree) if isinstance(each, ast.ClassDef))


def _shown(name: str, loop: ast.stmt, function: Function) -> Value | None:
    """What a call has shown of a variable of the module that a loop reads; None if it has shown nothing."""
    values = function.facts.expressions.values
    found = [values.get(each) for each in name_nodes(loop) if each.id == name]
    shown = [each for each in found if isinstance(each, Array)]
    return shown[0] if shown and len({(each.dtype, each.rank) for each in shown}) == 1 else None


def _used_as_arrays(loop: ast.stmt) -> Iterator[str]:
    """Names whose length or shape is read, or that a loop iterates over."""
    for node in walk(loop):
        match node:
            case ast.Attribute(value=ast.Name(id=name)) | ast.For(iter=ast.Name(id=name)):
                yield name
            case ast.Call(args=[ast.Name(id=name), *_], func=ast.Name(id="len" | "enumerate" | "reversed")):
                yield name
            case ast.Call(args=arguments, func=ast.Name(id="zip")):
                yield from (each.id for each in arguments if isinstance(each, ast.Name))


def arguments_of(
    values: Mapping[str, Value],
    guess: Number,
    loop: ast.stmt,
    tuples: Mapping[str, int],
    lists: Collection[str],
    function: Function,
) -> Entry | Problem:
    """The arguments of the loop's function; a number of unknown type is taken for ``guess``.

    ``tuples`` are names that the loop binds to tuples, with their lengths, ``lists`` those of lists.
    """
    entry: dict[str, Argument] = {}
    for name, value in values.items():
        if name in lists:
            entry[name] = list_argument(name, value, loop, guess, function)
            continue
        if isinstance(value, Generator):
            entry[name] = GeneratorArgument(value.of)
            continue
        if isinstance(value, Absent):
            entry[name] = NumberArgument(NONE)
            continue
        if isinstance(value, Unknown) and value.string:
            entry[name] = ArrayArgument(CHARACTER, 1)
            continue
        if isinstance(value, Instance) and value.kind is tuple and name in tuples:
            # A tuple that was given: its numbers are known as its attributes.
            held = dict(value.attributes)
            found = [held.get(str(k)) for k in range(tuples[name])]
            value = Items(tuple(each or Unknown(f"nothing is known of `{name}`") for each in found))
        if isinstance(value, Unknown):
            one = NumberArgument(guess)
            entry[name] = TupleArgument((one,) * tuples[name]) if name in tuples else one
            continue
        if isinstance(value, Items) and value.values:
            parts = arguments_of(
                {str(k): each for k, each in enumerate(value.values)}, guess, loop, {}, (), function
            )
            if isinstance(parts, Problem):
                return parts
            numbers = tuple(each for each in parts.values() if isinstance(each, NumberArgument))
            if len(numbers) == len(parts):
                entry[name] = TupleArgument(numbers)
                continue
        if not isinstance(value, Array | Scalar):
            return Problem("not-plain-array", f"`{name}` is neither an array nor a number", loop)
        number = number_of(value)
        if number is None:
            return Problem("dtype-unsupported", f"`{name}` is of {value.dtype}", loop)
        array = value if isinstance(value, Array) else None
        entry[name] = ArrayArgument(number, array.rank) if array is not None else NumberArgument(number)
    return entry


def draws(node: ast.AST, function: Function) -> Iterator[ast.Call]:
    """The calls that draw random numbers."""
    for each in walk(node):
        if not isinstance(each, ast.Call):
            continue
        owner = each.func.value if isinstance(each.func, ast.Attribute) else None
        of_generator = owner is not None and isinstance(function.facts.value(owner), Generator)
        if of_generator or source_of_module(function.dotted(each.func) or "") is not None:
            yield each


def is_container(node: ast.expr, function: Function) -> bool:
    """Whether the name is bound to a list, a dict or a comprehension somewhere in the function."""
    if not isinstance(node, ast.Name):
        return False
    return node.id in _bound_to_containers(function.node)


@kept
def _bound_to_containers(scope: ast.AST) -> frozenset[str]:
    assigned = (each for each in walk(scope) if isinstance(each, ast.Assign))
    made = (each for each in assigned if any(isinstance(part, _CONTAINERS) for part in _factors(each.value)))
    targets = (target for each in made for target in each.targets)
    return frozenset(each.id for each in targets if isinstance(each, ast.Name))


def _factors(node: ast.expr) -> tuple[ast.expr, ...]:
    """The operands of a product: ``[0] * n`` is a list."""
    return (node.left, node.right) if isinstance(node, ast.BinOp) else (node,)
