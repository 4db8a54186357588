"""Jams out of nothing: a cellular model of a road (K. Nagel and M. Schreckenberg, J. Physique I 2, 1992)."""

import sys

import numpy as np

SIZES = {"bench": (20000, 1500, 3), "small": (60, 20, 2)}


def gaps(pos, length):
    return (np.roll(pos, -1) - pos - 1) % length


def drive(length, density, steps, vmax=5, p=0.3, seed=0):
    rng = np.random.default_rng(seed)
    cars = int(density * length)
    pos = np.sort(rng.choice(length, cars, replace=False))
    vel = np.zeros(cars, dtype=np.int64)
    flow, diagram = 0, []
    for t in range(steps):
        vel = np.minimum(vel + 1, vmax)
        vel = np.minimum(vel, gaps(pos, length))
        slow = rng.random(cars) < p
        vel[slow & (vel > 0)] -= 1
        pos = (pos + vel) % length
        flow += vel.sum()
        if t % max(steps // 10, 1) == 0:
            road = np.full(length, -1, dtype=np.int8)
            road[pos] = vel
            diagram.append(road)
    return flow / steps / length, np.array(diagram)


def main(length, steps, densities):
    flows = []
    for density in np.linspace(0.05, 0.5, densities):
        flow, diagram = drive(length, density, steps, seed=int(1000 * density))
        flows.append(flow)
        print("density %.3f flow %.4f" % (density, flow))
    return dict(flows=np.array(flows), diagram=diagram)


if __name__ == "__main__":
    np.savez(sys.argv[1], **main(*SIZES[sys.argv[2] if len(sys.argv) > 2 else "bench"]))
