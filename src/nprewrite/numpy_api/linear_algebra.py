"""Products, linear algebra and Fourier transforms; the fields of a line are those of ``ArrayFunction``."""

from __future__ import annotations

from dataclasses import replace

from nprewrite.numpy_api.record import FLOATS, NOT_IN_TORCH, ArrayFunction

_LAPACK = ArrayFunction(
    because="NumPy's LAPACK raises LinAlgError and rounds in its own way", rounds=True, error="normwise"
)
_TWO = replace(_LAPACK, arrays=2)
_FFT = ArrayFunction(
    "n axis norm out",
    because="NumPy transforms, which a step would only call",
    rounds=True,
    error="normwise",
    # The device computes it in double precision, NumPy in the precision of the array.
    device_refuses="f4 c8",
)
_FFTS = replace(_FFT, positions="s axes norm out")
_PRODUCT = ArrayFunction("", FLOATS, "", arrays=2, rounds=True)
_DOT = replace(_PRODUCT, error="products", native="product")
_OTHER_DTYPE = "torch gives another dtype"
_NORMWISE = ArrayFunction(arrays=2, rounds=True, error="normwise")
_CONVOLUTION = replace(_NORMWISE, positions="mode", device="a GPU may convolve in fewer digits")

MATRIX_PRODUCTS = ("dot", "matmul")
"""Functions that are ``A @ B`` for arrays of one or two axes."""

PRODUCTS = {
    # That of torch is its `matmul`.
    "dot": replace(_DOT, positions="out", most_axes=2),
    "matmul": replace(_DOT, positions="out"),
    "inner": _DOT,
    "outer": replace(_PRODUCT, positions="out", error="sum", native="pairs"),
    "vdot": replace(_PRODUCT, error="sum", native="product"),
    "kron": _PRODUCT,
    "tensordot": replace(_PRODUCT, positions="axes", options="axes", error="sum"),
    "cross": ArrayFunction("axisa axisb axisc axis", arrays=2, rounds=True, native="crossed"),
    **dict.fromkeys(
        ["vecdot", "matvec", "vecmat"],
        ArrayFunction("axis", arrays=2, rounds=True, error="products", device=NOT_IN_TORCH),
    ),
}
"""Functions of two arrays that add up products."""

TRANSFORMS = {
    **dict.fromkeys(["fft", "ifft", "rfft", "irfft"], _FFT),
    **dict.fromkeys(["fft2", "ifft2", "fftn", "ifftn"], _FFTS),
    **dict.fromkeys(["rfft2", "irfft2", "rfftn", "irfftn"], _FFTS),
}
"""Functions of ``numpy.fft`` for which the runtime has faster ones, by their names there."""

TABLE: dict[str, ArrayFunction] = {
    **PRODUCTS,
    "einsum": replace(_PRODUCT, error="sum", device_refuses="b u i"),
    "linalg.inv": replace(_LAPACK, native="inverse"),
    "linalg.det": replace(_LAPACK, native="determinant"),
    "linalg.slogdet": replace(_LAPACK, native="sign and logarithm"),
    **dict.fromkeys(["linalg.pinv", "linalg.cond"], _LAPACK),
    **dict.fromkeys(["linalg.eigh", "linalg.eigvalsh", "linalg.cholesky", "linalg.qr"], _LAPACK),
    **dict.fromkeys(["linalg.svd", "linalg.matrix_rank"], _LAPACK),
    "linalg.svdvals": replace(_LAPACK, device=NOT_IN_TORCH),
    "linalg.matrix_power": replace(_LAPACK, positions="n", device=_OTHER_DTYPE),
    "linalg.solve": replace(_TWO, native="solution"),
    "linalg.tensorsolve": _TWO,
    "linalg.lstsq": replace(_TWO, by_data=True, device=_OTHER_DTYPE),
    "linalg.multi_dot": ArrayFunction(arrays=0, rounds=True, error="normwise"),
    **{f"fft.{name}": line for name, line in TRANSFORMS.items()},
    **dict.fromkeys(["fft.hfft", "fft.ihfft"], _FFT),
    **dict.fromkeys(["convolve", "correlate"], _CONVOLUTION),
    "polyval": ArrayFunction("", arrays=2, rounds=True, device=NOT_IN_TORCH),
    "polyfit": replace(_NORMWISE, positions="deg", device=NOT_IN_TORCH),
    "vander": ArrayFunction("N increasing", rounds=True, device=_OTHER_DTYPE),
}
