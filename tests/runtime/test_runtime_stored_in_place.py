"""Which stores of a graph are made in place, and that every statement reads what NumPy's order gives it."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")

Array = Any


def _stores(step: Callable[..., Any], *shapes: tuple[int, ...]) -> list[str]:
    """What the graph of a step writes to, in order, where the runtime has it copy its results to targets."""
    from torch._inductor.fx_passes.post_grad import remove_noop_ops
    from torch._inductor.fx_passes.reinplace import decompose_generalized_scatter
    from torch._inductor.virtualized import V
    from torch.func import functionalize
    from torch.fx.experimental.proxy_tensor import make_fx

    from nprewrite.runtime.torch.stored_in_place import StoreInPlace

    def chunk(*tensors: Any) -> tuple[()]:
        results = step(*[each.clone() for each in tensors[: len(shapes)]])
        _store(tensors[len(shapes) :], results)
        return ()

    arrays = [torch.rand(shape, dtype=torch.float64) for shape in shapes]
    right = step(*[each.clone() for each in arrays])
    targets = [torch.full_like(each, np.nan) for each in right]
    made = make_fx(functionalize(chunk, remove="mutations"), tracing_mode="fake")(*arrays, *targets)
    given = made.graph.find_nodes(op="placeholder")
    names = {node: f"target {number}" for number, node in enumerate(given[len(shapes) :])}
    with V.set_fake_mode(given[0].meta["val"].fake_mode):
        remove_noop_ops(made.graph)
        StoreInPlace()(made.graph)
        # What stays a choice, in torch's own words again.
        decompose_generalized_scatter(made.graph)
    made.graph.lint()
    before = [each.clone() for each in arrays]
    made.recompile()
    made(*arrays, *targets)
    for found, wanted in zip([*arrays, *targets], [*before, *right], strict=True):
        torch.testing.assert_close(found, wanted, rtol=0, atol=0, equal_nan=True)
    copies = made.graph.find_nodes(op="call_function", target=torch.ops.aten.copy_.default)
    return [names.get(_memory(node.args[0]), "memory") for node in copies]


def _store(targets: Sequence[Any], results: Sequence[Any]) -> None:
    for target, value in zip(targets, results, strict=True):
        target.copy_(value)


def _memory(node: Any) -> Any:
    views = (torch.ops.aten.slice.Tensor, torch.ops.aten.select.int)
    return _memory(node.args[0]) if node.target in views else node


def test_of_a_stencil_the_frame_is_copied_and_the_inside_stored() -> None:
    def heat(u: Array) -> Any:
        old = u.clone()
        u[1:-1, 1:-1] = old[2:, 1:-1] + old[:-2, 1:-1] - old[1:-1, 1:-1]
        return (u,)

    # Above, below, left and right, then the inside; also where there is no inside.
    for shape in ((6, 7), (3, 3), (2, 5), (1, 1), (4, 0)):
        assert _stores(heat, shape) == ["target 0"] * 5


def test_between_the_elements_of_a_stepped_part_all_is_copied() -> None:
    def red(u: Array) -> Any:
        u[1:-1, ::2] = 2 * u[:-2, ::2]
        return (u,)

    assert _stores(red, (7, 6)) == ["target 0"] * 4


def test_what_is_stored_where_it_is_is_not_stored_again() -> None:
    def added(u: Array) -> Any:
        part = u[1:]
        part += 1.0
        u[1:] = part
        return (u,)

    assert _stores(added, (5,)) == ["target 0"] * 2


def test_what_reads_the_array_as_it_was_keeps_it() -> None:
    def kept(u: Array) -> Any:
        u[0] = 5.0
        old = u.clone()
        u[1] = 6.0
        return u, old

    assert _stores(kept, (4, 3)) == ["target 1", "target 1", "target 0", "target 0", "target 0"]


def test_a_choice_read_where_it_was_stored_needs_no_memory() -> None:
    def shifted(u: Array) -> Any:
        up = torch.zeros_like(u)
        up[1:] = u[:-1]
        return (u - up,)

    assert _stores(shifted, (6,)) == ["target 0"]

    def twice(u: Array) -> Any:
        up = torch.zeros_like(u)
        up[1:] = u[:-1]
        return (up[1:] - up[:-1],)

    assert _stores(twice, (6,)) == ["memory", "target 0"]


def _random_step(rng: random.Random, statements: int) -> Callable[..., Any]:
    """Stores into parts of three arrays, of values read from parts of any of them."""
    ends = [(0, -2), (1, -1), (2, None)]

    def part(stepped: bool = False) -> tuple[Any, ...]:
        return tuple(slice(*rng.choice(ends), 2 if stepped else 1) for _ in range(2))

    def statement() -> tuple[Any, ...]:
        kind = rng.choice(["inside", "inside", "added", "red", "row", "column", "kept", "all"])
        places = {
            "row": [(rng.randrange(-2, 2),), (rng.randrange(-2, 2),)],
            "column": [(slice(None), rng.randrange(-2, 2)) for _ in range(2)],
            "kept": [(), ()],
            "all": [(slice(None),) * 2] * 2,
        }
        stored, read = places.get(kind, [part(kind == "red"), part(kind == "red")])
        if kind == "added":
            read = rng.choice([read, stored])
        return kind, rng.randrange(3), stored, rng.randrange(3), read

    chosen = [statement() for _ in range(statements)]

    def step(*given: Array) -> Any:
        arrays = list(given)
        for kind, to, stored, source, read in chosen:
            if kind == "kept":
                # The name stands for a copy from now on, of which the old array knows nothing.
                arrays[to] = 0.5 * arrays[to] + arrays[source] if stored else arrays[source].clone()
            elif kind == "added":
                arrays[to][stored] += 0.25 * arrays[source][read]
            else:
                arrays[to][stored] = 0.5 * arrays[source][read] + 0.25 * arrays[to][stored]
        return tuple(arrays)

    return step


def test_random_statements_store_what_they_do_one_by_one() -> None:
    for seed in range(60):
        _stores(_random_step(random.Random(seed), statements=6), (7, 6), (7, 6), (7, 6))


def _compiled(function: Callable[..., Any], *, dynamic: bool = False) -> Callable[..., Any]:
    from nprewrite.runtime.torch.graph import WHOLE_OPTIONS

    torch._dynamo.reset()
    return torch.compile(function, fullgraph=True, dynamic=dynamic, options=WHOLE_OPTIONS)  # type: ignore[no-any-return]


def _assert_compiled_is_right(
    step: Callable[..., Any], shapes: Sequence[tuple[int, int]], *, dynamic: bool
) -> None:
    """Compare a step of three arrays, compiled with targets for its results, with the same step as it is."""

    def chunk(*tensors: Any) -> tuple[()]:
        _store(tensors[3:], step(*[each.clone() for each in tensors[:3]]))
        return ()

    compiled = _compiled(chunk, dynamic=dynamic)
    for shape in shapes:
        arrays = [torch.rand(shape, dtype=torch.float64) for _ in range(3)]
        right = step(*[each.clone() for each in arrays])
        targets = [torch.full_like(each, np.nan) for each in right]
        with torch.no_grad():
            compiled(*arrays, *targets)
        for found, wanted in zip(targets, right, strict=True):
            torch.testing.assert_close(found, wanted, rtol=1e-13, atol=0)


def _store_after_store(u: Array, v: Array, w: Array) -> Any:
    """Each store reads what the ones before it wrote, next to the elements that it writes itself."""
    u[1:-1, 1:-1] = 0.5 * v[2:, 1:-1] + 0.25 * u[:-2, 1:-1]
    u[1:, :] = 0.5 * u[:-1, :] + 0.25 * u[1:, :]
    u[:, :-1] = 0.5 * u[:, 1:]
    w[1:-1, 1:-1] += u[2:, 1:-1] - u[:-2, 1:-1]
    u[0] = u[1] + w[-1]
    u[::2, 1:] = u[::2, :-1] - w[::2, 1:]
    u[-1, :] = u[0, :]
    return u, v, w


def _edges_after_the_inside(u: Array, v: Array, w: Array) -> Any:
    """The stores of a cavity flow: each edge is set from what lies beside it, in an order that matters."""
    old = u.clone()
    u[1:-1, 1:-1] = 0.25 * (old[2:, 1:-1] + old[:-2, 1:-1] + old[1:-1, 2:] + old[1:-1, :-2]) - v[1:-1, 1:-1]
    u[:, -1] = u[:, -2]
    u[0, :] = u[1, :]
    u[:, 0] = u[:, 1]
    u[-1, :] = 0.0
    v[1:, 1:] -= 0.5 * (u[1:, 1:] - u[:-1, 1:])
    w[:-1] += v[1:] - u[:-1]
    return u, v, w


@pytest.mark.parametrize("step", [_store_after_store, _edges_after_the_inside])
def test_compiled_stores_read_what_those_before_them_wrote(step: Callable[..., Any]) -> None:
    for shape in ((3, 3), (40, 33)):
        _assert_compiled_is_right(step, [shape], dynamic=False)
    _assert_compiled_is_right(step, [(7, 6), (40, 33), (3, 3), (65, 70)], dynamic=True)


@pytest.mark.parametrize("seed", range(6))
def test_compiled_random_statements_store_what_they_do_one_by_one(seed: int) -> None:
    step = _random_step(random.Random(seed), statements=6)
    dynamic = seed % 2 == 1
    _assert_compiled_is_right(step, [(7, 6), (40, 33)] if dynamic else [(40, 33)], dynamic=dynamic)


@pytest.mark.parametrize("returned", [slice(None), slice(1, None)])
def test_what_is_returned_does_not_share_memory_with_a_target(returned: slice) -> None:
    def chunk(source: Any, target: Any) -> Any:
        u = source.clone()
        u[1:-1] = source[2:] + source[:-2]
        u[0] = u[1]
        target.copy_(u)
        return u[returned]

    source, target = torch.rand(50), torch.zeros(50)
    with torch.no_grad():
        result = _compiled(chunk)(source, target)
    kept = target.clone()
    target.zero_()
    assert torch.equal(result, kept[returned])
