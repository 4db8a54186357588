"""The attributes of its arguments that a function of loops sets, as parameters of their own.

``self.energy += de`` is lowered as ``self_energy += de``. The runtime reads the number before the loop runs,
and sets the attribute when it has ended, however that was.
"""

from __future__ import annotations

import ast
import copy
import re
from collections.abc import Callable, Sequence
from typing import Any

from nprewrite.base.objects import is_frozen
from nprewrite.base.syntax import expression_tree, fresh_name, names_in, root_name
from nprewrite.runtime.api.refusal import Refused


class SetAttributes:
    """Attributes, and entries under literals, ``texts``, of what the function ``written`` gets.

    Of ``tree`` they are the last parameters, with these ``names``; the objects are no parameters of it.
    """

    def __init__(self, written: ast.FunctionDef, texts: Sequence[str]) -> None:
        self.names: tuple[str, ...] = ()
        self.tree = written
        if not texts:
            return
        given = [each.arg for each in written.args.args]
        nodes = [expression_tree(each) for each in texts]
        self._objects = {given.index(root) for each in nodes if (root := root_name(each)) is not None}
        made = _fresh([ast.unparse(each) for each in nodes], {*given, *names_in(written)})
        self.names = tuple(made.values())
        self.tree = _Naming(made).visit(copy.deepcopy(written))
        self.tree.args.args = [*self._others(self.tree.args.args), *map(ast.arg, self.names)]
        values = fresh_name("values", {*given})
        self._read = made_function(given, f"return {', '.join(texts)},")
        owners = [ast.unparse(each.value) for each in nodes if isinstance(each, ast.Attribute)]
        self._owners = made_function(
            given, f"return ({''.join(f'{each}, ' for each in dict.fromkeys(owners))})"
        )
        self._set = made_function([*given, values], f"{', '.join(texts)}, = {values}")

    def taken(self, arguments: Sequence[Any]) -> Sequence[Any]:
        """The arguments of ``tree`` for those of the function; raises ``Refused`` where one has no value."""
        if not self.names:
            return arguments
        try:
            taken = [*self._others(arguments), *self._read(*arguments)]
            owners = self._owners(*arguments)
        except (AttributeError, LookupError) as error:
            raise Refused("an attribute without a value", silent=True) from error
        if any(is_frozen(type(each)) for each in owners):
            raise Refused("an attribute that cannot be set", silent=True)
        return taken

    def give_back(self, arguments: Sequence[Any], values: Sequence[object]) -> None:
        """Set the attributes of what the function got."""
        self._set(*arguments, values)

    def _others(self, arguments: Sequence[Any]) -> list[Any]:
        return [each for k, each in enumerate(arguments) if k not in self._objects]


def _fresh(texts: Sequence[str], taken: set[str]) -> dict[str, str]:
    """New names for attributes: ``self_energy`` for ``self.energy``."""
    return {text: fresh_name(re.sub(r"\W+", "_", text).strip("_"), taken) for text in texts}


def made_function(parameters: Sequence[str], statement: str) -> Callable[..., Any]:
    """The function of these parameters that consists of a statement."""
    made: dict[str, Any] = {}
    exec(f"def function({', '.join(parameters)}):\n    {statement}", made)
    function: Callable[..., Any] = made["function"]
    return function


class _Naming(ast.NodeTransformer):
    """Names for attributes, at their places."""

    def __init__(self, names: dict[str, str]) -> None:
        self._names = names

    def visit_Attribute(self, node: ast.Attribute | ast.Subscript) -> ast.expr:
        """``self_energy`` for ``self.energy``."""
        name = self._names.get(ast.unparse(node))
        if name is None:
            self.generic_visit(node)
            return node
        return ast.copy_location(ast.Name(name, node.ctx), node)

    visit_Subscript = visit_Attribute
