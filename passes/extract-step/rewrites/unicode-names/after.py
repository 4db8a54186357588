"""Names in other alphabets: the loop becomes a step, the stores through masks become selects."""

import numpy as np
import nprewrite.runtime as npr


@npr.step(
    counter="n",
    carried={"θ": "float64"},
    lanewise=True,
    chunked=True,
    compile=True,
)
def _settle_step(θ):
    """One iteration of the loop over `n` in `settle`."""
    θ = θ.copy()
    heiß = θ > 0.25  # above the mark
    θ = np.where(heiß, θ * 0.5, θ)
    θ = θ + 0.125
    return (θ,)


def settle(size: int, trips: int):
    θ = np.linspace(-1.0, 1.0, size)
    for n in (loop := _settle_step.over(range(trips), θ=θ)):
        heiß = θ > 0.25  # above the mark
        θ[heiß] = θ[heiß] * 0.5
        θ = θ + 0.125
    if loop.finished:
        (θ,) = loop.results
    return θ


def capped(size: int):
    θ = np.linspace(-1.0, 1.0, size)
    θ[...] = np.where(θ > 0.5, 0.5, θ)
    return θ


def cases():
    for trips in (0, 1, 7, 20):
        yield "settle", (6, trips)
    yield "capped", (6,)
    yield "capped", (0,)
