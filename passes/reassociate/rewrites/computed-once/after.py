"""What is the same in each iteration is computed before the loop, where that has one: level exact."""

import numpy as np
import nprewrite.runtime as npr


@npr.step(
    counter="n",
    scalars={"scalar_float64": "float64"},
    constants={"sum_x": npr.scalar("float64")},
    inputs={"exp_x": "float64"},
    carried={"u": "float64"},
    ranks={"u": 1, "exp_x": 1},
    looped=True,
    compile=True,
)
def _source_step(scalar_float64, sum_x, exp_x, u):
    """One iteration of the loop over `n` in `source`."""
    u = u + exp_x - scalar_float64 * u
    u[0] = sum_x
    return (u,)


def source(size: int, steps: int, rate: float):
    x = np.linspace(0.0, 1.0, size)
    u = np.zeros(size)
    if npr.quiet() and npr.are_numbers(float, rate) and range(steps):
        exp_x = rate * np.exp(-((x - 0.5) ** 2) / 0.02)
        sum_x = np.sin(np.pi * x).sum()
        for n in (loop := _source_step.over(
            range(steps),
            scalars=lambda n: (0.1 * n,),
            sum_x=sum_x,
            exp_x=exp_x,
            u=u,
        )):
            u = u + exp_x - 0.1 * n * u
            u[0] = sum_x
        if loop.finished:
            (u,) = loop.results
    else:
        for n in range(steps):
            u = u + rate * np.exp(-((x - 0.5) ** 2) / 0.02) - 0.1 * n * u
            u[0] = np.sin(np.pi * x).sum()
    return u


@npr.step(
    counter="_",
    constants={"norm_x": npr.scalar("float64")},
    inputs={"log_x": "float64"},
    carried={"u": "float64"},
    lanewise=True,
    chunked=True,
    compile=True,
)
def _named_step(norm_x, log_x, u):
    """One iteration of the loop over `_` in `named`."""
    u = u + log_x - u / norm_x
    return (u,)


def named(size: int):
    x = np.linspace(0.1, 1.0, size)
    u = np.zeros(size)
    if npr.quiet():
        width = 0.5 * np.pi
        wave = np.cos(width * x)
        log_x = 0.1 * wave * np.log(x)
        norm_x = np.linalg.norm(x)
        for n in range(4):
            # The names that the loop binds are bound once.
            for _ in (loop_1 := _named_step.over(range(2), norm_x=norm_x, log_x=log_x, u=u)):
                u = u + log_x - u / norm_x
            if loop_1.finished:
                (u,) = loop_1.results
    else:
        for n in range(4):
            # The names that the loop binds are bound once.
            width = 0.5 * np.pi
            wave = np.cos(width * x)
            for _ in range(2):
                u = u + 0.1 * wave * np.log(x) - u / np.linalg.norm(x)
    return u, wave, n


def _squared_trips(t, end):
    """The numbers of each iteration of the loop in `squared`."""
    while t < end:
        yield ()
        t += 0.25
    return ()


@npr.step(
    inputs={"product_K_y": "float64", "product_K": "float64"},
    carried={"x": "float64"},
    ranks={"x": 1, "product_K_y": 1, "product_K": 2},
    grows=True,
    compile=True,
)
def _squared_step(product_K_y, product_K, x):
    """One iteration of the loop in `squared`."""
    x = x - 0.1 * (product_K @ x - product_K_y)
    return (x,)


def squared(size: int, start: float, end: float):
    K = np.arange(float(size * size)).reshape(size, size) / size**2
    y = np.linspace(-1.0, 1.0, size)
    x = np.zeros(size)
    t = start
    if npr.quiet() and t < end:
        product_K = K.T @ K
        product_K_y = K.T @ y
        for once in (loop_2 := _squared_step.over(
            _squared_trips(t, end),
            product_K_y=product_K_y,
            product_K=product_K,
            x=x,
        )):
            while t < end:
                x = x - 0.1 * (product_K @ x - product_K_y)
                t += 0.25
        if loop_2.finished:
            (x,) = loop_2.results
    else:
        while t < end:
            x = x - 0.1 * (K.T @ K @ x - K.T @ y)
            t += 0.25
    return x


@npr.step(
    scalars={"t": npr.scalar("float64")},
    inputs={"tanh_x": "float64"},
    carried={"u": "float64"},
    apart=("moments",),
    once=True,
    compile=True,
)
def _at_times_step(t, tanh_x, u):
    """The array statements of an iteration of the loop in `at_times`."""
    u = u * tanh_x + t
    return (u,)


def at_times(size: int, times: int):
    x = np.linspace(0.0, 2.0, size)
    u = np.ones(size)
    kept = []
    moments = np.linspace(0.0, 1.0, times)
    if len(moments) > 0:
        tanh_x = np.tanh(x)
        with _at_times_step.running(tanh_x=tanh_x, u=u, moments=moments) as run:
            for n, t in enumerate(moments):
                if run.advance(lambda: (t,)):
                    (u,) = run.results
                else:
                    u = u * tanh_x + t
                if n % 2:
                    run.store()
                    kept.append(np.tanh(x))
                u = run.own(u)
                kept.append(u.copy())
    return kept


def watched(size: int, steps: int):
    x = np.full(size, 1e3)
    u = np.zeros(size)
    with np.errstate(all="raise"):
        if range(steps):
            exp_x_1 = np.exp(x)
            for _ in range(steps):
                u = np.sort(u + exp_x_1)
    return u


@npr.step(
    counter="n",
    state={"x": "float64"},
    carried={"u": "float64"},
    compile=True,
)
def _changed_step(x, u):
    """One iteration of the loop over `n` in `changed`."""
    y = x[::2]
    u = u + np.exp(x)
    w = np.exp(-u[:1])
    w += 1.0
    y += w
    return x, u


def changed(size: int, steps: int):
    x = np.linspace(0.0, 1.0, size)
    y = x[::2]
    u = np.zeros(size)
    for n in (loop_3 := _changed_step.over(range(steps), x=x, u=u)):
        u = u + np.exp(x)
        w = np.exp(-u[:1])
        w += 1.0
        y += w
    if loop_3.finished:
        (u,) = loop_3.results
    return u, x


def cases():
    for steps in (7, 1, 0):
        yield "source", (20, steps, 0.5)
        yield "squared", (40, 0.0, steps / 4)
        yield "at_times", (9, steps)
        yield "changed", (8, steps)
    yield "named", (12,)
    yield "watched", (5, 0)
    yield "watched", (5, 2), FloatingPointError
