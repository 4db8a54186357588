"""Parameters that tests compare with literals: which equations a function computes may hang on them.

def set_bounds(b, x):              def relax(b, x, source):
    if b == 1: ...                     x[1:-1] = ...
    elif mode == "periodic": ...       set_bounds(b, x)
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from nprewrite.base.syntax import conditions, walk
from nprewrite.source.kept import kept
from nprewrite.source.names import first_line
from nprewrite.types.array_functions import literal
from nprewrite.types.parameters import parameters, passed
from nprewrite.types.values import Literals

_FALSE: Literals = frozenset([0, ""])
"""What a test of the name alone tells apart; to Python, ``False`` is 0."""


def flags(line: int, tree: ast.Module) -> Mapping[str, Literals]:
    """The parameters of the function at a line, with the literals that tests compare them with, in it or in
    functions that it calls.

    What a name stands for when the function is called is not asked: this tells only what is worth knowing.
    """
    return _flags(tree).get(line, {})


@kept
def _flags(tree: ast.Module) -> Mapping[int, Mapping[str, Literals]]:
    """The same of every function in a module, by its first line."""
    functions = [each for each in walk(tree) if isinstance(each, ast.FunctionDef)]
    by_name = {each.name: each for each in functions}
    nodes = {each: [node for statement in each.body for node in walk(statement)] for each in functions}
    found = {first_line(each): _tested(each, nodes[each]) for each in functions}
    handed = [
        (found[first_line(each)], name, found[first_line(callee)], parameter)
        for each in functions
        for callee, name, parameter in _handed_on(each, nodes[each], by_name)
    ]
    changed = True
    while changed:
        changed = False
        for own, name, inner, parameter in handed:
            joined = own[name] | inner[parameter]
            changed = changed or joined != own[name]
            own[name] = joined
    return {line: {name: each for name, each in own.items() if each} for line, own in found.items()}


def _tested(function: ast.FunctionDef, nodes: Sequence[ast.AST]) -> defaultdict[str, Literals]:
    found = defaultdict[str, Literals](frozenset)
    own = {each.arg for each in parameters(function.args)}
    tests = (each.test for each in nodes if isinstance(each, ast.If | ast.IfExp))
    for condition in (each for test in tests for each in conditions(test)):
        for name, literals in _compared(condition):
            found[name] |= literals if name in own else frozenset()
    return found


def _handed_on(
    function: ast.FunctionDef, nodes: Sequence[ast.AST], by_name: Mapping[str, ast.FunctionDef]
) -> Iterator[tuple[ast.FunctionDef, str, str]]:
    """The functions that a function calls with its parameters: each with a parameter here and one there."""
    own = {each.arg for each in parameters(function.args)}
    for node in nodes:
        match node:
            case ast.Call(func=ast.Name(id=called) | ast.Attribute(attr=called)) if called in by_name:
                given = _given(node, by_name[called]).items()
                yield from ((by_name[called], name, each) for name, each in given if name in own)


def _compared(test: ast.expr) -> Iterator[tuple[str, Literals]]:
    """The name that a condition compares, or takes for a truth value, and what it is compared with."""
    match test:
        case ast.Name(id=name):
            yield name, _FALSE
        case ast.Compare(
            left=ast.Name(id=name), ops=[ast.Eq() | ast.NotEq() | ast.Is() | ast.IsNot()], comparators=[other]
        ):
            yield name, _literals([other])
        case ast.Compare(left=other, ops=[ast.Eq() | ast.NotEq()], comparators=[ast.Name(id=name)]):
            yield name, _literals([other])
        case ast.Compare(
            left=ast.Name(id=name),
            ops=[ast.In() | ast.NotIn()],
            comparators=[ast.Tuple(elts=each) | ast.List(elts=each) | ast.Set(elts=each)],
        ):
            yield name, _literals(each)


def _literals(nodes: list[ast.expr]) -> Literals:
    return frozenset(each for each in map(literal, nodes) if isinstance(each, bool | int | str))


def _given(call: ast.Call, callee: ast.FunctionDef) -> dict[str, str]:
    """The names that a call hands over, and the parameters that get them."""
    first = [each.arg for each in parameters(callee.args)[:1]]
    method = isinstance(call.func, ast.Attribute) and first == ["self"]
    given = passed(call, callee.args, 1 if method else 0)
    return {each.id: parameter for parameter, each in given.items() if isinstance(each, ast.Name)}
