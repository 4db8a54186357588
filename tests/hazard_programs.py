"""Small programs whose meaning the obvious rewrite, or torch.compile, changes; see ``test_hazards.py``."""

import numpy as np

import nprewrite


@nprewrite.jit
def other_name(u):
    up = u
    u += 1
    return up * 2.0 + u, up


@nprewrite.jit
def added_doubles(a, trips):
    for _ in range(trips):
        a += np.float64(0.1)
        a *= 1.5
    return a


@nprewrite.jit
def divided_in_place(a):
    b = a * 2 + 1
    a /= 2
    return b


@nprewrite.jit
def widened_in_place(a, b):
    c = b * 2.0 + 1
    a += b
    return c


@nprewrite.jit
def overlapping(c, trips):
    for _ in range(trips):
        c[1:] += c[:-1]
    return c


@nprewrite.jit
def swept(u):
    for i in range(1, len(u)):
        u[i] = 0.5 * (u[i - 1] + u[i]) + 1.0
    return u


@nprewrite.jit
def around(u):
    v = np.zeros_like(u)
    for i in range(len(u)):
        v[i] = u[i - 1] * 2.0
    return v + u[-1:3].sum() * 2.0 + u * 0.5


@nprewrite.jit
def truncated(a, trips):
    for _ in range(trips):
        a[1:-1] = (a[:-2] + a[2:]) / 2 + 0.5
    return a


@nprewrite.jit
def summed_one_by_one(x):
    total = np.float32(0)
    for value in x:
        total = total + value
    return total


@nprewrite.jit
def zeros_with_signs(e):
    d = np.zeros(e.shape)
    d[:-1] += e[1:] * 1.0
    return np.copysign(1.0, d) + np.copysign(1.0, -d * 1.0)


@nprewrite.jit
def shortest_paths(d):
    n = len(d)
    for k in range(n):
        for i in range(n):
            for j in range(n):
                d[i, j] = min(d[i, j], d[i, k] + d[k, j])
    return d


@nprewrite.jit
def plus_ten(x, k):
    return x * k + 10, k + 10


@nprewrite.jit
def times_number(x, k):
    return x * k + x, x * 2 + k


@nprewrite.jit
def cube_roots(x, k):
    return np.abs(x) * 2.0 + x ** (1 / 3), k ** (1 / 3)


@nprewrite.jit
def first_ones(x):
    n = int((x * x).sum())
    return x[:n] * 2.0 + 1.0


@nprewrite.jit
def next_number(x, big):
    return x + 1 - x * 0, x * 0 + 1e39 * x, x * 0 + big


@nprewrite.jit
def converged(x, most):
    trips = 0
    error = 1.0
    while error > 1e-8 and trips < most:
        new = 0.5 * (x + 2 / x)
        error = np.abs(new - x).max()
        x = new
        trips += 1
    return x, trips


@nprewrite.jit
def only_read(x, y):
    return x * 2.0 + y, (x * y).sum()


@nprewrite.jit
def attempt(x, k):
    y = x * 2.0 + 1.0
    try:
        return (x[[k]] * 2.0 + y[0])[0]
    except IndexError:
        return y.sum() + 1.0


@nprewrite.jit
def scalars(x):
    return (x * 2.0 + 1).sum(), (x > 0.5).any() & (x < 2).all(), x.max() - x.min()


@nprewrite.jit
def scalar_of_a_loop(x, trips):
    total = 0.0
    for _ in range(trips):
        x = x * 0.5 + 1.0
        total = (x * x).sum()
    return total, x


@nprewrite.jit
def drawn(x, generator):
    noise = generator.normal(size=x.shape)
    y = x * 0.5 + noise
    y += np.random.random(x.shape) * 2.0
    return y * 2.0 + 1.0


@nprewrite.jit
def watched(x):
    return 1.0 / x + np.log(x) * 2.0


@nprewrite.jit
def silenced(x):
    with np.errstate(divide="raise"):
        return 1.0 / x + x * 2.0


@nprewrite.jit
def scaled(x, k, trips):
    for _ in range(trips):
        x = x * k + 1
    return x


@nprewrite.jit
def sometimes_numpys(x, k, trips):
    t = 0
    for n in range(trips):
        if n > 2:
            t = x.max() - x.min()
        steps = (x > 0.5) * t
        y = x * t + np.where(x > t, x, t)
        if n == 1:
            t = k
    return steps, y, t


@nprewrite.jit
def summed_twice(x):
    y = x * x + 1.0
    return (
        np.sum(np.sum(y)),
        np.max(np.min(y)) * 2.0,
        np.mean(np.sum(y * x)),
        np.any(np.sum(y)),
        np.std(np.sum(y)),
    )


@nprewrite.jit
def by_name(x, how):
    if how == "double":
        return x * 2.0 + 1.0
    return x * 3.0 + len(how)


@nprewrite.jit
def unsigned(x, trips):
    for _ in range(trips):
        x = x * np.uint32(1664525) + np.uint32(1013904223)
    return x


@nprewrite.jit
def stored(u, trips):
    old = u[1:3]
    for _ in range(trips):
        u[1:-1] = 0.5 * (u[:-2] + u[2:])
        u *= 0.9
    return old


@nprewrite.jit
def both(a, b):
    a += 1
    b *= 2.0
    return a * 2.0 + b


@nprewrite.jit
def same_back(x):
    y = x * 2.0 + 1.0
    return x, y, x.T


@nprewrite.jit
def deleted(x, box):
    y = x * 2.0 + 1.0
    box.append((y * y).sum())
    return y
