"""Two galaxies pass: rings of massless stars around two heavy centres (A. Toomre and J. Toomre, Astrophys. J. 178, 1972)."""

import sys

import numpy as np

SIZES = {"bench": (40000, 250), "small": (60, 12)}


class Galaxy:
    def __init__(self, mass, pos, vel, nstars, rng, tilt=0.0):
        self.mass = mass
        self.pos = np.array(pos, dtype=float)
        self.vel = np.array(vel, dtype=float)
        r = 0.2 + 0.8 * np.sqrt(rng.random(nstars))
        phi = 2 * np.pi * rng.random(nstars)
        speed = np.sqrt(mass / r)
        R = np.array([[1, 0, 0], [0, np.cos(tilt), -np.sin(tilt)], [0, np.sin(tilt), np.cos(tilt)]])
        self.stars = self.pos + np.stack([r * np.cos(phi), r * np.sin(phi), 0 * r], axis=1) @ R.T
        self.starvel = self.vel + np.stack([-speed * np.sin(phi), speed * np.cos(phi), 0 * r], axis=1) @ R.T


def pull(points, galaxies, soft=0.05):
    acc = np.zeros_like(points)
    for galaxy in galaxies:
        d = galaxy.pos - points
        r2 = np.sum(d**2, axis=-1, keepdims=True) + soft**2
        acc += galaxy.mass * d / r2**1.5
    return acc


def kick(galaxies, dt):
    accs = [pull(g.pos[np.newaxis, :], [o for o in galaxies if o is not g])[0] for g in galaxies]
    for g, acc in zip(galaxies, accs):
        g.starvel += dt * pull(g.stars, galaxies)
        g.vel += dt * acc


def drift(galaxies, dt):
    for g in galaxies:
        g.pos += dt * g.vel
        g.stars += dt * g.starvel


def main(nstars, steps):
    rng = np.random.default_rng(1972)
    galaxies = [Galaxy(1.0, (0, 0, 0), (0, 0, 0), nstars // 2, rng),
                Galaxy(0.8, (3.0, 1.5, 0), (-0.6, 0, 0), nstars // 2, rng, tilt=np.pi / 3)]
    dt = 0.01
    separation, frames = [], []
    for step in range(steps):
        kick(galaxies, dt / 2)
        drift(galaxies, dt)
        kick(galaxies, dt / 2)
        separation.append(np.linalg.norm(galaxies[0].pos - galaxies[1].pos))
        if step % 100 == 0:
            frames.append(np.concatenate([g.stars for g in galaxies]))
            print("step", step, "separation %.4f" % separation[-1])
    return dict(separation=np.array(separation), stars=galaxies[1].stars, frames=np.array(frames))


if __name__ == "__main__":
    np.savez(sys.argv[1], **main(*SIZES[sys.argv[2] if len(sys.argv) > 2 else "bench"]))
