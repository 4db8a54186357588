"""Functions of texts, whose source can be read."""

from __future__ import annotations

import copy
import linecache
import math
from collections.abc import Callable, Sequence
from itertools import count
from typing import Any

import numpy as np

_numbers = count()


def function_of(text: str) -> Callable[..., Any]:
    """The last function that ``text`` defines; its source can be read as if it stood in a file."""
    name = f"<native test {next(_numbers)}>"
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    names: dict[str, Any] = {"np": np, "math": math}
    exec(compile(text, name, "exec"), names)
    return names["f"]  # type: ignore[no-any-return]


def outcome(function: Callable[..., Any], arguments: Sequence[Any], given: Sequence[Any]) -> str:
    """What a call gives or raises, and what is in the lists and dictionaries that are ``given`` then."""
    held = copy.deepcopy(given)
    result: Any
    try:
        result = function(*arguments, *held)
    except (ArithmeticError, AttributeError, LookupError, RuntimeError, TypeError, ValueError) as error:
        result = error
    return repr((result, held))


def switched(parameters: str, trips: str, statements: Sequence[str]) -> str:
    """A function that in each trip runs the statement whose number ``way[0]`` is: one compilation for all."""
    arms = [f"if way[0] == {k}:\n            {each}" for k, each in enumerate(statements)]
    body = "\n        ".join(arms)
    return f"def f({parameters}, way):\n    for i in range({trips}):\n        {body}\n"
