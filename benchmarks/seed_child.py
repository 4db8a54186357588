"""One group of figures of the four documents, in a process of its own.

    python seed_child.py GROUP [--small]

Prints one JSON object: by side, the quartiles of its seconds, or why there are none.
"""

from __future__ import annotations

import argparse
import json
import math
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

import seed_programs as programs
from measure import Spread, alternate
from sides import SEED, View, rewrite_example
from sides import programs as mandelbrot_sides

import nprewrite
from nprewrite import reference
from nprewrite.benching.player import Player, decided, until_steady
from nprewrite.verification.problems import CannotVerify

Sides = Mapping[str, Callable[[], object]]
Kernels = dict[str, Callable[[], Callable[[], object]]]
_SECONDS_A_SIDE = 2.0
_LONG_S = 2.0
_SMALL = View(-2.25, 0.75, -1.25, 1.25, 60, 50, 20, 2.0**40)
_K, _DT = 2.0, 0.1


def in_turns(sides: Sides) -> dict[str, Any]:
    """The times of all sides in turns, once each is steady; and the first call of each."""
    players = {name: Player(name, lambda: None, run, (), {}) for name, run in sides.items()}
    warm = {name: until_steady(player, decided, least=2) for name, player in players.items()}
    slowest = max(seconds[-1] for seconds in warm.values())
    rounds = 3 if slowest > _LONG_S else min(40, max(7, math.ceil(_SECONDS_A_SIDE / slowest)))
    times = alternate(players, rounds, lambda number, of: None, lambda player: player.seconds())
    steady = {name: asdict(Spread.of(seconds)) for name, seconds in times.items()}
    return {**steady, **{f"{name}, first call": {"median": seconds[0]} for name, seconds in warm.items()}}


def view(*, small: bool) -> View:
    """The points of the Mandelbrot program."""
    return _SMALL if small else SEED


def mandelbrot(*, small: bool) -> dict[str, Any]:
    """Document 1: NumPy, the last step, and the rewritten program."""
    with tempfile.TemporaryDirectory(prefix="nprewrite-seeds-") as folder:
        known = mandelbrot_sides(rewrite_example(Path(folder)))
        sides = {name: partial(known[name](), *view(small=small)) for name in known if name != "cpp"}
        return in_turns(sides)


def mandelbrot_step(number: int, *, small: bool) -> dict[str, Any]:
    """Document 1, steps 1 to 3, compiled as the document does: the time, or what the compiler raises."""
    import torch

    step, options = {
        1: (programs.masked_step, {"fullgraph": True}),
        2: (programs.selecting_step, {}),
        3: (programs.paired_step, {"fullgraph": True, "dynamic": True}),
    }[number]
    compiled: Any = torch.compile(step, **options)
    # Step 2 is tried with ten iterations there.
    asked = view(small=small)._replace(maxiter=10) if number == 2 else view(small=small)
    run = partial(programs.iterate, compiled, asked, paired=number == 3)
    try:
        return in_turns({"step": run})
    except CannotVerify as raised:
        return {"step": {"fails": str(raised).removeprefix("step raises ")}}


def kmeans(*, small: bool) -> dict[str, Any]:
    """Document 2, as many threads as torch takes."""
    import torch

    X, means = programs.blobs(1000 if small else 10_000_000)
    X32, means32 = X.astype("float32"), means.astype("float32")
    compiled, rewritten = torch.compile(programs.kmeans), nprewrite.jit(programs.kmeans)
    return in_turns(
        {
            "numpy": partial(programs.kmeans, X, means),
            "numpy float32": partial(programs.kmeans, X32, means32),
            "torch.compile": partial(compiled, X, means),
            "rewritten": partial(rewritten, X, means),
        }
    )


def softmax(*, small: bool) -> dict[str, Any]:
    """Document 3, on the processor."""
    import torch

    tensors = torch.randn(100, 100), torch.randn(100, 100)
    arrays = [each.numpy() for each in tensors]

    def eager(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        return torch.nn.functional.softmax(torch.matmul(x, y), dim=1)

    compiled, rewritten = torch.compile(eager), nprewrite.jit(programs.softmax)
    return in_turns(
        {
            "eager": partial(eager, *tensors),
            "torch.compile": partial(compiled, *tensors),
            "numpy": partial(programs.softmax, *arrays),
            "rewritten": partial(rewritten, *arrays),
        }
    )


def locality(*, small: bool) -> dict[str, Any]:
    """Document 4: a loop that sets a thousand elements, and the same as one store."""
    import numpy as np

    N = 100 if small else 1000
    rewritten = nprewrite.jit(programs.set_ones)
    return in_turns(
        {
            "loop": partial(programs.set_ones, np.zeros(N), N),
            "store": partial(programs.set_ones_at_once, np.zeros(N), N),
            "rewritten": partial(rewritten, np.zeros(N), N),
        }
    )


def matrix_sum(*, small: bool) -> dict[str, Any]:
    """Document 4: its first kernel, for which it has no figure."""
    import numpy as np

    M = np.random.default_rng(0).random((50, 50) if small else (1000, 1000), dtype="float32")
    sides: Sides = {
        "naive": partial(programs.matrix_sum, M),
        "numpy": M.sum,
        "rewritten": partial(nprewrite.jit(programs.matrix_sum), M),
    }
    return _with_kernels(sides, {"C++": lambda: partial(reference.kernel("matrix_sum"), M)})


def naive(*, small: bool) -> dict[str, Any]:
    """Document 4: 101 right-hand sides of 100 x 100, cell by cell and in slices."""
    return _integrations(10 if small else 100, 5 if small else 101, naive=True)


def fused(*, small: bool) -> dict[str, Any]:
    """Document 4: 1001 right-hand sides of 200 x 200."""
    return _integrations(10 if small else 200, 5 if small else 1001)


def steps(*, small: bool) -> dict[str, Any]:
    """Document 4: 10000 steps on 100 x 100: C++, approximated, in float32, parallel."""
    return _integrations(10 if small else 100, 5 if small else 10_000, variants=True)


def _integrations(N: int, count: int, *, naive: bool = False, variants: bool = False) -> dict[str, Any]:
    given = (*programs.oscillators(N), _K, _DT, count)
    single = (*programs.oscillators(N, "float32"), _K, _DT, count)
    sides: dict[str, Callable[[], object]] = {
        "numpy": partial(programs.integrate, *given),
        "rewritten": partial(nprewrite.jit(programs.integrate), *given),
    }
    if naive:
        # The right-hand side is what the document measures, and what its reader would decorate.
        rewritten = nprewrite.jit(programs.naive_rate)
        sides["naive"] = partial(programs.integrate_with, programs.naive_rate, *given)
        sides["naive, rewritten"] = partial(programs.integrate_with, rewritten, *given)
        return in_turns(sides)
    kernels: Kernels = {"C++": _kernel("kuramoto", given, parallel=False)}
    if variants:
        sides["rewritten, linear"] = partial(nprewrite.jit(programs.integrate_linear), *given)
        sides["rewritten, float32"] = partial(nprewrite.jit(programs.integrate), *single)
        kernels["C++, linear"] = _kernel("kuramoto_small_angle", given, parallel=False)
        kernels["C++, float32"] = _kernel("kuramoto", single, parallel=False)
        kernels["C++, parallel"] = _kernel("kuramoto", given, parallel=True)
    return _with_kernels(sides, kernels)


def _kernel(name: str, given: tuple[Any, ...], *, parallel: bool) -> Callable[[], Callable[[], object]]:
    return lambda: partial(
        programs.integrate_with, partial(reference.kernel(name), parallel=parallel), *given
    )


def _with_kernels(sides: Sides, kernels: Kernels) -> dict[str, Any]:
    """The sides and the C++ in turns; without the C++ where it was not built."""
    why = reference.unavailable_because()
    if why is None:
        return in_turns({**sides, **{name: make() for name, make in kernels.items()}})
    return {**in_turns(sides), **{name: {"why": f"no C++ kernels: {why}"} for name in kernels}}


GROUPS: dict[str, Callable[..., dict[str, Any]]] = {
    "mandelbrot": mandelbrot,
    **{f"step-{number}": partial(mandelbrot_step, number) for number in (1, 2, 3)},
    "kmeans": kmeans,
    "kmeans-one-thread": kmeans,
    "softmax": softmax,
    "locality": locality,
    "matrix-sum": matrix_sum,
    "naive": naive,
    "fused": fused,
    "steps": steps,
}


def main() -> None:
    parser = argparse.ArgumentParser(description="One group of figures of the four documents.")
    parser.add_argument("group", choices=GROUPS)
    parser.add_argument("--small", action="store_true")
    arguments = parser.parse_args()
    print(json.dumps(GROUPS[arguments.group](small=arguments.small)))


if __name__ == "__main__":
    main()
