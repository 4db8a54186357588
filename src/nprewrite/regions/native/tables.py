"""The small tables of numbers that a loop only runs over: which names they are, and what they hold."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence

from nprewrite.base.syntax import walk
from nprewrite.lowering.arrays import TableArgument
from nprewrite.lowering.tables import Table, only_run_over, table_of
from nprewrite.program.function import Function
from nprewrite.source.kept import kept


def tables_for(
    statements: Sequence[ast.stmt], inputs: Sequence[str], function: Function
) -> Mapping[str, TableArgument]:
    """The inputs that the text shows to be such tables; the runtime looks what they hold."""
    found = {}
    for name in only_run_over(inputs, statements, function.dotted):
        written = written_table(name, function)
        if written is not None:
            found[name] = TableArgument(written[1])
    return found


def written_table(name: str, function: Function) -> tuple[ast.expr, Table] | None:
    """The display of numbers that alone the text binds to a name, or to the attribute for which it stands."""
    spelt = function.module.spelling.get(name)
    if spelt is not None:
        return _tables_in(function.document.tree).get(spelt)
    scope = function.node if function.is_local(name) else function.document.tree
    return _tables_in(scope).get(name) if function.names.is_bound_once(name, scope) else None


@kept
def _tables_in(scope: ast.AST) -> Mapping[str, tuple[ast.expr, Table]]:
    """The tables that a scope, or one in it, binds to names and attributes, each in one place."""
    found: dict[str, list[tuple[ast.expr, Table] | None]] = {}
    for each in walk(scope):
        match each:
            case ast.Assign(targets=[ast.Name() | ast.Attribute() as target], value=value):
                name = target.id if isinstance(target, ast.Name) else ast.unparse(target)
                table = table_of(_literal(value)) if isinstance(value, ast.List | ast.Tuple) else None
                found.setdefault(name, []).append(None if table is None else (value, table))
    alone = {name: bound[0] for name, bound in found.items() if len(bound) == 1}
    return {name: each for name, each in alone.items() if each is not None}


def _literal(node: ast.expr) -> object:
    try:
        return ast.literal_eval(node)
    except ValueError:
        return None
