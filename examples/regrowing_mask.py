"""Rooms with thermostats: a heater runs where a room is too cold, so the mask empties and fills again."""

import numpy as np


def thermostats(size, steps, setpoint=20.0, heat=0.5, loss=0.02):
    outside = np.linspace(-20.0, 30.0, size)
    T = np.full(size, 15.0)
    on = np.zeros(size, dtype=int)
    for _ in range(steps):
        cold = T < setpoint
        T[cold] += heat
        on[cold] += 1
        T += loss * (outside - T)
    return T, on


def main():
    T, on = thermostats(200_000, 500)
    print("mean temperature:", T.mean(), "steps with the heater on:", on.sum())


if __name__ == "__main__":
    main()
