"""NumPy's functions on arrays of a device give NumPy's values and dtypes, or say that they cannot."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")

import nprewrite  # noqa: E402
from nprewrite.runtime.device.array import DeviceArray, sent  # noqa: E402
from nprewrite.runtime.device.devices import DeviceProblem, Placement  # noqa: E402

HERE = Placement(torch.device("cpu"))
DTYPES = ["bool", "uint8", "int32", "int64", "float32", "float64", "complex64", "complex128"]


def data(dtype: str, seed: int = 0) -> np.ndarray[Any, Any]:
    rng = np.random.default_rng(seed)
    drawn = rng.uniform(-3, 4, (4, 6)) * rng.integers(0, 3, (4, 6))
    if dtype.startswith("complex"):
        drawn = drawn + 1j * rng.uniform(-2, 2, (4, 6))
    if dtype.startswith("u") or dtype == "bool":
        drawn = np.abs(drawn)
    return drawn.astype(dtype)


def check(function: Callable[..., Any], *arrays: np.ndarray[Any, Any]) -> None:
    """Both give the same, or both raise, or the device says that it cannot."""
    placed = [sent(each, HERE) for each in arrays]
    with np.errstate(all="ignore"):
        try:
            expected = function(*arrays)
        except (TypeError, ValueError, IndexError) as error:
            with pytest.raises((type(error), DeviceProblem, RuntimeError, NotImplementedError, TypeError)):
                function(*placed)
            return
        try:
            found = function(*placed)
        except (DeviceProblem, NotImplementedError, RuntimeError):
            return
    _same(expected, found)
    for before, after in zip(arrays, placed, strict=True):
        _same(before, after)


def _same(expected: Any, found: Any) -> None:
    if isinstance(expected, tuple | list):
        assert isinstance(found, list) == isinstance(expected, list)
        for one, other in zip(expected, found, strict=True):
            _same(one, other)
        return
    if not isinstance(found, DeviceArray):
        assert np.array_equal(expected, found), (expected, found)
        return
    values = found.tensor.resolve_conj().numpy()
    assert (values.dtype, values.shape) == (np.asarray(expected).dtype, np.shape(expected))
    tolerance = 3e-5 if values.dtype.itemsize <= 8 else 1e-12
    size = np.nanmax(np.abs(expected), initial=0, where=np.isfinite(expected))
    np.testing.assert_allclose(values, expected, rtol=tolerance, atol=1e-3 * tolerance * size)


UFUNCS = [
    name
    for name in sorted(set(dir(np)))
    if isinstance(getattr(np, name), np.ufunc) and getattr(np, name).signature is None
]


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", [each for each in UFUNCS if getattr(np, each).nin == 1])
def test_functions_of_one_array(name: str, dtype: str) -> None:
    check(getattr(np, name), data(dtype))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", [each for each in UFUNCS if getattr(np, each).nin == 2])
def test_functions_of_two(name: str, dtype: str) -> None:
    function = getattr(np, name)
    check(function, data(dtype), data(dtype, 1))
    check(function, data(dtype), data("float32", 2))
    check(function, data("int32"), data(dtype, 3))
    for number in (2, 2.5, True, np.float64(0.3), np.int32(3), np.float32(2)):
        check(lambda a, number=number: function(a, number), data(dtype))
        check(lambda a, number=number: function(number, a), data(dtype))


EXPRESSIONS = """
a.sum()
a.sum(axis=0)
np.sum(a, axis=1, keepdims=True)
np.add.reduce(a)
a.mean()
np.mean(a, axis=-1)
a.mean(axis=(0, 1))
a.std()
a.var(axis=0)
np.std(a, ddof=1)
np.var(a, axis=1)
a.prod()
np.prod(a, axis=0)
np.multiply.reduce(a, axis=1)
a.max()
a.min(axis=0)
a.argmax()
np.argmin(a, axis=1)
np.maximum.reduce(a)
np.cumsum(a)
a.cumsum(axis=0)
np.cumprod(a, axis=1)
np.add.accumulate(a)
a.any()
np.all(a, axis=0)
np.count_nonzero(a)
np.isfinite(a)
np.where(a > 1, a, 0)
np.where(a > 1, 1.5, a)
np.where(a > 1, a, np.float64(2))
np.nonzero(a)
np.where(a > 1)
np.clip(a, 0, 2)
a.clip(1, 3)
a.T
a.reshape(6, 4)
a.ravel()
a[None]
np.expand_dims(a, 1)
a.swapaxes(0, 1)
a[1:, ::2]
a[::-1]
a[:, ::-2]
a[-1]
a[..., 0]
a[1:3, None]
a[2, 3]
a[a > 1]
a[[0, 2]]
a[np.array([1, 1, 3])]
a[:, [True] * 3 + [False] * 3]
a[np.array([3, 0], np.uint8)]
np.take(a, [1, 2], axis=1)
np.concatenate([a, a])
np.stack([a, a])
np.vstack((a, a))
np.hstack([a, a])
np.roll(a, 1, axis=0)
np.flip(a, 1)
np.tile(a, (2, 1))
np.repeat(a, 2, axis=0)
np.sort(a, axis=1)
np.argsort(a[0], kind='stable')
np.unique(a)
a @ a.T
np.dot(a, a[0])
np.outer(a[0], a[1])
np.vdot(a[0], a[1])
np.einsum('ij,kj->ik', a, a)
np.tensordot(a, a, axes=([1], [1]))
np.trace(a)
np.linalg.norm(a)
np.linalg.norm(a, axis=1)
np.diff(a)
np.diff(a, axis=0)
np.gradient(a[0])
np.zeros_like(a)
np.ones_like(a, dtype=float)
np.full_like(a, 2)
np.real(a)
np.imag(a)
np.conj(a)
np.abs(a)
np.angle(a)
a * 1j
a.real
a ** 2
a ** 3
a ** 0.5
a ** (-1.0)
a ** 1
a.astype(np.float32)
a.astype('int64')
a.astype(bool)
a.astype(complex)
a + 1
a * 2.5
1 / (a + 10)
a - np.float64(1)
-a
abs(a)
a // 2
a % 3
2 ** a
np.average(a, axis=0)
np.median(a)
np.bincount(np.abs(a.real).astype(int)[0])
np.meshgrid(a[0], a[:, 0])[0]
np.fft.fft(a)
np.fft.fft2(a)
np.fft.ifft(a, axis=0)
np.pad(a, 1)
np.triu(a)
np.tril(a, -1)
np.diag(a)
np.broadcast_to(a, (2, 4, 6))
np.add.outer(a[0], a[1])
np.multiply.outer(a[0], a[:, 0])
np.cov(a)
np.corrcoef(a)
np.median(a, axis=1)
np.outer(a[0], np.arange(3))
np.dot(a, np.arange(6))
np.append(a[0], np.arange(3))
np.concatenate([a, np.arange(6)[None]])
np.stack([a[0], np.arange(6)])
np.broadcast_arrays(a, np.arange(6))
np.split(a, 2)
np.array_split(a, 3, axis=1)
np.round(a, 1)
np.around(a)
np.array_equiv(a, a[0])
np.resize(a, (9, 9))
np.choose(a[0].real.astype(int) % 2, [a[0], a[1]])
np.linalg.pinv(a)
np.linalg.matrix_rank(a)
np.linalg.matrix_power(a[:, :4], 3)
np.linalg.multi_dot([a, a.T, a])
np.fft.rfft2(a.real)
np.fft.hfft(a)
np.convolve(a[0], a[1, :3])
np.percentile(a, 30)
np.vander(a[0])
np.histogram(a)
np.floor(a)
np.nan_to_num(a)
np.isclose(a, 1)
np.shape(a)
np.ndim(a)
np.size(a)
len(a)
a.size
a.nbytes
""".strip().splitlines()


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_expressions(expression: str, dtype: str) -> None:
    check(eval(f"lambda a: {expression}"), data(dtype))


def stores(a: Any) -> Any:
    a[1:] = a[:-1]
    a[:, 0] = 7
    a[a > 2] = 1
    a[2, 3] += 2
    a[:, 1:3] *= a[:, 3:5]
    a[0, ::2] = a[1, ::2]
    a[[0, 3]] = 5
    return a


def in_place(a: Any) -> Any:
    b = a.copy()
    b += a
    b -= 1
    np.multiply(a, b, out=a)
    np.maximum(a, b, out=b)
    a[...] = b
    a.fill(2)
    a.sort()
    return a, b


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("function", [stores, in_place])
def test_stores(function: Callable[..., Any], dtype: str) -> None:
    check(function, data(dtype))


STORES: list[Callable[[Any, Any], None]] = [
    lambda a, v: a.__setitem__(slice(1, None), v[1]),
    lambda a, v: a.__setitem__(slice(4, None), v[1]),
    lambda a, v: a.__setitem__(1, v[1] * 2),
    lambda a, v: a.__setitem__(..., v.sum()),
    lambda a, v: a.__setitem__(..., np.int64(300)),
    lambda a, v: a.__setitem__(..., 300),
    lambda a, v: a.fill(v[1]),
    lambda a, v: a.fill(300),
    lambda a, v: a[1:].fill(v[1]),
    lambda a, v: a.__setitem__(slice(1, None), v[1:]),
    lambda a, v: a.__setitem__(v > 3, v[1]),
    lambda a, v: a.__setitem__(np.array([0, 1]), v[1]),
]


@pytest.mark.parametrize("value", [20, 300])
@pytest.mark.parametrize("stored", ["int8", "int64", "uint8"])
@pytest.mark.parametrize("store", STORES)
def test_numbers_that_do_not_fit(store: Callable[[Any, Any], None], stored: str, value: int) -> None:
    """NumPy raises for a single number, and what is stored at positions wraps around."""
    outcomes = []
    for function in (store, nprewrite.jit(device="cpu")(store)):
        a, text = np.ones(4, stored), ""
        try:
            function(a, np.array([1, value, 2, 3]))
        except OverflowError as error:
            text = str(error)
        outcomes.append((a.tolist(), text))
    assert outcomes[0] == outcomes[1]
