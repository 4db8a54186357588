"""A shear layer of point vortices with smoothed cores that rolls up (R. Krasny, J. Comput. Phys. 65, 1986)."""

import sys

import numpy as np

SIZES = {"bench": (400, 40, 0.25), "small": (20, 4, 0.5)}
delta = 0.5


def velocity(z, gamma):
	n = z.shape[0]
	x = z[:, 0].reshape((n, 1))
	y = z[:, 1].reshape((n, 1))
	dx = 2 * np.pi * (x - x.T)
	dy = 2 * np.pi * (y - y.T)
	D = np.cosh(dy) - np.cos(dx) + delta**2
	u = -0.5 * np.sum(np.sinh(dy) / D * gamma, axis=1)
	v = 0.5 * np.sum(np.sin(dx) / D * gamma, axis=1)
	return np.stack((u, v), axis=1)


def main(n, steps, final):
	a = np.arange(n) / n
	z = np.column_stack((a + 0.01 * np.sin(2 * np.pi * a), -0.01 * np.sin(2 * np.pi * a)))
	gamma = np.ones(n) / n
	dt = final / steps
	t = 0
	frames = [z.copy()]
	while t < final - dt / 2:
		k1 = velocity(z, gamma)
		k2 = velocity(z + 0.5 * dt * k1, gamma)
		k3 = velocity(z + 0.5 * dt * k2, gamma)
		k4 = velocity(z + dt * k3, gamma)
		z += dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
		t += dt
		frames.append(z.copy())
	print("time %.3f, centre of vorticity %.6f" % (t, np.dot(gamma, z[:, 1])))
	return dict(z=z, frames=np.array(frames))


if __name__ == "__main__":
	np.savez(sys.argv[1], **main(*SIZES[sys.argv[2] if len(sys.argv) > 2 else "bench"]))
