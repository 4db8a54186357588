"""Calls of NumPy's functions, at least one for each line of the tables, over arrays of some shapes.

``x`` and ``y`` have axes (n, m), ``s`` is square (n, n), ``v``, ``w`` and ``k`` have n elements; ``k`` holds
positions, the others have the dtype under test.
"""

from __future__ import annotations

from typing import Any

import numpy as np

DTYPES = ["bool", "uint8", "int8", "int16", "int32", "int64", "float32", "float64", "complex64", "complex128"]
NAMES = ("x", "y", "s", "v", "w", "k")

_REDUCTIONS = ["sum", "prod", "mean", "std", "var", "min", "max", "any", "all", "ptp", "argmin", "argmax"]
_REDUCTIONS += ["nansum", "nanprod", "nanmean", "nanmin", "nanmax", "nanstd", "nanvar", "median", "nanmedian"]
_REDUCTIONS += ["amin", "amax", "nanargmin", "nanargmax"]
_METHODS = ["sum", "prod", "mean", "std", "var", "min", "max", "any", "all", "argmin", "argmax", "cumsum"]

FORMS: dict[str, list[str]] = {
    **{name: [f"np.{name}(x)", f"np.{name}(x, axis=0)", f"np.{name}(v)"] for name in _REDUCTIONS},
    "methods": [
        *(f"x.{name}(axis=1)" for name in _METHODS),
        *(f"x.{name}()" for name in _METHODS),
        "x.sum(axis=(0, 1))",
        "x.mean(axis=-1, keepdims=True)",
        "x.std(ddof=1)",
        "x.round()",
        "x.clip(0, 1)",
        "x.dot(x.T)",
        "x.copy()",
        "x.flatten()",
        "x.astype(np.float32)",
        "x.astype(np.int64, copy=False)",
        "x.transpose(1, 0)",
        "x.swapaxes(0, 1)",
        "x.ravel()",
        "x.reshape(-1)",
        "x.repeat(2, axis=1)",
        "x.trace()",
        "x.diagonal()",
        "x.squeeze(axis=None)",
        "v.searchsorted(w)",
        "v.take(k)",
        "v.nonzero()",
        "v.argsort()",
        "v.conj()",
        "v[:1].item()",
        "x.real",
        "x.imag",
        "x.T",
        "x.size",
        "x.ndim",
        "x.nbytes",
    ],
    "count_nonzero": ["np.count_nonzero(x)", "np.count_nonzero(x, axis=0)"],
    "cumsum": ["np.cumsum(v)", "np.cumsum(x, axis=0)", "np.cumsum(x)", "np.cumsum(v, dtype=np.float64)"],
    "cumprod": ["np.cumprod(v)", "np.cumprod(x, 1)"],
    "cumulative_sum": ["np.cumulative_sum(v)", "np.cumulative_sum(x, axis=0, include_initial=True)"],
    "cumulative_prod": ["np.cumulative_prod(v)", "np.cumulative_prod(x, axis=1)"],
    "nancumsum": ["np.nancumsum(v)"],
    "nancumprod": ["np.nancumprod(v)"],
    "round": ["np.round(x)", "np.round(x, 2)"],
    "around": ["np.around(x)"],
    "trace": ["np.trace(x)"],
    "average": ["np.average(x)", "np.average(x, axis=1)"],
    "linalg.norm": [
        "np.linalg.norm(x)",
        "np.linalg.norm(v)",
        "np.linalg.norm(x, axis=1)",
        "np.linalg.norm(x, axis=0, keepdims=True)",
        "np.linalg.norm(v, 1)",
    ],
    **{name: [f"np.{name}(x, 30)", f"np.{name}(x, 0.5, axis=0)"] for name in ("percentile", "nanpercentile")},
    **{name: [f"np.{name}(x, 0.3)", f"np.{name}(v, [0.1, 0.9])"] for name in ("quantile", "nanquantile")},
    "cov": ["np.cov(x)"],
    "corrcoef": ["np.corrcoef(x)"],
    "trapezoid": ["np.trapezoid(v)", "np.trapezoid(v, w)", "np.trapezoid(v, dx=0.5)"],
    "transpose": ["np.transpose(x)", "np.transpose(x, (1, 0))"],
    "swapaxes": ["np.swapaxes(x, 0, 1)"],
    "moveaxis": ["np.moveaxis(x, 0, -1)"],
    "rollaxis": ["np.rollaxis(x, 1)"],
    "expand_dims": ["np.expand_dims(v, 0)", "np.expand_dims(v, axis=-1)"],
    "squeeze": ["np.squeeze(x)", "np.squeeze(x[:1], axis=0)"],
    "ravel": ["np.ravel(x)"],
    "reshape": ["np.reshape(x, -1)", "np.reshape(x, (-1, 1))", "x.reshape(1, -1)"],
    "diagonal": ["np.diagonal(x)"],
    "diag": ["np.diag(v)", "np.diag(x)"],
    "triu": ["np.triu(x)", "np.triu(x, 1)"],
    "tril": ["np.tril(x, k=-1)"],
    **{f"atleast_{axes}d": [f"np.atleast_{axes}d(v)"] for axes in (1, 2, 3)},
    "roll": ["np.roll(x, 1)", "np.roll(x, -2, axis=1)", "np.roll(x, (1, 2), axis=(0, 1))"],
    "flip": ["np.flip(x)", "np.flip(x, axis=0)", "np.flip(v)"],
    "fliplr": ["np.fliplr(x)"],
    "flipud": ["np.flipud(v)"],
    "rot90": ["np.rot90(x)", "np.rot90(x, 2)", "np.rot90(x, k=-1)"],
    "concatenate": ["np.concatenate([x, y])", "np.concatenate((x, s), axis=1)", "np.concatenate([v, w[:1]])"],
    "stack": ["np.stack([x, y])", "np.stack((v, w), axis=1)", "np.stack((v, w), axis=-1)"],
    "hstack": ["np.hstack([x, s])", "np.hstack((v, w))"],
    "vstack": ["np.vstack([x, y])", "np.vstack((v, w))"],
    "dstack": ["np.dstack([x, y])"],
    "column_stack": ["np.column_stack([v, w])", "np.column_stack([x, v])"],
    "append": ["np.append(v, w)", "np.append(x, y, axis=0)", "np.append(x, y)"],
    "tile": ["np.tile(v, 3)", "np.tile(x, (2, 1))"],
    "repeat": ["np.repeat(v, 2)", "np.repeat(x, 3, axis=0)"],
    "diff": ["np.diff(v)", "np.diff(x, axis=0)", "np.diff(x, 2)"],
    "ediff1d": ["np.ediff1d(v)"],
    "gradient": ["np.gradient(v)", "np.gradient(x)", "np.gradient(v, 0.5)"],
    "pad": ["np.pad(x, 1)", "np.pad(x, ((1, 0), (0, 2)))", "np.pad(v, 2, mode='edge')"],
    "resize": ["np.resize(v, (3, 2))"],
    "broadcast_to": ["np.broadcast_to(v, (3, 5))"],
    "broadcast_arrays": ["np.broadcast_arrays(x, x[0])"],
    "split": ["np.split(x[:4], 2)"],
    "array_split": ["np.array_split(x, 3)"],
    "hsplit": ["np.hsplit(x[:, :4], 2)"],
    "vsplit": ["np.vsplit(x[:4], 2)"],
    "dsplit": ["np.dsplit(x[:, None, :2], 2)"],
    "take": ["np.take(v, k)", "np.take(x, k, axis=0)"],
    "take_along_axis": ["np.take_along_axis(x, np.argsort(x, axis=1), axis=1)"],
    "choose": ["np.choose(k % 2, [v, w])"],
    "select": ["np.select([x == y, x != y], [x, y], 0)"],
    "delete": ["np.delete(v, 0)"],
    "insert": ["np.insert(v, 0, 1)"],
    "compress": ["np.compress(v == w, v)"],
    "extract": ["np.extract(v == w, v)"],
    "nonzero": ["np.nonzero(x)"],
    "flatnonzero": ["np.flatnonzero(x)"],
    "argwhere": ["np.argwhere(x)"],
    "where": ["np.where(x == y)", "np.where(x == y, x, 0.1)", "np.where(v == w, 0.1, 0.2)"],
    "trim_zeros": ["np.trim_zeros(v)"],
    "copy": ["np.copy(x)"],
    "ascontiguousarray": ["np.ascontiguousarray(x.T)"],
    "asfortranarray": ["np.asfortranarray(x)"],
    "nan_to_num": ["np.nan_to_num(x)"],
    "ix_": ["np.ix_(k, k)"],
    "angle": ["np.angle(x)", "np.angle(v, True)", "np.angle(x, deg=True)"],
    "unwrap": ["np.unwrap(v)"],
    "fft.fftshift": ["np.fft.fftshift(x)"],
    "fft.ifftshift": ["np.fft.ifftshift(x)"],
    "dot": ["np.dot(v, w)", "np.dot(x, x.T)", "np.dot(s, v)", "np.dot(v, x)"],
    "matmul": ["np.matmul(s, x)", "s @ x", "s @ v", "v @ w", "v @ x", "np.stack([s, s]) @ x"],
    "inner": ["np.inner(v, w)", "np.inner(x, y)"],
    "outer": ["np.outer(v, w)", "np.outer(v, k)"],
    "vdot": ["np.vdot(v, w)", "np.vdot(x, y)"],
    "kron": ["np.kron(v, w)", "np.kron(s, x)"],
    "tensordot": ["np.tensordot(s, x, axes=1)", "np.tensordot(x, y, axes=((0, 1), (0, 1)))"],
    "cross": ["np.cross(np.ones(3), np.full(3, v[0]))"],
    "einsum": ["np.einsum('ij,jk->ik', s, x)", "np.einsum('ij,ij->i', x, y)", "np.einsum('ij->j', x)"],
    **{
        f"linalg.{name}": [f"np.linalg.{name}(s)"]
        for name in ("inv", "pinv", "det", "slogdet", "cond", "eigh", "eigvalsh", "cholesky", "matrix_rank")
    },
    "linalg.qr": ["np.linalg.qr(x)"],
    "linalg.svd": ["np.linalg.svd(x)", "np.linalg.svd(x, full_matrices=False)"],
    "linalg.svdvals": ["np.linalg.svdvals(x)"],
    "linalg.matrix_power": ["np.linalg.matrix_power(s, 3)"],
    "linalg.solve": ["np.linalg.solve(s, v)", "np.linalg.solve(s, x)"],
    "linalg.lstsq": ["np.linalg.lstsq(x, v, rcond=None)"],
    "linalg.tensorsolve": ["np.linalg.tensorsolve(s, v)"],
    "linalg.multi_dot": ["np.linalg.multi_dot([s, s, x])"],
    **{
        f"fft.{name}": [f"np.fft.{name}(x)", f"np.fft.{name}(v)"] for name in ("fft", "ifft", "irfft", "hfft")
    },
    **{f"fft.{name}": [f"np.fft.{name}(x)", f"np.fft.{name}(v, 8)"] for name in ("rfft", "ihfft")},
    **{f"fft.{name}": [f"np.fft.{name}(x)"] for name in ("fft2", "ifft2", "fftn", "ifftn")},
    **{f"fft.{name}": [f"np.fft.{name}(x)"] for name in ("rfft2", "irfft2", "rfftn", "irfftn")},
    "convolve": ["np.convolve(v, w)", "np.convolve(v, w[:3], 'same')", "np.convolve(v, w, mode='valid')"],
    "correlate": ["np.correlate(v, w)", "np.correlate(v, w, 'full')"],
    "polyval": ["np.polyval([1, 2, 3], v)"],
    "polyfit": ["np.polyfit(np.arange(4.0), v[:4], 2)"],
    "vander": ["np.vander(v)"],
    "sort": ["np.sort(x)", "np.sort(x, axis=0)"],
    "argsort": ["np.argsort(x)", "np.argsort(v, kind='stable')"],
    "partition": ["np.partition(v, 2)"],
    "argpartition": ["np.argpartition(x, 1)"],
    "lexsort": ["np.lexsort((v, w))"],
    "searchsorted": ["np.searchsorted(np.sort(v), w)", "np.searchsorted(np.sort(v), 1)"],
    "digitize": ["np.digitize(v, np.sort(w))"],
    "interp": ["np.interp(v, np.arange(3.0), np.arange(3.0))"],
    "isin": ["np.isin(x, v)"],
    "in1d": [],
    "unique": ["np.unique(x)", "np.unique(v, return_counts=True)"],
    "unique_values": ["np.unique_values(v)"],
    **{name: [f"np.{name}(v, w)"] for name in ("union1d", "intersect1d", "setdiff1d", "setxor1d")},
    "bincount": ["np.bincount(k)", "np.bincount(k, minlength=9)"],
    "histogram": ["np.histogram(x, bins=5)", "np.histogram(x, np.arange(4.0))"],
    "histogram2d": ["np.histogram2d(v, w, bins=4)"],
    "histogram_bin_edges": ["np.histogram_bin_edges(x, bins=5)"],
    **{name: [f"np.{name}(x, y)"] for name in ("array_equal", "allclose", "array_equiv", "isclose")},
    **{name: [f"np.{name}(x, y)"] for name in ("shares_memory", "may_share_memory")},
    **{name: [f"np.{name}(x)"] for name in ("iscomplexobj", "isrealobj")},
    "ufunc methods": [
        "np.add.reduce(x)",
        "np.add.reduce(x, axis=1)",
        "np.maximum.accumulate(v)",
        "np.multiply.outer(v, w)",
        "np.logical_and.reduce(x)",
    ],
    "trapz": [],
    "positions": ["v[k]", "x[k]", "x[k, 1]", "x[k, k]", "x[k][0]", "v[np.argsort(w)]", "x[np.stack([k, k])]"],
    "grids": ["np.mgrid[0:3, 0:4]", "np.mgrid[0:1:5j, 0:2]", "np.ogrid[0:3, 0:1:0.25]", "np.indices((3, 4))"],
    "spaces": [
        "np.logspace(0, 2, 5)",
        "np.geomspace(1, 8, 4)",
        "np.linspace(0, 1, 5)",
        "np.arange(0, 1, 0.25)",
    ],
    "python": ["sum(v)", "max(v)", "min(v)", "sum(x)", "max(2, 3)", "min(v[0], v[1])"],
    "flatten": ["x.flatten()"],
    "vecdot": ["np.vecdot(v, w)", "np.vecdot(x, y)"],
    "matvec": ["np.matvec(s, v)"],
    "vecmat": ["np.vecmat(v, x)"],
}

ALL = [form for forms in FORMS.values() for form in forms]

ONE_OPERAND = (
    "negative absolute square sqrt reciprocal exp exp2 log log2 log10 log1p sin cos tan arcsin arccos"
)
ONE_OPERAND += (
    " arctan tanh arcsinh deg2rad rad2deg degrees radians floor ceil trunc rint fabs sign isnan isinf"
)
ONE_OPERAND += " isfinite logical_not conjugate invert positive"
TWO_OPERANDS = "add subtract multiply divide maximum minimum fmax fmin fmod mod remainder floor_divide hypot"
TWO_OPERANDS += (
    " arctan2 logaddexp power float_power logical_and logical_or logical_xor less less_equal greater"
)
TWO_OPERANDS += " greater_equal equal not_equal bitwise_and bitwise_or bitwise_xor"

ELEMENTWISE = [
    *(f"np.{name}(a)" for name in ONE_OPERAND.split()),
    *(f"np.{name}(a, b)" for name in TWO_OPERANDS.split()),
    *("a % b", "a // b", "a % 3", "a // 3", "a % -3", "a // 7", "a % 0.1", "a // 0.5", "3 % a", "1.5 // a"),
    *(
        "a ** 2",
        "a ** 3",
        "a ** 0.5",
        "(a + 1) ** 0.5",
        "np.power(a, 0.5)",
        "a ** -1.0",
        "a ** 1.5",
        "2.0 ** a",
    ),
    *(
        "a / 3",
        "a / b",
        "3 / a",
        "a * 0.1",
        "a - 0.5",
        "a + 1",
        "-a",
        "+a",
        "abs(a)",
        "~a",
        "a & b",
        "a << 2",
    ),
    *("a >> 1", "a < 3", "a == b", "np.maximum(a, 0.1)", "np.minimum(2, a)", "np.hypot(a, 0.5)"),
    *("np.clip(a, 1, 3)", "np.clip(a, 0.25, 2.5)", "np.clip(a, b, 2)", "np.arctan2(a, 0.5)"),
    *(
        "np.where(a > b, a, 0)",
        "np.where(a > b, a, 0.1)",
        "np.where(a > b, 0.1, 0.2)",
        "np.where(a > b, 1, 0)",
    ),
    *("np.where(a > b, np.float32(0.1), a)", "np.where(a > b, 0.1, 0.2) * a", "np.where(a > b, a, b)"),
    *(
        "a.astype(np.int64)",
        "a.astype(np.int32)",
        "a.astype(np.int16)",
        "a.astype(np.int8)",
        "a.astype(bool)",
    ),
    *("a.astype(np.uint8)", "a.astype(np.float32)", "a.astype(np.float64)"),
]
"""Operations on ``a`` and ``b``, which hold every pair of the special values of a dtype."""


def special(dtype: str) -> np.ndarray[Any, Any]:
    """Zeros of both signs, ones, halves, the smallest and largest, nan and infinities."""
    kind = np.dtype(dtype).kind
    if kind == "b":
        return np.array([True, False])
    if kind in "iu":
        info = np.iinfo(dtype)
        numbers = [info.min, info.max, 0, 1, 2, 3, 5, 7, 100, *([-1, -2, -3, -5] if kind == "i" else [])]
        return np.array(numbers, dtype)
    floats = [0.0, -0.0, 1, -1, 0.5, -0.5, 1.5, 2.5, -2.5, 3.7, 1e-8, -1e-8, 1e-20, 1e15, 300, -7, 0.1, 0.3]
    return np.array([*floats, np.nan, np.inf, -np.inf], dtype)


def arguments(dtype: str, rows: int, columns: int) -> dict[str, Any]:
    """Arrays for the names of the forms; the square matrix is symmetric and has an inverse."""
    rng = np.random.default_rng(rows * columns)

    def array(*shape: int) -> np.ndarray[Any, Any]:
        drawn = rng.integers(0 if dtype == "uint8" else -4, 5, shape)
        return (drawn + (drawn > 2) * 0.25).astype(dtype)

    square = array(rows, rows)
    square = square if dtype == "bool" else (square + square.T + 40 * np.eye(rows)).astype(dtype)
    positions = rng.integers(0, min(rows, columns), rows)
    return dict(
        zip(
            NAMES,
            (array(rows, columns), array(rows, columns), square, array(rows), array(rows), positions),
            strict=True,
        )
    )
