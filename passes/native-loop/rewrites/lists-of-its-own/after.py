"""Lists that a loop makes anew in each trip: distances, neighbours, a stack of places."""

import numpy as np
import numpy.typing as npt
import nprewrite.runtime as npr


@npr.native
def _nearest_loop(points, centres, labels):
    """The loop in `nearest`."""
    for i in range(len(points)):
        distances = [abs(points[i, 0] - centres[k, 0]) + abs(points[i, 1]) for k in range(len(centres))]
        labels[i] = np.argmin(distances)


def nearest(points: npt.NDArray[np.float64], centres: npt.NDArray[np.float64]):
    labels = np.zeros(len(points), dtype=int)
    _nearest_loop(points, centres, labels)
    return labels


@npr.native
def _density_loop(x, reach, weights, found):
    """The loop in `density`."""
    for i in range(len(x)):
        near = []
        for j in range(len(x)):
            if abs(x[i] - x[j]) < reach and i != j:
                near.append(j)
        for j in near:
            found[i] += weights[j]
        found[i] = found[i] / len(near) if near else 0.0


def density(x: npt.NDArray[np.float64], weights: npt.NDArray[np.float64], reach: float):
    found = np.zeros(len(x))
    _density_loop(x, reach, weights, found)
    return found


@npr.native
def _clusters_loop(image, label, count):
    """The loop in `clusters`."""
    for i in range(image.shape[0]):
        for j in range(image.shape[1]):
            if image[i, j] == 1 and label[i, j] == 0:
                count += 1
                stack = [(i, j)]
                while stack:
                    y, x = stack.pop()
                    if y < 0 or y >= image.shape[0] or x < 0 or x >= image.shape[1]:
                        continue
                    if image[y, x] == 1 and label[y, x] == 0:
                        label[y, x] = count
                        stack.append((y + 1, x))
                        stack.append((y - 1, x))
                        stack.append((y, x + 1))
                        stack.append((y, x - 1))
    return count


def clusters(image: npt.NDArray[np.int64], label: npt.NDArray[np.int64]):
    count = 0
    count = _clusters_loop(image, label, count)
    return count


@npr.native
def _reactions_loop(trips, prey, hunters, counts):
    """The loop in `reactions`."""
    for n in range(trips):
        changes = [[1, 0], [-1, 1], [0, -1]]
        rates = [2.0 * prey, 0.01 * prey * hunters, 1.5 * hunters]
        sums = [sum(rates[:k]) for k in range(1, 4)]
        if sums[-1] == 0:
            break
        chosen = 0
        while sums[chosen] < 0.37 * (n % 3) * sums[-1]:
            chosen += 1
        prey = prey + changes[chosen][0]
        hunters = hunters + changes[chosen][1]
        counts[n, 0], counts[n, 1] = prey, hunters


def reactions(prey: int, hunters: int, trips: int):
    counts = np.zeros((trips, 2), dtype=int)
    _reactions_loop(trips, prey, hunters, counts)
    return counts


def cases():
    points = np.arange(12.0).reshape(4, 3) % 5
    yield "nearest", (points, points[1:3] + 0.5)
    yield "nearest", (points, np.zeros((0, 3))), ValueError
    yield "nearest", (np.zeros((0, 3)), points)
    yield "reactions", (40, 90, 50)
    yield "reactions", (0, 0, 4)
    yield "density", (np.array([0.0, 0.1, 0.15, 2.0]), np.arange(4.0), 0.2)
    image = np.array([[1, 1, 0, 1], [0, 1, 0, 1], [1, 0, 0, 0]])
    yield "clusters", (image, np.zeros((3, 4), dtype=np.int64))
    yield "clusters", (image, np.zeros((2, 4), dtype=np.int64)), IndexError
