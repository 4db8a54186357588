"""A map of colours that organises itself (T. Kohonen, Biological Cybernetics 43, 1982)."""

import sys

import numpy as np

SIZES = {"bench": (60, 2500), "small": (8, 40)}


class SOM:
    def __init__(self, rows, cols, dim, rng):
        self.rows, self.cols = rows, cols
        self.weights = rng.random((rows, cols, dim))
        self.y, self.x = np.ogrid[0:rows, 0:cols]
        self.sigma0 = max(rows, cols) / 2.0
        self.lr0 = 0.5

    def winner(self, sample):
        d = ((self.weights - sample) ** 2).sum(axis=-1)
        return np.unravel_index(np.argmin(d), d.shape)

    def train(self, data, epochs):
        tau = epochs / np.log(self.sigma0)
        for t in range(epochs):
            sample = data[t % len(data)]
            i, j = self.winner(sample)
            sigma = self.sigma0 * np.exp(-t / tau)
            lr = self.lr0 * np.exp(-t / epochs)
            g = np.exp(-((self.x - j) ** 2 + (self.y - i) ** 2) / (2 * sigma ** 2))
            self.weights += lr * g[:, :, np.newaxis] * (sample - self.weights)
            if t % 1000 == 0:
                print("%5d sigma %.3f" % (t, sigma))


def main(n, epochs):
    rng = np.random.default_rng(1982)
    data = rng.random((500, 3))
    som = SOM(n, n, 3, rng)
    som.train(data, epochs)
    hits = np.zeros((n, n), dtype=int)
    for sample in data[:100]:
        hits[som.winner(sample)] += 1
    return dict(weights=som.weights, hits=hits)


if __name__ == "__main__":
    np.savez(sys.argv[1], **main(*SIZES[sys.argv[2] if len(sys.argv) > 2 else "bench"]))
