"""``scipy.fft`` as ``fft`` has ``numpy.fft``. Import this module only where SciPy is wanted."""

from __future__ import annotations

from importlib import import_module

from nprewrite.runtime.fft import functions_of

fft, ifft, fft2, ifft2, fftn, ifftn, rfft, irfft, rfft2, irfft2, rfftn, irfftn = functions_of(
    import_module("scipy.fft")
)
