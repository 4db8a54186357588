"""What a step declares beside dtypes: shapes that agree, ranks, functions, NumPy scalars."""

from __future__ import annotations

import importlib
import warnings
from typing import Any

import numpy as np
import pytest

import nprewrite.runtime as npr
from nprewrite import NprewriteWarning


def runs(step: Any, **arguments: Any) -> str:
    """How a loop of two trips over the step ran."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", NprewriteWarning)
        list(step.over(range(2), **arguments))
    return next(iter(step.runs))


def test_aligned_arrays_have_one_shape() -> None:
    def body(m: Any, u: Any) -> Any:
        u[1:] = u[:-1]
        return (np.where(m, 0.0, u),)

    declared: dict[str, Any] = {"inputs": {"m": "bool"}, "state": {"u": "float64"}, "aligned": ("u", "m")}
    assert runs(npr.step(**declared)(body), m=np.zeros(4, bool), u=np.ones(4)) == "numpy"
    assert runs(npr.step(**declared)(body), m=np.zeros(3, bool), u=np.ones(4)) == "as written: shape of m"


@pytest.mark.parametrize(
    ("array", "how"), [(np.ones(3), "numpy"), (np.ones((3, 3)), "as written: dimensions of u")]
)
def test_rank_is_guarded(array: Any, how: str) -> None:
    step = npr.step(state={"u": "float64"}, ranks={"u": 1})(lambda u: (u + u[0],))
    assert runs(step, u=array) == how


def test_function_is_the_one_declared() -> None:
    def advance(u: Any) -> Any:
        return u + 1

    step = npr.step(state={"u": "float64"}, calls={"f": advance})(lambda u: (u + 1,))
    assert runs(step, u=np.ones(3), f=advance) == "numpy"
    other = npr.step(state={"u": "float64"}, calls={"f": advance})(lambda u: (u + 1,))
    assert runs(other, u=np.ones(3), f=lambda u: u) == "as written: function f"


@pytest.mark.parametrize(
    ("value", "how"),
    [
        (np.float64(2), "numpy"),
        (2.0, "as written: type of c"),
        (np.float32(2), "as written: type of c"),
    ],
)
def test_numpy_scalar_is_no_python_number(value: Any, how: str) -> None:
    step = npr.step(constants={"c": npr.scalar("float64")}, state={"u": "float64"})(lambda c, u: (u * c,))
    u = np.ones(3)
    assert runs(step, u=u, c=value) == how
    assert u.tolist() == [4.0 if how == "numpy" else 1.0] * 3


def test_complex_numpy_scalar_comes_in_parts() -> None:
    step = npr.step(
        constants={"c": npr.scalar(npr.pair("float32"))}, state={"z": npr.pair("float32")}, lanewise=True
    )(lambda c_re, c_im, z_re, z_im: (z_re + c_re, z_im + c_im))
    z = np.zeros(3, np.complex64)
    assert runs(step, z=z, c=np.complex64(1 + 2j)) == "numpy"
    assert z.tolist() == [2 + 4j] * 3


@pytest.mark.parametrize("declared", [{"aligned": ("x",)}, {"ranks": {"x": 1}}])
def test_relations_of_unknown_arrays_are_errors(declared: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="x is not an array of the step"):
        npr.step(state={"u": "float64"}, **declared)


def test_a_scalar_is_no_array() -> None:
    with pytest.raises(TypeError, match="u: scalar"):
        npr.step(state={"u": npr.scalar("float64")})


def test_small_arrays_are_left_to_the_body(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NPREWRITE_DISABLE", raising=False)
    monkeypatch.setattr(importlib.import_module("nprewrite.runtime.api.step_runs"), "MINIMUM_WORK", 1 << 20)
    step = npr.step(state={"u": "float64"}, compile=True)(lambda u: (u + u[:1],))
    u = np.ones(1 << 10)
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always", NprewriteWarning)
        assert list(step.over(range(64), u=u)) == [*range(64)]
    assert not told
    assert step.runs == {"as written: too little work to compile for": 1}
