"""Global arrays that functions read, replace, delete and define; views taken at module level."""

import sys

import numpy as np

U = np.ones((130, 140))
V = np.zeros((130, 140))
U[50:70, 50:70], V[50:70, 50:70] = 0.5, 0.25
u, v = U[1:-1, 1:-1], V[1:-1, 1:-1]
rate = 0.035
log = {}


def laplacian(Z):
    return Z[:-2, 1:-1] + Z[1:-1, :-2] - 4 * Z[1:-1, 1:-1] + Z[1:-1, 2:] + Z[2:, 1:-1]


def react(steps):
    for i in range(steps):
        Lu = laplacian(U)
        Lv = laplacian(V)
        uvv = u * v * v
        u[...] += 0.16 * Lu - uvv + rate * (1 - u)
        v[...] += 0.08 * Lv + uvv - (0.06 + rate) * v


def restart():
    global U, u, fresh
    U = U.copy()
    u = U[1:-1, 1:-1]
    fresh = np.arange(6)


def grow():
    global fresh
    for n in range(4):
        fresh = fresh * 2 + n
    return fresh


def rescale(kind):
    global U, V, u, v, rate
    U, V = U.astype(kind), V.astype(kind)
    u, v = U[1:-1, 1:-1], V[1:-1, 1:-1]
    rate = kind(rate)


react(8)
restart()
first = grow()
react(8)
log["fresh"] = grow().sum()
rescale(np.float32)
react(8)
fresh = fresh / 3
log["again"] = grow().sum()
del fresh
try:
    grow()
except NameError as error:
    log["error"] = str(error)
for step in range(12):
    u += 0.01 * laplacian(U) * rate
    V[...] = V * 0.99
a = b = np.zeros(5)
for n in range(3):
    a += n
np.savez(
    sys.argv[1],
    U=U,
    V=V,
    u=u,
    v=v,
    first=first,
    rate=rate,
    b=b,
    log=[str(each) for each in log.items()],
    mine=u.base is U,
)
