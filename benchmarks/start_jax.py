"""The programs of ``start_programs`` as one writes them for JAX: stores make new arrays, loops are lax's."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
from start_programs import HORIZON, PROGRAMS

jax.config.update("jax_enable_x64", True)
jax.config.update("jax_persistent_cache_min_compile_time_secs", 0)
jax.config.update("jax_persistent_cache_min_entry_size_bytes", -1)


@partial(jax.jit, static_argnames="maxiter")
def mandelbrot(C, maxiter):
    def iteration(n, state):
        N, Z = state
        inside = jnp.abs(Z) < HORIZON
        return jnp.where(inside, n, N), jnp.where(inside, Z**2 + C, Z)

    return jax.lax.fori_loop(0, maxiter, iteration, (jnp.zeros(C.shape, jnp.int64), jnp.zeros_like(C)))[0]


@jax.jit
def assignment(points, means):
    return ((points[:, None, :] - means[None, :, :]) ** 2).sum(axis=2).argmin(axis=1)


@partial(jax.jit, static_argnames="steps")
def kuramoto(phases, frequencies, coupling, dt, steps):
    def iteration(_, theta):
        across = coupling * jnp.sin(theta[:, 1:] - theta[:, :-1])
        down = coupling * jnp.sin(theta[1:, :] - theta[:-1, :])
        rate = frequencies.at[:, :-1].add(across).at[:, 1:].add(-across)
        return theta + dt * rate.at[:-1, :].add(down).at[1:, :].add(-down)

    return jax.lax.fori_loop(0, steps, iteration, phases)


@partial(jax.jit, static_argnames="steps")
def heat(start, rate, steps):
    def iteration(_, u):
        neighbours = u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:]
        return u.at[1:-1, 1:-1].add(rate * (neighbours - 4 * u[1:-1, 1:-1]))

    return jax.lax.fori_loop(0, steps, iteration, start)


@jax.jit
def recurrence(signal, decay, gain):
    def iteration(level, value):
        level = decay * level + gain * value
        return level, level

    return jax.lax.scan(iteration, 0.0, signal)[1]


@partial(jax.jit, static_argnames="steps")
def network(start, weights, bias, steps):
    return jax.lax.fori_loop(0, steps, lambda _, state: jnp.tanh(weights @ state + bias), start)


@partial(jax.jit, static_argnames="steps")
def schroedinger(start, kinetic, potential, dt, steps):
    def iteration(_, psi):
        psi = jnp.fft.ifft(kinetic * jnp.fft.fft(psi))
        return psi * jnp.exp(-1j * dt * (potential + jnp.abs(psi) ** 2))

    return jax.lax.fori_loop(0, steps, iteration, start)


FUNCTIONS: dict[str, Callable[..., Any]] = {
    name: globals()[function.__name__] for name, (function, _) in PROGRAMS.items()
}
