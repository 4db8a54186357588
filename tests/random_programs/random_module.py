"""The text of a module around the statements of ``run``: imports, helpers, the signature."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from random_hazards import HELPERS
from random_scope import Scope, Variable
from random_statements import Lines

Made = tuple[str, list[Variable]]
"""The text of a module, and the parameters of its ``run``."""


def module(scope: Scope, body: Lines, *, above: Sequence[str] = (), annotated: bool = True) -> Made:
    """The module whose ``run`` has this body, below the lines ``above``."""
    above = [*scope.functions, *above]
    used = names("\n".join(["def run():", *indented(body)]))
    used |= {"trips"} if "trips" in "\n".join(scope.functions) else set()
    parameters = [each for each in scope.variables + scope.numbers if each.parameter]
    sizes = [name for name in ("rows", "size", "trips") if name in used]
    parameters += [Variable(name, "int", "number", parameter=True) for name in sizes]
    used |= names("\n".join(above))
    helpers = HELPERS if used & names(HELPERS) - {"np", "v", "w", "by"} else ""
    imports = [f"import {name}" for name in ("math", "nprewrite", "random", "warnings") if name in used]
    lines = [
        *imports,
        "import numpy as np",
        "import numpy.typing as npt",
        helpers,
        *above,
        f"def run({signature(parameters, annotated=annotated)}):",
        *indented(body),
    ]
    return "\n".join(lines), parameters


def indented(body: Lines) -> Lines:
    """The lines of a block, some of which hold several."""
    return [f"    {line}" for text in body for line in text.split("\n")]


def names(text: str) -> set[str]:
    """The names that a text binds or reads."""
    nodes = list(ast.walk(ast.parse(text)))
    found = {node.id for node in nodes if isinstance(node, ast.Name)}
    return found | {node.name for node in nodes if isinstance(node, ast.FunctionDef)}


def signature(parameters: Sequence[Variable], *, annotated: bool = True) -> str:
    """``x: npt.NDArray[np.float64], trips: int``."""
    return ", ".join(_annotated(each) if annotated else each.name for each in parameters)


def _annotated(parameter: Variable) -> str:
    if parameter.shape == "number":
        return f"{parameter.name}: {parameter.dtype}"
    dtype = "bool_" if parameter.dtype == "bool" else parameter.dtype
    return f"{parameter.name}: npt.NDArray[np.{dtype}]"
