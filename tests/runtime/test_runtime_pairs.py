"""Complex arithmetic on pairs gives what NumPy's complex arithmetic gives, corners included."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch

import nprewrite.runtime as npr
from nprewrite.runtime.api import pairs

Array = np.ndarray[Any, Any]
POWERS = (-99, -5, -3, -2, -1, 0, 1, 2, 3, 4, 7, 10, 99)
DTYPES = ["float32", "float64"]


def corners(dtype: str, *, negative_zero: bool = True) -> tuple[Array, Array]:
    """All pairs of zeros, infinities, nan, tiny, huge and common values."""
    info: Any = np.finfo(dtype)
    values = [0.0, 1.0, -1.0, 0.3, -2.5, np.inf, -np.inf, np.nan, np.pi / 2, 30.0]
    values += [info.tiny, info.smallest_subnormal, info.max, -info.max, np.sqrt(info.max), np.sqrt(info.tiny)]
    values += [np.log(info.max) + 0.1, np.log(info.max) - 0.1, np.log(info.tiny) - 5]
    values += [-0.0] if negative_zero else []
    re, im = np.meshgrid(np.array(values, dtype), np.array(values, dtype))
    return re.reshape(-1).copy(), im.reshape(-1).copy()


def complex_of(parts: Any) -> Array:
    re, im = parts
    result = np.empty(re.shape, np.result_type(re, np.complex64))
    result.real, result.imag = re, im
    return result


def assert_same(got: Array, want: Array, *, signed_zeros: bool = True) -> None:
    """Equal up to rounding of the modulus; infinities, nan and the signs of zeros as they are."""
    assert got.dtype == want.dtype
    info = np.finfo(want.dtype)
    modulus = np.abs(want.astype(np.complex128))
    for g, w in ((got.real, want.real), (got.imag, want.imag)):
        finite = np.isfinite(g) & np.isfinite(w)
        np.testing.assert_array_equal(g[~finite], w[~finite])
        scale = np.where(np.isfinite(modulus), modulus, np.abs(w))[finite]
        apart = np.abs(g[finite].astype(float) - w[finite].astype(float))
        assert np.all(apart <= 16 * info.eps * scale + 4 * info.smallest_subnormal)
        if signed_zeros:
            zero = (g == 0) & (w == 0)
            np.testing.assert_array_equal(np.signbit(g[zero]), np.signbit(w[zero]))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize(
    ("of_pair", "of_complex"),
    [(npr.exp, np.exp), (npr.reciprocal, np.reciprocal)],
)
def test_functions_of_one_value(
    dtype: str, of_pair: Callable[..., Any], of_complex: Callable[..., Any]
) -> None:
    re, im = corners(dtype)
    assert_same(complex_of(of_pair(re, im)), of_complex(complex_of((re, im))))


@pytest.mark.parametrize("dtype", DTYPES)
def test_absolute(dtype: str) -> None:
    re, im = corners(dtype)
    assert_same(npr.absolute(re, im), np.abs(complex_of((re, im))))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("exponent", POWERS)
def test_powers(dtype: str, exponent: int) -> None:
    re, im = corners(dtype)
    z = complex_of((re, im))
    got, want = complex_of(npr.power(re, im, exponent)), z**exponent
    if exponent == 2:
        # NumPy's squares fuse multiply and add on some machines, which shows where a product overflows.
        root = np.sqrt(np.finfo(dtype).max) / 2
        fits = ~(np.isfinite(re) & (np.abs(re) > root)) & ~(np.isfinite(im) & (np.abs(im) > root))
        got, want = got[fits], want[fits]
    assert_same(got, want)


def test_powers_beyond_those_numpy_multiplies() -> None:
    with pytest.raises(ValueError, match="power 100 is beyond 99"):
        npr.power(np.ones(1), np.ones(1), 100)


@pytest.mark.parametrize("dtype", DTYPES)
def test_division(dtype: str) -> None:
    re, im = corners(dtype)
    z = complex_of((re, im))
    got = npr.divide(re[:, None], im[:, None], re, im)
    assert_same(complex_of(got), z[:, None] / z)


@pytest.mark.parametrize("dtype", DTYPES)
def test_join_and_split_keep_every_bit(dtype: str) -> None:
    re, im = corners(dtype)
    z = npr.join(re, im)
    assert z.tobytes() == np.stack((re, im), axis=-1).tobytes()
    back_re, back_im = npr.split(z)
    assert (back_re.tobytes(), back_im.tobytes()) == (re.tobytes(), im.tobytes())
    assert back_re.flags.c_contiguous
    assert not np.shares_memory(back_re, z)


def test_join_takes_dtype_and_shape_from_both_parts() -> None:
    one, many = np.float32(1), np.ones((2, 3), np.float32)
    assert npr.join(one, many).dtype == np.complex64
    assert npr.join(one, many).shape == (2, 3)
    assert npr.join(many, np.zeros(3)).dtype == np.complex128


def _joined(single: Array, double: Array) -> list[Array]:
    return [npr.join(0.1, 0.25), npr.join(single, 0.1), npr.join(0.1, double), npr.join(single, double)]


@pytest.mark.filterwarnings("ignore:.*complex operators:UserWarning")
def test_join_keeps_the_digits_of_pythons_floats() -> None:
    arrays = np.ones(3, np.float32), np.ones(3)
    for made in (_joined(*arrays), torch.compile(_joined, fullgraph=True)(*arrays)):
        assert [each.dtype.name for each in made] == ["complex128", "complex64", "complex128", "complex128"]
        assert made[0] == 0.1 + 0.25j


COMPILED_POWERS = (-3, -1, 0, 2, 3, 7)


def everything(re: Array, im: Array, a: Array, b: Array, c: Array, d: Array) -> list[Any]:
    powers = [npr.power(re, im, exponent) for exponent in COMPILED_POWERS]
    joined = npr.join(re * 1, im)
    return [
        npr.exp(re, im),
        npr.reciprocal(re, im),
        npr.absolute(re, im),
        npr.divide(a, b, c, d),
        *powers,
        joined,
    ]


@pytest.fixture(scope="module")
def compiled() -> Callable[..., list[Any]]:
    function: Callable[..., list[Any]] = torch.compile(everything, fullgraph=True)
    return function


@pytest.mark.filterwarnings("ignore:.*complex operators:UserWarning")
@pytest.mark.parametrize("dtype", DTYPES)
def test_compiled_they_are_one_graph_and_give_the_same(
    dtype: str, compiled: Callable[..., list[Any]]
) -> None:
    # Inductor does not keep the sign of zero.
    re, im = corners(dtype, negative_zero=False)
    size = len(re)
    arguments = (re, im, np.repeat(re, size), np.repeat(im, size), np.tile(re, size), np.tile(im, size))
    for got, want in zip(compiled(*arguments), everything(*arguments), strict=True):
        if isinstance(want, tuple):
            got, want = complex_of(got), complex_of(want)
        assert type(got) is np.ndarray
        assert_same(got, want, signed_zeros=False)


@pytest.mark.filterwarnings("ignore:.*complex operators:UserWarning")
def test_split_compiles() -> None:
    z = np.array([1 + 2j, 3 - 4j], np.complex64)
    re, im = torch.compile(lambda z: pairs.split(z * 1), fullgraph=True)(z)
    assert re.tolist() == [1, 3]
    assert im.tolist() == [2, -4]
    assert (re.dtype, im.dtype) == (np.float32, np.float32)
