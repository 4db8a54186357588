"""Functions that a call hands to another, ``rk4(slope, y, dt)``: their definitions, and what these see.

A lambda, or a function that is defined in another one, sees variables around it, which get names of their own
in the function that calls it:

    def rk4(f, y, dt):                      def rk4(f, y, dt):
        return y + dt * f(y)                    f_k = f.__closure__[0].cell_contents
                                                return y + dt * (-f_k * y)
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from nprewrite.base.syntax import expression_tree, text_tree, walk, with_names
from nprewrite.program.function import Definition, Function
from nprewrite.source.kept import kept, names_stored
from nprewrite.source.names import as_definition
from nprewrite.types.values import Callee, Instance
from nprewrite.types.variables import spelled, variable_of


@dataclass(frozen=True)
class Variable:
    """A variable of a handed function that has no name yet in the function that calls it."""

    call: ast.Call
    handed: str
    name: str
    reading: str


def handed_functions(function: Function) -> Mapping[str, Callee]:
    """What is known of the functions that a function is given, by its own names for them."""
    given, stored = function.module.given.get(function.name, {}), names_stored(function.node)
    callees = {name: each for name, each in given.items() if isinstance(each, Callee) and name not in stored}
    for (handed, number), name in _named(function.node).items():
        value = callees[handed].variable(number) if handed in callees else None
        if isinstance(value, Callee):
            callees[name] = value
    return callees


def definition_of(name: str, handed: Callee, function: Function) -> ast.FunctionDef | None:
    """The definition of a handed function, whose variables have the names that they have in ``function``."""
    if not handed.source:
        return function.module.function_named(handed.name)
    named, texts = _named(function.node), dict[str, str]()
    for number, (each, value) in enumerate(handed.variables):
        if isinstance(value, Instance):
            texts[each] = spelled((name, *handed.path(number)))
        elif (name, number) in named:
            texts[each] = named[name, number]
        else:
            return None
    return _renamed(handed, tuple(texts.items()))


def object_of(node: ast.expr, function: Function) -> Instance | None:
    """The object that a handed function sees, or of which it is a method, if an expression reads that."""
    name, number = variable_of(node) or ("", 0)
    handed = handed_functions(function).get(name)
    value = handed.variable(number) if handed is not None else None
    return value if isinstance(value, Instance) else None


def names_for(callee: ast.FunctionDef, function: Function) -> frozenset[str]:
    """The names of a function by which the definition of one that it is given reads its variables."""
    found = handed_functions(function).items()
    handed = {name for name, each in found if each.source and definition_of(name, each, function) is callee}
    return frozenset(handed.union(_named(function.node).values())) if handed else frozenset()


def variables_without_names(function: Function) -> Iterator[Variable]:
    """The variables of handed functions that are called which have no names yet."""
    known, named = handed_functions(function), {*_named(function.node)}
    for call in (each for statement in function.statements() for each in walk(statement)):
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name) or call.func.id not in known:
            continue
        handed = call.func.id
        for number, (name, value) in enumerate(known[handed].variables):
            if (handed, number) not in named and not isinstance(value, Instance):
                named.add((handed, number))
                yield Variable(call, handed, name, spelled((handed, *known[handed].path(number))))


@kept
def _named(scope: ast.AST) -> Mapping[tuple[str, int], str]:
    """The names that the first statements of a function give to variables of handed functions."""
    if not isinstance(scope, Definition):
        return {}
    found = {}
    for each in scope.body:
        match each:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if key := variable_of(value):
                found[key] = name
    return found


@lru_cache(maxsize=64)
def _renamed(handed: Callee, texts: tuple[tuple[str, str], ...]) -> ast.FunctionDef:
    """The function with other texts for its variables; the same object each time, as of those in a tree."""
    made = ast.increment_lineno(_parsed(handed.source), handed.line - 1)
    found = {name: expression_tree(text) for name, text in texts}
    made.body = [with_names(each, lambda name: copy.deepcopy(found.get(name.id))) for each in made.body]
    if handed.bound:
        (made.args.posonlyargs or made.args.args).pop(0)
    return made


def _parsed(source: str) -> ast.FunctionDef:
    if source.startswith("lambda"):
        made = expression_tree(f"({source})")
        assert isinstance(made, ast.Lambda)
        return as_definition(made, "handed")
    if not source[0].isspace():
        # At the top of its module, or on one line.
        (whole,) = text_tree(source).body
        assert isinstance(whole, ast.FunctionDef)
        return whole
    # It is indented, and what stands in its strings may be less so.
    (around,) = text_tree(f"if 1:\n{source}").body
    assert isinstance(around, ast.If)
    (found,) = around.body
    assert isinstance(found, ast.FunctionDef)
    return ast.increment_lineno(found, -1)
