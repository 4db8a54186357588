"""Texts that several threads of a program parse at a time."""

from __future__ import annotations

import ast
import gc
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from nprewrite.base.syntax import expression_tree, text_tree


def _let_others_run(*_: object) -> None:
    time.sleep(0)


@pytest.fixture
def many_switches() -> Iterator[None]:
    """Threads take turns where garbage is collected: in the middle of a tree."""
    thresholds = gc.get_threshold()
    gc.callbacks.append(_let_others_run)
    gc.set_threshold(50, 5, 5)
    yield
    gc.set_threshold(*thresholds)
    gc.callbacks.remove(_let_others_run)


def test_threads_parse_in_turns(many_switches: None) -> None:
    """CPython before 3.11.8 loses count of how deep it is where a thread comes between."""
    text = "\n".join(f"def f{k}(x):\n    return [x[{k}] + (1 - (y * {k})) for y in x]" for k in range(40))

    def parse(turn: int) -> int:
        return len(ast.dump(expression_tree("x + (y - 1)") if turn % 2 else text_tree(text)))

    with ThreadPoolExecutor(8) as threads:
        assert len({*threads.map(parse, range(100))}) == 2
