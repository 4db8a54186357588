"""Value iteration on a grid with slippery moves, until no value changes (Sutton and Barto, Reinforcement Learning, section 4.4)."""

import sys

import numpy as np

SIZES = {"bench": (200, 1e-5), "small": (15, 1e-3)}


class GridWorld:
    actions = [(-1, 0), (1, 0), (0, -1), (0, 1)]

    def __init__(self, n, slip=0.1, gamma=0.99):
        self.n = n
        self.slip = slip
        self.gamma = gamma
        rng = np.random.default_rng(3)
        self.walls = rng.random((n, n)) < 0.12
        self.goal = (n - 2, n - 2)
        self.walls[self.goal] = False
        self.V = np.zeros((n, n))

    def shifted(self, V, d):
        """The value of the cell that a move by d leads to; walls and edges push back."""
        n = self.n
        P = np.zeros((n + 2, n + 2))
        P[1:n + 1, 1:n + 1] = V
        there = P[1 + d[0]:n + 1 + d[0], 1 + d[1]:n + 1 + d[1]].copy()
        blocked = np.ones((n + 2, n + 2), dtype=bool)
        blocked[1:-1, 1:-1] = self.walls
        m = blocked[1 + d[0]:n + 1 + d[0], 1 + d[1]:n + 1 + d[1]]
        there[m] = V[m]
        return there

    def sweep(self):
        values = [self.shifted(self.V, d) for d in self.actions]
        average = sum(values) / 4
        Q = np.stack([(1 - self.slip) * w + self.slip * average for w in values])
        new = -1.0 + self.gamma * Q.max(axis=0)
        new[self.goal] = 0.0
        new[self.walls] = -100.0
        delta = np.abs(new - self.V).max()
        self.V = new
        return delta, Q


def main(n, theta):
    world = GridWorld(n)
    sweeps = 0
    while True:
        delta, Q = world.sweep()
        sweeps += 1
        if sweeps % 100 == 0:
            print(sweeps, delta)
        if delta < theta:
            break
    assert world.V[world.goal] == 0.0
    return dict(V=world.V, policy=Q.argmax(axis=0), sweeps=sweeps)


if __name__ == "__main__":
    np.savez(sys.argv[1], **main(*SIZES[sys.argv[2] if len(sys.argv) > 2 else "bench"]))
