"""A plucked string from a burst of noise and a delay line (K. Karplus and A. Strong, Computer Music Journal 7, 1983)."""

import sys

import numpy as np

SIZES = {"bench": (44100, 200000, 14), "small": (4000, 300, 2)}


def pluck(frequency, fs, length, rng, stretch=1.0):
    p = int(fs / frequency)
    line = (2 * rng.integers(0, 2, p) - 1).astype(float)
    samples = []
    current, previous = 0, 0.0
    while len(samples) < length:
        if stretch == 1.0 or rng.random() < 1 / stretch:
            line[current] = 0.5 * (line[current] + previous)
        samples.append(line[current])
        previous = samples[-1]
        current += 1
        current = current % p
    return np.array(samples)


def main(fs, length, notes):
    rng = np.random.default_rng(1983)
    chord = np.zeros(length)
    for k in range(notes):
        delay = k * length // (4 * notes)
        note = pluck(98.0 * 2 ** (k / 6), fs, length - delay, rng)
        chord[delay:] += note
    chord /= np.abs(chord).max()
    pcm = (32767 * chord).astype(np.int16)
    print("rms", np.sqrt((chord**2).mean()))
    return dict(pcm=pcm)


if __name__ == "__main__":
    np.savez(sys.argv[1], **main(*SIZES[sys.argv[2] if len(sys.argv) > 2 else "bench"]))
