"""Indented with tabs: the loop becomes a step, the stores through masks become selects."""

import numpy as np


def settle(size: int, trips: int):
	u = np.linspace(-1.0, 1.0, size)
	for n in range(trips):
		hot = u > 0.25  # above the mark
		u[hot] = u[hot] * 0.5
		u = u + 0.125
	return u


def capped(size: int):
	u = np.linspace(-1.0, 1.0, size)
	u[u > 0.5] = 0.5
	return u


def cases():
	for trips in (0, 1, 7, 20):
		yield "settle", (6, trips)
	yield "capped", (6,)
	yield "capped", (0,)
