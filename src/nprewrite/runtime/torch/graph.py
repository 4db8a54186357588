"""The function of tensors that is compiled for a step. Import this module only where torch is wanted."""

from __future__ import annotations

import types
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import torch

from nprewrite.runtime.api.backend import Expected, StepFunction
from nprewrite.runtime.choosing import cost
from nprewrite.runtime.torch.graph_nodes import InTurn
from nprewrite.runtime.torch.jobs import Shape
from nprewrite.runtime.torch.package import Plan
from nprewrite.runtime.torch.packing import packed
from nprewrite.runtime.torch.powers import PowersAsProducts
from nprewrite.runtime.torch.private import maybe_mark_dynamic
from nprewrite.runtime.torch.product_blocks import ProductsInBlocks
from nprewrite.runtime.torch.rolled_rows import RolledRows
from nprewrite.runtime.torch.stored_in_place import StoreInPlace
from nprewrite.runtime.torch.stored_once import StoreOnce
from nprewrite.runtime.torch.tensors import dtype_name
from nprewrite.runtime.torch.wide_sums import WideSums

Tensor = Any

POWERS_OPTIONS: dict[str, Any] = {"joint_custom_pre_pass": PowersAsProducts()}

# With these an unrolled elementwise recurrence becomes one kernel, compiled in seconds.
LANEWISE_OPTIONS: dict[str, Any] = {
    # An iteration's values are inlined into the next one's at every use, which grows exponentially with the
    # iterations, unless a value of more than a few operations gets a name.
    "realize_opcount_threshold": 8,
    # More named values than this are split over several kernels, with bool masks written in between.
    "max_fusion_size": 4096,
    # The patterns are for matrix products and attention; loading them takes a third of a second.
    "pattern_matcher": False,
    **POWERS_OPTIONS,
}

_WORTH_THREADS = 1 << 18
"""The elements of a sum or a stencil that threads share."""
_LEAST_CHUNK = 1 << 12
"""The least that one thread is started for, however costly an element is."""
_VECTORS = frozenset(["AVX2", "AVX512"])
"""Vectors of which nobody need find out whether they work, where torch's own kernels use them."""

WHOLE_OPTIONS: dict[str, Any] = {
    "joint_custom_pre_pass": InTurn(PowersAsProducts(), WideSums()),
    # Rows of so few elements are summed column by column: 80,000 rows of nine in 0.3 ms instead of 5 ms.
    "unroll_reductions_threshold": 17,
    "joint_custom_post_pass": ProductsInBlocks(),
    "post_grad_custom_pre_pass": InTurn(RolledRows(), StoreOnce()),
    "post_grad_custom_post_pass": StoreInPlace(),
}


def compile_graph(step: StepFunction, expected: Expected, shape: Shape) -> tuple[Plan, Path]:
    """The plan of a compiled graph and the library of its kernels. Raises what torch.compile does."""
    tensors = tuple(torch.zeros(lengths, dtype=getattr(torch, name)) for lengths, name in shape.tensors)
    for number, axis in shape.dynamic:
        maybe_mark_dynamic(tensors[number], axis)
    options = LANEWISE_OPTIONS if shape.lanewise else WHOLE_OPTIONS
    options = {**options, **_threads(step, shape), **_vectors()}
    return packed(graph(step, expected, shape), tensors, options)


def _vectors() -> dict[str, Any]:
    """The option that says that vectors work, where torch's own kernels use them.

    Inductor compiles a program to find out, which takes 5 s; where that was interrupted, what was left of it
    tells each later process that they do not.
    """
    return {"cpp.vec_isa_ok": True} if torch.backends.cpu.get_cpu_capability() in _VECTORS else {}


def _threads(step: StepFunction, shape: Shape) -> dict[str, Any]:
    """How many elements a thread is started for.

    It takes some ten microseconds to start, far longer where other programs use the cores, and what it writes
    lies in the cache of its own core. On two cores of an AMD EPYC, threads gain from 0.3 ms on: from 400,000
    elements of a sum or a stencil, 130,000 of an exponential function, and 25,000 of four such functions.
    """
    # A kernel of an elementwise recurrence runs several iterations for each element.
    iterations = shape.size if shape.lanewise else 1
    work = cost.relative_work(step) * torch.get_num_threads() * iterations
    return {"cpp.min_chunk_size": max(_LEAST_CHUNK // iterations, _WORTH_THREADS // work)}


def graph(step: StepFunction, expected: Expected, shape: Shape) -> Callable[..., Any]:
    """The function to compile: tensors in, results written to tensors, dtypes and shapes out."""
    in_place = shape.in_place
    first_source = len(expected.scalars + expected.constants + expected.inputs)
    first_target = first_source + len(expected.sources)
    # A step over whole arrays may store into them. It gets copies, so that it does not store into the
    # sources too; the compiled code makes none.
    iterated = iterations(step, expected, shape.size, copies=not shape.lanewise)

    def chunk(*tensors: Tensor) -> Any:
        values = iterated(*tensors[:first_target])
        targets = tensors[first_source:] if in_place else tensors[first_target:]
        kept = [_encode(value) for value in values]
        for target, value in zip(targets, kept, strict=False):
            target.copy_(value)
        return (
            tuple([dtype_name(value.dtype) for value in values]),
            tuple([a.shape == b.shape for a, b in zip(kept, targets, strict=False)]),
            tuple(kept[len(targets) :]),
        )

    return _distinct(chunk)


def iterations(
    step: StepFunction, expected: Expected, size: int, *, copies: bool
) -> Callable[..., Sequence[Tensor]]:
    """The function of tensors that runs ``size`` iterations and returns the step's results, as tensors.

    With ``copies`` the step may store into what it is given.
    """
    scalars, constants = len(expected.scalars), len(expected.constants)
    first_source = scalars + constants + len(expected.inputs)
    count = len(expected.sources)
    dtypes = expected.scalars + expected.constants + expected.inputs + expected.sources
    bools = [dtype.kind == "b" for dtype in dtypes]

    def iterated(*tensors: Tensor) -> Sequence[Tensor]:
        arrays = [tensor != 0 if is_bool else tensor for tensor, is_bool in zip(tensors, bools, strict=True)]
        boxes = arrays[:scalars]
        numbers = [_fixed(array) for array in arrays[scalars : scalars + constants]]
        inputs = [array.numpy() for array in arrays[scalars + constants : first_source]]
        results: Sequence[Any] = [
            (each.clone() if copies else each).numpy() for each in arrays[first_source:]
        ]
        for j in range(size):
            results = step(*[box[j].numpy() for box in boxes], *numbers, *inputs, *results[:count])
        return tuple([torch.as_tensor(result) for result in results])

    return _distinct(iterated)


def _fixed(array: Tensor) -> Any:
    """A constant, or a size; see ``boxes.box_constants``."""
    return array.shape[1] if array.ndim == 2 else array[0].numpy()


def _encode(value: Tensor) -> Tensor:
    if value.dtype != torch.bool:
        return value
    # Converting straight to uint8, Inductor writes one element at a time; through int32 it writes vectors.
    return value.to(torch.int32).to(torch.uint8)


def _distinct(function: Callable[..., Any]) -> Callable[..., Any]:
    """A copy with a code object of its own, because Dynamo counts recompilations by code object."""
    assert isinstance(function, types.FunctionType)
    code = function.__code__.replace()
    copy = types.FunctionType(
        code, function.__globals__, function.__name__, function.__defaults__, function.__closure__
    )
    copy.__kwdefaults__ = function.__kwdefaults__
    return copy
