"""Which values of a graph are stored: those that loops read several times, if computing them takes longer."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest

torch = pytest.importorskip("torch")


def _stored(function: Callable[..., Any], *shape: int, tracing: str = "fake") -> list[str]:
    """What is stored of a graph of an array, of nine elements if no shape is given."""
    from torch.fx.experimental.proxy_tensor import make_fx

    from nprewrite.runtime.torch.stored_once import StoreOnce

    made = make_fx(function, tracing_mode=tracing)(torch.zeros(shape or 9))
    StoreOnce()(made.graph)
    made.graph.lint()
    x = torch.linspace(0.5, 3.0, math.prod(shape or (9,))).reshape(shape or (9,))
    assert torch.equal(torch.fx.Interpreter(made).run(x), function(x))
    realized = [each for each in made.graph.nodes if "realize" in str(each.target)]
    return [str(each.args[0]) for each in realized]


def test_a_sine_at_two_positions_is_stored() -> None:
    assert _stored(lambda x: torch.sin(x)[1:] - torch.sin(x)[:-1]) == []
    assert _stored(lambda x: (y := torch.sin(x))[1:] - y[:-1]) == ["sin"]


def test_what_is_made_of_it_alone_is_stored_in_its_place() -> None:
    assert _stored(lambda x: (y := 2 * torch.cos(x) + 1)[1:] * y[:-1]) == ["add"]


def test_parts_of_whole_arrays_are_positions() -> None:
    def sums(x: Any) -> Any:
        flow = torch.sin(x[1:] - x[:-1])
        left = torch.slice_scatter(torch.zeros_like(x), flow, 0, 0, 8)
        return x + left - torch.slice_scatter(torch.zeros_like(x), -flow, 0, 1, 9)

    assert _stored(sums) == ["sin"]


def test_cheap_values_and_values_at_one_position_are_not() -> None:
    assert _stored(lambda x: (y := x * 3)[1:] - y[:-1]) == []
    assert _stored(lambda x: (y := torch.sin(x)) * y + y) == []
    assert _stored(lambda x: torch.sin(x)[1:]) == []


@pytest.mark.parametrize("tracing", ["fake", "symbolic"])
def test_what_is_read_for_every_pair_is_stored(tracing: str) -> None:
    def pairs(x: Any) -> Any:
        ratio = 2 * torch.pow(x, 1.5) / x
        return ratio[:, None] + ratio[None, :]

    assert _stored(pairs, 9, tracing=tracing) == ["div"]
    assert _stored(lambda x: (x + 1)[:, None] + (x + 1)[None, :], 9, tracing=tracing) == []


def test_a_quotient_is_computed_again_for_few() -> None:
    assert _stored(lambda x: (x / 3)[:, None] + torch.ones(9, 2), 9) == []
    assert _stored(lambda x: (x / 3)[:, None] + torch.ones(9, 5), 9) == ["div"]


@pytest.mark.parametrize("tracing", ["fake", "symbolic"])
def test_columns_that_are_read_for_every_pair_are_copied(tracing: str) -> None:
    def distances(x: Any) -> Any:
        column = x[:, 1:2]
        return column.T - column

    assert _stored(distances, 9, 3, tracing=tracing) == ["clone_default"]
    both = _stored(lambda x: x[:, 0][None, :] - x[:, 1][:, None], 9, 3, tracing=tracing)
    assert both == ["clone_default", "clone_default_1"]
    assert _stored(lambda x: x[0][None, :] - x[0][:, None], 9, 3, tracing=tracing) == []
    assert _stored(lambda x: x[:, 0] - x[:, 1], 9, 3, tracing=tracing) == []
