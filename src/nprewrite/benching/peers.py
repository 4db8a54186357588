"""What else compiles NumPy code: a bare torch.compile, Numba and JAX, each on the function as written."""

from __future__ import annotations

import importlib.util
import types
from collections.abc import Callable
from typing import Any

import numpy as np

PEERS = ("torch.compile", "Numba", "JAX")
_PACKAGES = {"torch.compile": "torch", "Numba": "numba", "JAX": "jax"}


class NotApplicable(Exception):
    """A peer cannot take this function; the message is the reason."""


def peer_of(peer: str, function: object) -> Callable[..., Any]:
    """The function under a peer: ``torch.compile(f)``, ``numba.njit(f)`` or ``jax.jit(f)``.

    JAX gets ``jax.numpy`` where the function's module has NumPy, in double precision, and its results are
    converted to NumPy arrays. Raises ``NotApplicable`` where the peer is not installed, or ``function`` is
    not a plain function; the first call raises where the peer cannot compile it.
    """
    package = _PACKAGES[peer]
    if importlib.util.find_spec(package) is None:
        raise NotApplicable(f"{package} is not installed")
    if not isinstance(function, types.FunctionType):
        raise NotApplicable("it takes plain functions")
    if function.__qualname__ != function.__name__:
        raise NotApplicable("it takes functions of a module, no methods")
    return {"torch.compile": _torch, "Numba": _numba, "JAX": _jax}[peer](_copy(function))


def _copy(function: types.FunctionType) -> types.FunctionType:
    """The function with globals of its own, to which torch.compile adds names."""
    own = types.FunctionType(
        function.__code__,
        dict(function.__globals__),
        function.__name__,
        function.__defaults__,
        function.__closure__,
    )
    own.__kwdefaults__ = function.__kwdefaults__
    return own


def _torch(function: types.FunctionType) -> Callable[..., Any]:
    import torch

    compiled: Callable[..., Any] = torch.compile(function)
    return compiled


def _numba(function: types.FunctionType) -> Callable[..., Any]:
    from numba import njit

    compiled: Callable[..., Any] = njit(function)
    return compiled


def _jax(function: types.FunctionType) -> Callable[..., Any]:
    import jax

    jax.config.update("jax_enable_x64", True)
    own = function.__globals__
    own.update({name: jax.numpy for name, value in own.items() if value is np})
    compiled = jax.jit(function)
    # Copies, because JAX's arrays cannot be written to as NumPy's results can.
    return lambda *args, **kwargs: jax.tree_util.tree_map(np.array, compiled(*args, **kwargs))
