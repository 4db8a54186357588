"""A plate of triangles swings: explicit dynamics by central differences (T. J. R. Hughes, The Finite Element Method, chapter 9)."""

import sys

import numpy as np

SIZES = {"bench": (200, 60, 250), "small": (6, 3, 8)}


def mesh(nx, ny):
    x, y = np.meshgrid(np.linspace(0, 3, nx + 1), np.linspace(0, 1, ny + 1), indexing="ij")
    nodes = np.stack([x.ravel(), y.ravel()], axis=1)
    elements = []
    for i in range(nx):
        for j in range(ny):
            a = i * (ny + 1) + j
            b, c, d = a + ny + 1, a + ny + 2, a + 1
            elements += [[a, b, c], [a, c, d]]
    return nodes, np.array(elements)


def stiffness(nodes, elements, E=1.0, nu=0.3):
    p = nodes[elements]
    x, y = p[:, :, 0], p[:, :, 1]
    area = 0.5 * ((x[:, 1] - x[:, 0]) * (y[:, 2] - y[:, 0]) - (x[:, 2] - x[:, 0]) * (y[:, 1] - y[:, 0]))
    b = np.stack([y[:, 1] - y[:, 2], y[:, 2] - y[:, 0], y[:, 0] - y[:, 1]], axis=1)
    c = np.stack([x[:, 2] - x[:, 1], x[:, 0] - x[:, 2], x[:, 1] - x[:, 0]], axis=1)
    B = np.zeros((len(elements), 3, 6))
    B[:, 0, 0::2] = b
    B[:, 1, 1::2] = c
    B[:, 2, 0::2] = c
    B[:, 2, 1::2] = b
    B /= 2 * area[:, None, None]
    D = E / (1 - nu**2) * np.array([[1, nu, 0], [nu, 1, 0], [0, 0, (1 - nu) / 2]])
    return np.einsum("eji,jk,ekl,e->eil", B, D, B, area), area


def main(nx, ny, steps):
    nodes, elements = mesh(nx, ny)
    K, area = stiffness(nodes, elements)
    mass = np.zeros(len(nodes))
    np.add.at(mass, elements.ravel(), np.repeat(area / 3, 3))
    dofs = np.empty((len(elements), 6), dtype=int)
    dofs[:, 0::2] = 2 * elements
    dofs[:, 1::2] = 2 * elements + 1
    M = np.repeat(mass, 2)
    fixed = np.where(nodes[:, 0] == 0)[0]
    u = np.zeros(2 * len(nodes))
    v = np.zeros_like(u)
    load = np.zeros_like(u)
    load[1::2] = -1e-3 * mass
    dt = 0.2 / max(nx, ny)
    tip = []
    for step in range(steps):
        fe = np.einsum("eij,ej->ei", K, u[dofs])
        internal = np.zeros_like(u)
        np.add.at(internal, dofs, fe)
        v += dt * (load - internal) / M
        v[2 * fixed] = 0; v[2 * fixed + 1] = 0
        u += dt * v
        tip.append(u[-1])
    print("tip at %.6f" % tip[-1])
    return dict(u=u, v=v, tip=np.array(tip))


if __name__ == "__main__":
    np.savez(sys.argv[1], **main(*SIZES[sys.argv[2] if len(sys.argv) > 2 else "bench"]))
