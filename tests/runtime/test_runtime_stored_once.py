"""Which values of a graph are stored: costly ones that are read at several positions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

torch = pytest.importorskip("torch")


def _stored(function: Callable[..., Any]) -> list[str]:
    """What is stored of a graph of a vector of nine elements."""
    from torch.fx.experimental.proxy_tensor import make_fx

    from nprewrite.runtime.torch.stored_once import StoreOnce

    made = make_fx(function, tracing_mode="fake")(torch.zeros(9))
    StoreOnce()(made.graph)
    made.graph.lint()
    x = torch.linspace(0.5, 3.0, 9)
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
