"""What the text of a function shows at a glance."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from nprewrite.base.syntax import walk, words_in
from nprewrite.source.kept import kept
from nprewrite.source.names import Scope, statements_of

LOOPS = ast.For | ast.While | ast.ListComp | ast.GeneratorExp
ARITHMETIC = ast.BinOp | ast.AugAssign
_LOOKS = frozenset(
    ("add", "append", "callable", "isinstance", "partial", "print", "signature", "update_wrapper", "wraps")
)
"""Functions to which a decorator may hand what it is given: they do not mind that it is no plain function."""
_OF_CALLERS = frozenset(("_getframe", "currentframe", "stacklevel"))


@kept
def counts_callers(node: ast.AST) -> bool:
    """Whether a function looks at its calling frames, of which a decorator's would be one."""
    return any(_counts_callers(each) for each in walk(node))


def _counts_callers(node: ast.AST) -> bool:
    match node:
        case ast.Call(ast.Name("warn") | ast.Attribute(attr="warn"), [_, _, _, *_]):
            # Its third argument is `stacklevel`.
            return True
        case ast.Attribute(attr=word) | ast.keyword(arg=word) | ast.arg(word) | ast.Name(word):
            return word in _OF_CALLERS
    return False


def may_get_decorator(node: ast.FunctionDef, tree: ast.Module) -> bool:
    """Whether a function has no decorators but those of its file that take whatever can be called."""
    return all_take_callables(node.decorator_list, node, tree)


def all_take_callables(decorators: Sequence[ast.expr], node: ast.FunctionDef, tree: ast.Module) -> bool:
    """Whether some decorators of a function are of its file, and take whatever can be called.

    Not those of a function that calls itself through them: it would go twice as deep.
    """
    if not decorators:
        return True
    if any(node.name in words_in(each) for each in node.body):
        return False
    return all(_takes_callables(each, tree) for each in decorators)


def _takes_callables(decorator: ast.expr, tree: ast.Module) -> bool:
    """Whether a decorator is a function or class of the file that hands what it is given to no other one."""
    name = getattr(decorator.func if isinstance(decorator, ast.Call) else decorator, "id", "")
    made: list[ast.stmt] = [each for each in tree.body if getattr(each, "name", None) == name]
    if isinstance(decorator, ast.Call):
        # The function that it makes decorates.
        made = [inner for each in made if isinstance(each, ast.FunctionDef) for inner in each.body]
        made = [each for each in made if isinstance(each, ast.FunctionDef)]
    match made:
        case [ast.FunctionDef(args=ast.arguments(args=[taken, *_])) as taking]:
            return not _is_handed_on(taken.arg, taking)
        case [ast.ClassDef(body=body)]:
            methods = {each.name: each for each in body if isinstance(each, ast.FunctionDef)}
            begins = methods.get("__init__")
            if begins is None or len(begins.args.args) < 2:
                return False
            return not _is_handed_on(begins.args.args[1].arg, begins)
    return False


def _is_handed_on(name: str, node: ast.FunctionDef) -> bool:
    """Whether a function passes what ``name`` stands for to others, which may be compilers."""
    for call in (each for each in walk(node) if isinstance(each, ast.Call)):
        passed = (*call.args, *(each.value for each in call.keywords))
        called = getattr(call.func, "attr", None) or getattr(call.func, "id", None)
        if called not in _LOOKS and any(getattr(each, "id", None) == name for each in passed):
            return True
    return False


def computes_in_loops(node: ast.AST) -> bool:
    """Whether there is arithmetic in a loop or a comprehension of a function."""
    loops = (each for each in walk(node) if isinstance(each, LOOPS))
    return any(isinstance(inner, ARITHMETIC) for each in loops for inner in walk(each))


def yields(scope: Scope) -> bool:
    """Whether a function is a generator, which stays as it is."""
    return any(isinstance(each, ast.Yield | ast.YieldFrom) for each in statements_of(scope))
