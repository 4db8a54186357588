"""Functions that a script calls once, below ``if __name__ == "__main__":``."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator


def entry_points(tree: ast.Module) -> dict[str, ast.FunctionDef]:
    """The functions without parameters that only such a block calls, in one place that is in no loop."""
    names = [each for each in ast.walk(tree) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load)]
    used = Counter(each.id for each in names)
    called = {each for block in tree.body if _is_main(block) for each in _called(block)}
    functions = (each for each in tree.body if isinstance(each, ast.FunctionDef))
    once = (each for each in functions if each.name in called and used[each.name] == 1)
    return {each.name: each for each in once if _is_plain(each)}


def _is_main(statement: ast.stmt) -> bool:
    match statement:
        case ast.If(
            test=ast.Compare(
                left=ast.Name("__name__"), ops=[ast.Eq()], comparators=[ast.Constant("__main__")]
            )
        ):
            return True
    return False


def _called(block: ast.stmt) -> Iterator[str]:
    """The functions that statements of the block call without arguments: ``sys.exit(main())``."""
    assert isinstance(block, ast.If)
    for statement in block.body:
        if isinstance(statement, ast.Expr | ast.Assign | ast.Raise):
            for each in ast.walk(statement):
                match each:
                    case ast.Call(func=ast.Name(name), args=[], keywords=[]):
                        yield name


def _is_plain(function: ast.FunctionDef) -> bool:
    taken = function.args
    return not (
        function.decorator_list
        or any((taken.posonlyargs, taken.args, taken.kwonlyargs, taken.vararg, taken.kwarg))
    )
