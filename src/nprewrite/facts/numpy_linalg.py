"""Products, linear algebra and Fourier transforms; the fields of a line are those of ``Known``."""

from __future__ import annotations

from dataclasses import replace

from nprewrite.facts.known import FLOATS, Known

_LAPACK = Known(because="NumPy's LAPACK raises LinAlgError and rounds in its own way", rounds=True)
_TWO = Known(arrays=2, because=_LAPACK.because, rounds=True)
_FFT = Known("n axis norm", because="NumPy transforms, which a step would only call", rounds=True)
_FFTS = Known("s axes norm", because=_FFT.because, rounds=True)
_PRODUCT = Known("", FLOATS, "", arrays=2, rounds=True)

PRODUCTS = {
    **dict.fromkeys(["dot", "matmul", "inner", "outer", "vdot", "kron"], _PRODUCT),
    "tensordot": Known("axes", FLOATS, "axes", arrays=2, rounds=True),
    "cross": Known("axisa axisb axisc axis", arrays=2, rounds=True),
    **dict.fromkeys(["vecdot", "matvec", "vecmat"], Known("axis", arrays=2, rounds=True)),
}
"""Functions of two arrays that add up products."""

TABLE: dict[str, Known] = {
    **PRODUCTS,
    "einsum": Known("", FLOATS, "", arrays=2, rounds=True),
    **dict.fromkeys(["linalg.inv", "linalg.pinv", "linalg.det", "linalg.slogdet", "linalg.cond"], _LAPACK),
    **dict.fromkeys(["linalg.eigh", "linalg.eigvalsh", "linalg.cholesky", "linalg.qr"], _LAPACK),
    **dict.fromkeys(["linalg.svd", "linalg.svdvals", "linalg.matrix_rank"], _LAPACK),
    "linalg.matrix_power": Known("n", because=_LAPACK.because, rounds=True),
    **dict.fromkeys(["linalg.solve", "linalg.tensorsolve"], _TWO),
    "linalg.lstsq": replace(_TWO, by_data=True),
    "linalg.multi_dot": Known(arrays=0, rounds=True),
    **dict.fromkeys(["fft.fft", "fft.ifft", "fft.rfft", "fft.irfft", "fft.hfft", "fft.ihfft"], _FFT),
    **dict.fromkeys(["fft.fft2", "fft.ifft2", "fft.fftn", "fft.ifftn"], _FFTS),
    **dict.fromkeys(["fft.rfft2", "fft.irfft2", "fft.rfftn", "fft.irfftn"], _FFTS),
    **dict.fromkeys(["convolve", "correlate"], Known("mode", arrays=2, rounds=True)),
    "polyval": Known("", arrays=2, rounds=True),
    "polyfit": Known("deg", arrays=2, rounds=True),
    "vander": Known("N increasing", rounds=True),
}
