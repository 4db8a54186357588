"""Functions with early returns, and the same with one return at the end."""

from __future__ import annotations

import ast
import itertools
from typing import Any

import pytest

from nprewrite.program.single_return import with_single_return

FOLLOWED = [
    "if x > y:\n    return x\nreturn y",
    "if x > y:\n    return x\nelse:\n    return y",
    "if x > 0:\n    return 'a'\nelif x < 0:\n    return 'b'\nz = x + y\nreturn z, z",
    "if x > 0:\n    if y > 0:\n        return 1\n    x = -x\nelse:\n    return 2\nreturn x",
    "result = x\nif y:\n    result += 1\n    return result\nfor i in range(3):\n    x -= i\nreturn x",
    "for i in range(x):\n    if i > y:\n        return i\nreturn -1",
    "while x < 3:\n    x += 1\n    return x\nreturn y",
    "for i in range(x):\n    if i > 9:\n        raise ValueError\n    if i > y:\n        return i\nreturn -1",
    "if x > 9:\n    return 1\nelif x < 9:\n    return 2\nelse:\n    raise ValueError(y)",
    "if x == 1:\n    return 'one'\nif x == 2:\n    return 'two'\nif x == 0:\n    x += y\nreturn x\nx = 7",
]
FALLING = [
    "if x > y:\n    return\nseen.append(x)",
    "if x > y:\n    return None\nelse:\n    seen.append(y)\nseen.append(x)",
    "if x > y:\n    seen.append(1)\n    return\nif x > 0:\n    return\nseen.append(3)",
    "if x > 0:\n    if y > 0:\n        return\n    seen.append(1)\nelse:\n    return\nseen.append(2)\nreturn",
    "seen.append(x)\nif x:\n    return\nelse:\n    return\nseen.append(y)",
    "for i in range(x):\n    seen.append(i)\nif y < 0:\n    return\nseen.append(-1)\nreturn",
]
STAYS = [
    "for i in range(x):\n    if i > y:\n        return\nseen.append(1)",
    "if x > 0:\n    if y > 0:\n        return\nelif y < 0:\n    return\nseen.append(3)",
    "for i in range(x):\n    if i > y:\n        return i\n    if i == 2:\n        break\nreturn -1",
    "for i in range(x):\n    if i > y:\n        return i",
    "if x > y:\n    return x",
    "if x > y:\n    return\nreturn y",
    "if x > 0:\n    if y > 0:\n        return 1\nelif y < 0:\n    return 2\nreturn 3",
    "try:\n    return x / y\nexcept ZeroDivisionError:\n    return 0",
]


def defined(body: str) -> ast.FunctionDef:
    lines = "\n".join(f"    {line}" for line in body.splitlines())
    (function,) = ast.parse(f"def f(x, y):\n{lines}\n").body
    assert isinstance(function, ast.FunctionDef)
    return function


def called(function: ast.FunctionDef, x: int, y: int) -> Any:
    names: dict[str, Any] = {}
    exec(compile(ast.Module([function], []), "<test>", "exec"), names)
    return names["f"](x, y)


@pytest.mark.parametrize("body", FOLLOWED)
def test_the_same_value_on_every_path(body: str) -> None:
    function = defined(body)
    single = with_single_return(function)
    assert single is not None
    returns = [each for each in ast.walk(single) if isinstance(each, ast.Return)]
    assert returns == [single.body[-1]]
    for x, y in itertools.product(range(-2, 4), repeat=2):
        assert called(single, x, y) == called(function, x, y)
    assert ast.unparse(function) == ast.unparse(defined(body))


@pytest.mark.parametrize("body", FALLING)
def test_the_same_is_done_on_every_path(body: str) -> None:
    function = defined(body)
    single = with_single_return(function)
    assert single is not None
    assert not any(isinstance(each, ast.Return) for each in ast.walk(single))
    for x, y in itertools.product(range(-2, 4), repeat=2):
        assert seen(single, x, y) == seen(function, x, y)
    assert ast.unparse(function) == ast.unparse(defined(body))


def seen(function: ast.FunctionDef, x: int, y: int) -> list[int]:
    names: dict[str, Any] = {"seen": []}
    exec(compile(ast.Module([function], []), "<test>", "exec"), names)
    assert names["f"](x, y) is None
    found: list[int] = names["seen"]
    return found


@pytest.mark.parametrize("body", STAYS)
def test_what_cannot_be_written_stays(body: str) -> None:
    assert with_single_return(defined(body)) is None


def test_one_return_is_left_alone() -> None:
    for body in ("x += y\nreturn x", "print(x)"):
        function = defined(body)
        assert with_single_return(function) is function
