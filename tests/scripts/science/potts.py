"""The Potts model by heat-bath sweeps on a checkerboard, random numbers drawn on the way (F. Y. Wu, Rev. Mod. Phys. 54, 1982)."""

import sys

import numpy as np

SIZES = {"bench": (300, 60, 4), "small": (12, 5, 3)}


def neighbours(s):
    return [np.roll(s, 1, 0), np.roll(s, -1, 0), np.roll(s, 1, 1), np.roll(s, -1, 1)]


def agreement(s, t):
    count = np.zeros(s.shape, dtype=np.int8)
    for nb in neighbours(s):
        count += (nb == t)
    return count


def main(L, sweeps, q, T=0.9):
    rng = np.random.default_rng(1982)
    spins = rng.integers(0, q, (L, L)).astype(np.int8)
    i, j = np.indices((L, L))
    colours = [(i + j) % 2 == 0, (i + j) % 2 == 1]
    table = np.exp(np.arange(-4, 5) / T)
    magnetisation, energies = [], []
    for sweep in range(sweeps):
        for mask in colours:
            proposal = rng.integers(0, q, (L, L)).astype(np.int8)
            gain = agreement(spins, proposal) - agreement(spins, spins)
            accept = rng.random((L, L)) < table[gain + 4]
            flip = mask & accept
            spins[flip] = proposal[flip]
        counts = np.bincount(spins.ravel(), minlength=q)
        magnetisation.append((q * counts.max() / spins.size - 1) / (q - 1))
        energies.append(-agreement(spins, spins).sum() / 2)
        if sweep % 20 == 0:
            print(sweep, "order %.4f" % magnetisation[-1])
    return dict(spins=spins, magnetisation=np.array(magnetisation), energies=np.array(energies))


if __name__ == "__main__":
    np.savez(sys.argv[1], **main(*SIZES[sys.argv[2] if len(sys.argv) > 2 else "bench"]))
