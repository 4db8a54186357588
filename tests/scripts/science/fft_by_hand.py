"""The fast Fourier transform in place, with bit reversal and butterflies on views (J. Cooley and J. Tukey, Math. Comput. 19, 1965)."""

import sys

import numpy as np

SIZES = {"bench": (19, 12), "small": (6, 2)}


def bit_reverse(bits):
    n = 1 << bits
    i = np.arange(n, dtype=np.uint32)
    r = np.zeros(n, dtype=np.uint32)
    for b in range(bits):
        r = (r << np.uint32(1)) | ((i >> np.uint32(b)) & np.uint32(1))
    return r


def fft(x):
    n = len(x)
    bits = n.bit_length() - 1
    a = np.asarray(x, dtype=complex)[bit_reverse(bits)]
    half = 1
    while half < n:
        w = np.exp(-1j * np.pi * np.arange(half) / half)
        b = a.reshape(-1, 2 * half)
        even = b[:, :half].copy()
        odd = b[:, half:] * w
        b[:, :half] = even + odd
        b[:, half:] = even - odd
        half *= 2
    return a


def main(bits, rounds):
    n = 1 << bits
    rng = np.random.default_rng(1965)
    signal = rng.standard_normal(n)
    peaks = []
    for k in range(rounds):
        spectrum = fft(signal * np.cos(k * np.arange(n)))
        power = np.abs(spectrum) ** 2
        peaks.append(power.argmax())
        print("round", k, "peak", peaks[-1])
    return dict(power=power, peaks=np.array(peaks))


if __name__ == "__main__":
    np.savez(sys.argv[1], **main(*SIZES[sys.argv[2] if len(sys.argv) > 2 else "bench"]))
