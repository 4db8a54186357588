"""The small tables of numbers that a loop only runs over: which names they are, and what they hold."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence

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
    """The display of numbers that the text binds to a name, or to the attribute for which it stands."""
    spelt = function.module.spelling.get(name)
    scope = function.document.tree if spelt is not None or not function.is_local(name) else function.node
    return _tables_in(scope).get(spelt or name)


@kept
def _tables_in(scope: ast.AST) -> Mapping[str, tuple[ast.expr, Table]]:
    """The tables that a scope, or one in it, binds to names and attributes."""
    found: dict[str, tuple[ast.expr, Table]] = {}
    for each in ast.walk(scope):
        match each:
            case ast.Assign(
                targets=[ast.Name() | ast.Attribute() as target], value=ast.List() | ast.Tuple() as value
            ):
                table = table_of(_literal(value))
                if table is not None:
                    found[ast.unparse(target)] = value, table
    return found


def _literal(node: ast.expr) -> object:
    try:
        return ast.literal_eval(node)
    except ValueError:
        return None
