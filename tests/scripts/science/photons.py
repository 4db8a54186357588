"""Light in tissue: packets of photons scatter, lose weight and die (L. Wang, S. Jacques, L. Zheng, MCML, 1995)."""

import sys

import numpy as np

SIZES = {"bench": (30000, 100), "small": (100, 10)}


def scatter(mu, g, rng):
    """Henyey and Greenstein's angles."""
    n = len(mu)
    xi = rng.random(n)
    cost = (1 + g**2 - ((1 - g**2) / (1 - g + 2 * g * xi)) ** 2) / (2 * g)
    sint = np.sqrt(np.maximum(0, 1 - cost**2))
    psi = 2 * np.pi * rng.random(n)
    ux, uy, uz = mu.T
    flat = np.abs(uz) > 0.99999
    den = np.sqrt(np.where(flat, 1.0, 1 - uz**2))
    vx = np.where(flat, sint * np.cos(psi), sint * (ux * uz * np.cos(psi) - uy * np.sin(psi)) / den + ux * cost)
    vy = np.where(flat, sint * np.sin(psi), sint * (uy * uz * np.cos(psi) + ux * np.sin(psi)) / den + uy * cost)
    vz = np.where(flat, cost * np.sign(uz), -sint * np.cos(psi) * den + uz * cost)
    return np.column_stack((vx, vy, vz))


def main(photons, bins):
    rng = np.random.default_rng(1995)
    mua, mus, g = 0.1, 10.0, 0.9
    mut = mua + mus
    pos = np.zeros((photons, 3))
    mu = np.tile([0.0, 0.0, 1.0], (photons, 1))
    weight = np.ones(photons)
    depth = np.zeros(bins)
    dz = 0.02
    reflected = 0.0
    alive = [photons]
    while len(weight):
        step = -np.log(1 - rng.random(len(weight))) / mut
        pos += mu * step[:, np.newaxis]
        out = pos[:, 2] < 0
        reflected += weight[out].sum()
        keep = ~out
        pos, mu, weight = pos[keep], mu[keep], weight[keep]
        absorbed = weight * mua / mut
        k = np.minimum((pos[:, 2] / dz).astype(int), bins - 1)
        np.add.at(depth, k, absorbed)
        weight = weight - absorbed
        mu = scatter(mu, g, rng)
        # roulette
        low = weight < 1e-2
        lucky = rng.random(len(weight)) < 0.1
        weight[low & lucky] *= 10
        survive = ~low | lucky
        pos, mu, weight = pos[survive], mu[survive], weight[survive]
        alive.append(len(weight))
    print("reflected %.5f absorbed %.5f in %d rounds" % (reflected / photons, depth.sum() / photons, len(alive)))
    return dict(depth=depth, reflected=reflected, alive=np.array(alive))


if __name__ == "__main__":
    np.savez(sys.argv[1], **main(*SIZES[sys.argv[2] if len(sys.argv) > 2 else "bench"]))
