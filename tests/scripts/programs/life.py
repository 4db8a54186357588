"""Game of life and rain drops, drawn by matplotlib."""

import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.animation import FuncAnimation

rng = np.random.default_rng(4)
n = 50
drops = np.zeros(n, dtype=[("position", float, 2), ("size", float), ("growth", float)])
drops["position"] = rng.uniform(0, 1, (n, 2))
drops["growth"] = rng.uniform(50, 200, n)
Z = (rng.random((200, 200)) < 0.3).astype(int)

figure, axes = plt.subplots()
image = axes.imshow(Z, vmin=0, vmax=1)
scatter = axes.scatter(drops["position"][:, 0], drops["position"][:, 1], s=drops["size"])
seen = []


def iterate(Z):
    N = (
        Z[0:-2, 0:-2]
        + Z[0:-2, 1:-1]
        + Z[0:-2, 2:]
        + Z[1:-1, 0:-2]
        + Z[1:-1, 2:]
        + Z[2:, 0:-2]
        + Z[2:, 1:-1]
        + Z[2:, 2:]
    )
    birth = (N == 3) & (Z[1:-1, 1:-1] == 0)
    survive = ((N == 2) | (N == 3)) & (Z[1:-1, 1:-1] == 1)
    Z[...] = 0
    Z[1:-1, 1:-1][birth | survive] = 1
    return Z


def update(frame):
    global Z
    index = frame % n
    drops["size"] += drops["growth"] / 10
    drops["position"][index] = rng.uniform(0, 1, 2)
    drops["size"][index] = 5
    scatter.set_sizes(drops["size"])
    for _ in range(4):
        Z = iterate(Z)
    image.set_data(Z)
    seen.append(Z.sum())
    return image, scatter


animation = FuncAnimation(figure, update, frames=6, blit=True)
animation.save(sys.argv[1] + ".gif", writer="pillow")
np.savez(sys.argv[1], Z=Z, sizes=drops["size"], position=drops["position"], seen=seen)
