"""Functions that return in several places give the same with one return at their end."""

from __future__ import annotations

import ast
from collections.abc import Callable
from random import Random
from typing import Any

from nprewrite.program.single_return import with_single_return


class Writer:
    """Random statements that change `t`, with loops, `break`, `continue`, `return` and `raise`."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)

    def function(self) -> ast.FunctionDef:
        lines = [*self.block(0, 0), *self.block(0, 0)]
        lines += ["return t"] if self.random.random() < 0.8 else []
        (made,) = ast.parse("\n".join(["def f(t):", *indented(lines)])).body
        assert isinstance(made, ast.FunctionDef)
        return made

    def block(self, depth: int, loops: int) -> list[str]:
        found: list[str] = []
        for _ in range(self.random.randint(1, 3)):
            found += self.statement(depth, loops)
            if found[-1].startswith(("return", "raise", "break", "continue")):
                break
        return found

    def statement(self, depth: int, loops: int) -> list[str]:
        random, kind = self.random, self.random.random()
        if kind < 0.3 or depth > 3:
            return [f"t = t * {random.randint(2, 5)} % 1000 + {random.randint(0, 9)}"]
        if kind < 0.55:
            found = [f"if t % {random.randint(2, 4)} == {random.randint(0, 1)}:"]
            found += indented(self.block(depth + 1, loops))
            return [*found, *self.otherwise(0.4, depth, loops)]
        if kind < 0.75 and loops < 3:
            found = [f"for i{loops}{depth} in range({random.randint(0, 4)}):"]
            found += indented(self.block(depth + 1, loops + 1))
            return [*found, *self.otherwise(0.15, depth, loops)]
        if kind < 0.79:
            return ["raise ValueError(t)"]
        if kind < 0.87:
            return [f"return t + {random.randint(0, 9)}"]
        if loops and kind < 0.96:
            return ["continue" if kind < 0.93 else "break"]
        return ["t += 1"]

    def otherwise(self, share: float, depth: int, loops: int) -> list[str]:
        if self.random.random() >= share:
            return []
        return ["else:", *indented(self.block(depth + 1, loops))]


def indented(lines: list[str]) -> list[str]:
    return [f"    {each}" for each in lines]


def function_of(tree: ast.FunctionDef) -> Callable[[int], Any]:
    names: dict[str, Any] = {}
    exec(ast.unparse(tree), names)
    return names["f"]  # type: ignore[no-any-return]


def outcome(function: Callable[[int], Any], t: int) -> Any:
    try:
        return function(t)
    except ValueError as error:
        return "raised", error.args


def returns_in_loop(tree: ast.FunctionDef) -> bool:
    loops = (each for each in ast.walk(tree) if isinstance(each, ast.For | ast.While))
    return any(isinstance(each, ast.Return) for loop in loops for each in ast.walk(loop))


def test_random_functions() -> None:
    out_of_loops = 0
    for seed in range(1500):
        tree = Writer(seed).function()
        single = with_single_return(tree)
        if single is None:
            continue
        out_of_loops += returns_in_loop(tree)
        assert sum(isinstance(each, ast.Return) for each in ast.walk(single)) <= 1
        written, made = function_of(tree), function_of(single)
        for t in range(30):
            assert outcome(made, t) == outcome(written, t), ast.unparse(single)
    assert out_of_loops > 200


def test_a_loop_without_end() -> None:
    text = """
def f(t):
    while True:
        for k in range(t):
            if k * k > 50:
                return k
        t += 3
"""
    tree = ast.parse(text).body[0]
    assert isinstance(tree, ast.FunctionDef)
    single = with_single_return(tree)
    assert single is not None
    assert isinstance(single.body[-1], ast.Return)
    assert [function_of(single)(t) for t in range(20)] == [8] * 20
