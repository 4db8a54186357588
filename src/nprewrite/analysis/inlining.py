"""Calls of functions of the same file that can be replaced by the functions' statements."""

from __future__ import annotations

import ast
import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from nprewrite.analysis.called_functions import (
    CALL,
    called_function,
    called_object,
    held_function,
    is_method,
    is_private_elsewhere,
    owner_classes,
    owner_of,
)
from nprewrite.analysis.constant_names import constants_at
from nprewrite.analysis.handed_functions import names_for
from nprewrite.analysis.liveness import surely_set
from nprewrite.analysis.operands import SOMETIMES, Simple, evaluated_before, in_order
from nprewrite.analysis.pure_functions import is_pure
from nprewrite.base.syntax import name_nodes, names_in, stored_names, walk
from nprewrite.lowering.problems import word_of
from nprewrite.numpy_api.python import python_function
from nprewrite.program.aliases import without_aliases
from nprewrite.program.array_syntax import shows_arrays
from nprewrite.program.constant_branches import constant, with_constant_branches
from nprewrite.program.exposed_names import exposed
from nprewrite.program.function import Function
from nprewrite.program.literal_names import with_literals
from nprewrite.program.names_apart import with_names_apart
from nprewrite.program.single_return import with_single_return
from nprewrite.program.steps import is_extracted
from nprewrite.source.functions import counts_callers
from nprewrite.source.kept import kept
from nprewrite.source.names import EXPRESSION_SCOPES, Scope, lambdas_of, parameter_names
from nprewrite.types.parameters import defaults, is_literal
from nprewrite.types.problems import Problem
from nprewrite.types.values import Array

MOST_STATEMENTS = 60
"""Longer functions are not copied."""

_BINDING = (ast.NamedExpr, ast.Await, ast.Yield, ast.YieldFrom)
"""Of the nodes that are evaluated sometimes those that do more than compute a value."""

MOST_IN_ALL = 400
"""Nothing more is copied into a function that has grown to this many statements."""

_STATEMENTS = (
    ast.Assert,
    ast.Assign,
    ast.AugAssign,
    ast.Break,
    ast.Continue,
    ast.Expr,
    ast.For,
    ast.If,
    ast.Pass,
    ast.Raise,
    ast.Return,
    ast.While,
)

_OF_CLASS = frozenset(("super", "__class__"))
_OTHER = (ast.Yield, ast.YieldFrom, ast.Await, ast.NamedExpr, ast.Global, ast.Nonlocal, *EXPRESSION_SCOPES)


@dataclass(frozen=True)
class Inlining:
    """A call in a statement, the function that it calls, and the expressions of its parameters.

    ``callee`` returns at its end only, and has literals where it is called with them.
    """

    statement: Simple
    call: ast.Call
    callee: ast.FunctionDef
    standing: tuple[tuple[str, ast.expr], ...]
    """The parameters in whose place their expressions may stand."""
    bound: tuple[tuple[str, ast.expr], ...]
    """The other parameters, in the order of evaluation."""
    before: tuple[ast.expr, ...]
    """The parts of the statement that are evaluated before the call, and may mean something else after it."""

    @property
    def body(self) -> list[ast.stmt]:
        """The statements before the ``return``, without the docstring."""
        body = self.callee.body
        documented = isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant)
        end = len(body) - 1 if isinstance(body[-1], ast.Return) else len(body)
        return body[int(documented) : end]

    @property
    def result(self) -> ast.expr | None:
        """The expression that it returns."""
        last = self.callee.body[-1]
        return last.value if isinstance(last, ast.Return) else None


def inlinings(function: Function) -> Iterator[Inlining | Problem]:
    """For each statement, the first call of a function of the file, or why it stays a call."""
    if sum(isinstance(each, ast.stmt) for each in walk(function.node)) > MOST_IN_ALL:
        return
    for statement in function.statements():
        if not isinstance(statement, Simple) or statement.value is None:
            continue
        calls = [each for each in walk(statement) if isinstance(each, ast.Call)]
        for call in calls:
            callee = called_function(call, function)
            found = _inlining(statement, call, callee, function) if callee is not None else None
            if found is not None:
                yield found
            if isinstance(found, Inlining):
                break


def followed_call(function: Function) -> tuple[ast.Call, ast.FunctionDef] | None:
    """The first call in a loop, not of steps, of a function that could be inlined.

    It takes or makes arrays, or computes an element that the loop of a function stores.
    """
    for statement in function.statements():
        steps = any(
            is_extracted(each, function.names, function.module.steps) for each in function.outer(statement)
        )
        if not function.loops_around(statement) or steps or not isinstance(statement, Simple):
            continue
        for call in (each for each in walk(statement) if isinstance(each, ast.Call)):
            callee = called_function(call, function)
            if callee is None:
                continue
            arrays = _takes_arrays(call, function) or uses_arrays(callee, function)
            if not arrays and not (_stores_element(statement, function) and is_pure(callee, function)):
                continue
            if _because(callee, function) is None and not isinstance(_arguments(call, callee, function), str):
                return call, callee
    return None


def can_be_inlined(node: ast.AST, function: Function) -> bool:
    """Whether it is a call of a function whose statements may stand in its place, in some statement."""
    callee = called_function(node, function) if isinstance(node, ast.Call) else None
    if callee is None or not isinstance(node, ast.Call):
        return False
    fits = _because(callee, function) is None and not isinstance(_arguments(node, callee, function), str)
    return fits and with_single_return(with_names_apart(callee)) is not None


def leads_to_array_code(function: Function) -> bool:
    """Whether the text of a loop, or of a function or method of the file that it leads to, shows arrays.

    Of what class an object is, whose method is called, is not asked: only a run tells.
    """
    if any(_shows_arrays(each.body, function.node, function) for each in _loops_of(function)):
        return True
    return any(uses_arrays(each, function) for each in _called_in_loops(function))


def leads_to_arithmetic(function: Function) -> bool:
    """Whether a loop leads to a function or method of the file whose text computes."""
    callees = _called_in_loops(function)
    return any(isinstance(each, ast.BinOp) for callee in callees for each in walk(callee))


def _loops_of(function: Function) -> list[ast.For | ast.While]:
    return [each for each in function.statements() if isinstance(each, ast.For | ast.While)]


def _called_in_loops(function: Function) -> Iterator[ast.FunctionDef]:
    """The functions and methods of the file to which the names in loops lead."""
    every, seen = _functions(function.document.tree), set[ast.FunctionDef]()
    pending = {name for loop in _loops_of(function) for name, _ in _names_called(loop.body, ())}
    while pending:
        for callee in every.get(pending.pop(), ()):
            if callee in seen:
                continue
            yield callee
            seen.add(callee)
            pending |= {name for name, _ in _called_names(callee)}


def _stores_element(statement: Simple, function: Function) -> bool:
    # In a loop of the module the callee would be decorated, whose calls are too short for that.
    if isinstance(function.node, ast.Module):
        return False
    targets = statement.targets if isinstance(statement, ast.Assign) else [getattr(statement, "target", None)]
    places = [each.slice for each in targets if isinstance(each, ast.Subscript)]
    return bool(places) and not any(isinstance(each, ast.Slice) for place in places for each in walk(place))


def _takes_arrays(call: ast.Call, function: Function) -> bool:
    values = function.facts.expressions.values
    given = [*call.args, *(each.value for each in call.keywords)]
    return any(isinstance(values.get(each), Array) for each in given)


def uses_arrays(callee: ast.FunctionDef, function: Function) -> bool:
    """Whether the text of a function shows that it computes with arrays."""
    return _shows_arrays(callee.body, callee, function)


def _shows_arrays(statements: Sequence[ast.stmt], scope: Scope, function: Function) -> bool:
    for each in (node for statement in statements for node in walk(statement)):
        dotted = function.names.dotted(each.func, scope) if isinstance(each, ast.Call) else None
        if (dotted or "").startswith("numpy.") or shows_arrays(each, ()):
            return True
    return False


def _is_settled_attribute(node: ast.expr, callee: ast.FunctionDef, function: Function) -> bool:
    """Whether ``self.u`` as an argument is what stays the same object while the callee runs."""
    owner = owner_of(node.value, function) if isinstance(node, ast.Attribute) else None
    if owner is None or not isinstance(node, ast.Attribute):
        return False
    return owner_of(node, function) is not None or (
        node.attr in dict(owner.attributes) and is_pure(callee, function)
    )


def _inlining(
    statement: Simple, call: ast.Call, callee: ast.FunctionDef, function: Function
) -> Inlining | Problem:
    because, arguments = _because(callee, function), _arguments(call, callee, function)
    if because is None and isinstance(arguments, str):
        because = arguments
    if because is not None or isinstance(arguments, str):
        return Problem("not-inlinable", f"`{callee.name}(...)` stays a call: {because}", call)
    stored, flags = stored_names(*callee.body), constants_at(statement, function)
    literals = {name: value for name, value in arguments if is_literal(value) and name not in stored}
    flagged = {name: constant(value, flags) for name, value in arguments if name not in stored}
    decided = {name: value for name, value in flagged.items() if value is not None}
    chosen = with_constant_branches(with_literals(with_names_apart(callee), literals), decided)
    single = with_single_return(chosen)
    because = "it returns in several places, out of a loop with `break` or after both arms of an if"
    if single is not None:
        because = _because_of_place(statement, call, single, function)
    if because is not None or single is None:
        return Problem("not-inlinable", f"`{callee.name}(...)` stays a call: {because}", call)
    known = without_aliases(single)
    stored = stored_names(*known.body)
    others = [(name, value) for name, value in arguments if name not in literals]
    standing = [
        (name, value)
        for name, value in others
        if name not in stored and _may_stand(value, statement, known, function)
    ]
    bound = [pair for pair in others if pair not in standing]
    before = evaluated_before(call, in_order(statement), not is_pure(single, function), function)
    return Inlining(statement, call, known, tuple(standing), tuple(bound), tuple(before))


def _may_stand(value: ast.expr, statement: ast.stmt, callee: ast.FunctionDef, function: Function) -> bool:
    """Whether an argument is the same wherever the callee reads it, and raises nowhere."""
    if not isinstance(value, ast.Name):
        return _is_settled_attribute(value, callee, function) or is_method(value, function)
    if function.dotted(value) is not None:
        return True
    return function.is_local(value.id) and surely_set(value.id, statement, function)


def _because(callee: ast.FunctionDef, function: Function) -> str | None:
    """Why the statements of a function cannot be copied elsewhere."""
    nodes = [each for statement in callee.body for each in walk(statement)]
    statements = [each for each in nodes if isinstance(each, ast.stmt)]
    decorators = [each for each in callee.decorator_list if _of_class(each) is None]
    special = callee.name.startswith("__") and callee.name.endswith("__") and callee.name != CALL
    if special or not all(map(function.is_jit, decorators)):
        return "it is decorated"
    if _without_object(callee) and callee.args.args[0].arg in names_in(*callee.body):
        return "it uses its class"
    if not _OF_CLASS.isdisjoint(names_in(*callee.body)):
        return "it uses its class"
    if is_private_elsewhere(callee, function):
        return "it uses private names of its class"
    if callee.args.vararg or callee.args.kwarg:
        return "it takes any number of arguments"
    if len(statements) > MOST_STATEMENTS:
        return f"it has more than {MOST_STATEMENTS} statements"
    at_once = _evaluated_at_once(callee, nodes, function)
    others: list[ast.AST] = [each for each in nodes if isinstance(each, _OTHER) and each not in at_once]
    others += [each for each in statements if not isinstance(each, _STATEMENTS)]
    if others:
        return f"it holds `{word_of(others[0])}`"
    if any(_leads_to(callee, each, function) for each in (callee, function.node)):
        return "it may call itself"
    if counts_callers(callee) or any(map(counts_callers, _reached(callee, function))):
        return "it, or a function that it calls, looks at the frames above its own"
    own = {*stored_names(*callee.body)} - {*parameter_names(callee.args)}
    unset = next((each for each in exposed(callee.body).read if each in own), None)
    if unset is not None:
        return f"`{unset}` may be unset where it is read, and the exception names it"
    given = names_for(callee, function)
    free = [each for each in _free_names(callee) if each not in given]
    hidden = next((each for each in free if _means_another(each, callee, function)), None)
    return f"`{hidden}` means something else here" if hidden is not None else None


def _evaluated_at_once(callee: ast.FunctionDef, nodes: Sequence[ast.AST], function: Function) -> set[ast.AST]:
    """The comprehensions whose variables nobody sees later: ``[f(x) for x in y]``, ``sum(x for x in y)``."""
    own, tree = bound_names(callee), function.document.tree
    found: list[ast.ListComp | ast.GeneratorExp] = []
    for each in nodes:
        match each:
            case ast.ListComp():
                found.append(each)
            case ast.Call(ast.Name(name) as called, [ast.GeneratorExp() as given, *_]) if name not in own:
                python = python_function(function.names.dotted(called, tree))
                if python is not None and (python.folds or python.computes in ("some", "every")):
                    found.append(given)
    return {each for each in found if not any(part.is_async for part in each.generators)}


def _because_of_place(
    statement: Simple, call: ast.Call, callee: ast.FunctionDef, function: Function
) -> str | None:
    whole = statement.value is call
    if callee.body[-1].__class__ is not ast.Return and not (whole and isinstance(statement, ast.Expr)):
        return "it returns nothing"
    parts = in_order(statement)
    if not any(each is call for part in parts for each in walk(part)):
        return "it is called for a target"
    sometimes = [each for part in parts for each in walk(part) if isinstance(each, SOMETIMES)]
    if any(isinstance(each, _BINDING) or call in [*walk(each)] for each in sometimes):
        return "it may not be called, or called several times"
    pure = is_pure(callee, function)
    if isinstance(statement, ast.AugAssign) and not isinstance(statement.target, ast.Name) and not pure:
        return "it may change what the statement has read"
    before = evaluated_before(call, parts, not pure, function)
    # A name in place of the target of `x += f()` would get the sum in its place.
    fixed = any(
        isinstance(each, ast.Starred) or each is getattr(statement, "target", None) for each in before
    )
    return "something is evaluated before it that it may change" if fixed else None


def _arguments(
    call: ast.Call, callee: ast.FunctionDef, function: Function
) -> tuple[tuple[str, ast.expr], ...] | str:
    """The parameters and their expressions; or why the call does not fit."""
    positional = [each.arg for each in (*callee.args.posonlyargs, *callee.args.args)]
    given = [*call.args]
    if _without_object(callee):
        # Nothing in it reads its class.
        given.insert(0, ast.copy_location(ast.Constant(None), call))
    elif called_object(call, function) is not None:
        given.insert(0, call.func)
    elif isinstance(call.func, ast.Attribute) and not _takes_no_object(call.func, callee, function):
        given.insert(0, call.func.value)
    keyword_only = [each.arg for each in callee.args.kwonlyargs]
    starred = any(isinstance(each, ast.Starred) for each in given)
    if starred or any(each.arg is None for each in call.keywords) or len(given) > len(positional):
        return "its arguments are not written out"
    bound = dict(zip(positional, given, strict=False))
    by_name = {*positional[len(callee.args.posonlyargs) :], *keyword_only}
    for each in call.keywords:
        if each.arg is None or each.arg not in by_name or each.arg in bound:
            return "its arguments do not fit"
        bound[each.arg] = each.value
    values = defaults(callee.args)
    for name in (*positional, *keyword_only):
        if name in bound:
            continue
        default = values.get(name)
        if default is None:
            return f"`{name}` is missing"
        if not is_literal(default) and not _stays(default, callee, function):
            return f"the default of `{name}` is not a literal"
        bound[name] = default
    return tuple(bound.items())


def _stays(node: ast.expr, callee: ast.FunctionDef, function: Function) -> bool:
    """Whether a default is at each call what it was when the function was defined: ``2 * np.pi``, ``n=N``."""
    tree = function.document.tree
    match node:
        case ast.BinOp(left=left, right=right):
            return _stays(left, callee, function) and _stays(right, callee, function)
        case ast.UnaryOp(operand=operand):
            return _stays(operand, callee, function)
        case ast.Name(name):
            own = function.names.is_bound_once(name, tree) and not _means_another(name, callee, function)
            return own and callee in tree.body
        case ast.Attribute(ast.Name(name)) if not _means_another(name, callee, function):
            module, _, constant_name = (function.names.dotted(node, tree) or "").rpartition(".")
            return module in ("math", "numpy") and isinstance(getattr(math, constant_name, None), float)
    return is_literal(node)


def _takes_no_object(called: ast.Attribute, callee: ast.FunctionDef, function: Function) -> bool:
    """Whether it is a static method, or a function that the object holds."""
    return any(map(_of_class, callee.decorator_list)) or held_function(called, function) is not None


def _of_class(decorator: ast.expr) -> str | None:
    """``staticmethod`` or ``classmethod``, if a decorator is one of them."""
    match decorator:
        case ast.Name(id="staticmethod" | "classmethod" as kind):
            return kind
    return None


def _without_object(callee: ast.FunctionDef) -> bool:
    """Whether a method gets its class in the place of an object."""
    return any(_of_class(each) == "classmethod" for each in callee.decorator_list) and bool(callee.args.args)


def local_name(called: str, name: str) -> str:
    """What a variable of a function is called where its statements stand in place of a call, if it can."""
    return f"{called.strip('_')}_{name}"


def bound_names(callee: ast.FunctionDef) -> set[str]:
    """The names that a function binds itself, parameters included."""
    return stored_names(*callee.body) | set(parameter_names(callee.args))


def _free_names(callee: ast.FunctionDef) -> list[str]:
    own = bound_names(callee)
    return [each.id for each in name_nodes(*callee.body) if each.id not in own]


def _means_another(name: str, callee: ast.FunctionDef, function: Function) -> bool:
    """Whether a name that the callee takes from the module is a local name of the caller."""
    # A function made from a lambda is not in the tree, but the expression that it returns is.
    own_parts = (callee, getattr(callee.body[-1], "value", None))
    inner = any(id(part) in _parts(function.node) for part in own_parts)
    own = not isinstance(function.node, ast.Module) and function.is_local(name)
    return not inner and (own or function.names.is_captured(name, function.node))


def _leads_to(callee: ast.FunctionDef, wanted: ast.AST, function: Function) -> bool:
    """Whether a function calls ``wanted``, directly or through other functions of the file.

    A method that another class has too, ``agent.update()``, is that of the other class, unless it is called
    for ``self``: what it is really is found as it is inlined, and so much is inlined at most.
    """
    return any(
        wanted in found or (not found and name == getattr(wanted, "name", None))
        for name, found in _names_reached(callee, function)
    )


def _reached(callee: ast.FunctionDef, function: Function) -> Iterator[ast.FunctionDef]:
    """The functions of the file that a function calls, directly or through others."""
    return (each for _, found in _names_reached(callee, function) for each in found)


def _names_reached(
    callee: ast.FunctionDef, function: Function
) -> Iterator[tuple[str, Sequence[ast.FunctionDef]]]:
    """The names that a function calls, directly or through others, with what each may mean in the file."""
    tree = function.document.tree
    own, outer = lambdas_of(function.node), lambdas_of(tree)
    seen: set[ast.FunctionDef] = set()
    pending = [callee]
    while pending:
        node = pending.pop()
        for name, owner in _called_names(node):
            lambdas = [each[name] for each in (outer, own) if name in each]
            found = [*_meant(node, name, owner, tree)] or lambdas[:1]
            yield name, found
            pending += [each for each in found if each not in seen]
            seen.update(found)


def _meant(
    node: ast.FunctionDef, name: str, owner: str | None, tree: ast.Module
) -> Sequence[ast.FunctionDef]:
    """The functions of a module that a name in one of them, or a method of ``owner``, may mean."""
    every, classes = _functions(tree).get(name, ()), owner_classes(tree)
    if owner is None:
        return [each for each in every if each not in classes] or every
    own = [each for each in every if each in classes and classes[each] is classes.get(node)]
    if owner == _object_name(node):
        return own or every
    return [each for each in every if each not in own] or every


def _object_name(node: ast.FunctionDef) -> str | None:
    return node.args.args[0].arg if node.args.args else None


@kept
def _functions(tree: ast.Module) -> Mapping[str, Sequence[ast.FunctionDef]]:
    """The functions in a module, by their names."""
    found: dict[str, list[ast.FunctionDef]] = {}
    for each in walk(tree):
        if isinstance(each, ast.FunctionDef):
            found.setdefault(each.name, []).append(each)
    return found


@kept
def _parts(scope: ast.AST) -> frozenset[int]:
    """The identities of a scope's nodes."""
    return frozenset(map(id, walk(scope)))


@kept
def _called_names(callee: ast.FunctionDef) -> set[tuple[str, str | None]]:
    """The names of the functions and methods that a function may call."""
    return {*_names_called(callee.body, bound_names(callee))}


def _names_called(statements: Sequence[ast.stmt], own: Collection[str]) -> Iterator[tuple[str, str | None]]:
    """The names of methods that statements call, with that of the object or "", and all others that may be
    those of functions, with None."""
    for each in (node for statement in statements for node in walk(statement)):
        match each:
            case ast.Call(func=ast.Attribute(value=owner, attr=name)):
                yield name, owner.id if isinstance(owner, ast.Name) else ""
            case ast.Name(id=name) if name not in own:
                yield name, None
