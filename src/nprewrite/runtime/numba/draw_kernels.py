"""Random numbers that lowered loops draw, compiled by Numba into them. Importing this module imports Numba.

``state`` holds where NumPy's bit generator lies in memory, and its functions for 64 bits, 32 bits and a
double, then whether a normal number waits in ``kept``. The algorithms are named in ``lowering.draws``.
"""

from __future__ import annotations

import math

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic
from numba.np.random._constants import (
    fe_double,
    fi_double,
    ke_double,
    ki_double,
    we_double,
    wi_double,
    ziggurat_exp_r,
    ziggurat_nor_inv_r,
    ziggurat_nor_r,
)

from nprewrite.runtime.numba.kernels import compiled


def _function_of_state(result, name):  # type: ignore[no-untyped-def]
    """An intrinsic that calls a C function of a bit generator, given the addresses of both."""

    def call(context, function, state):  # type: ignore[no-untyped-def]
        def written(context, builder, signature, arguments):  # type: ignore[no-untyped-def]
            pointer = ir.PointerType(ir.IntType(8))
            kind = ir.FunctionType(context.get_value_type(result), [pointer])
            address = builder.inttoptr(arguments[0], kind.as_pointer())
            return builder.call(address, [builder.inttoptr(arguments[1], pointer)])

        return result(function, state), written

    call.__name__ = name
    return intrinsic(call)


_call_uint64 = _function_of_state(types.uint64, "_call_uint64")  # type: ignore[no-untyped-call]
_call_uint32 = _function_of_state(types.uint32, "_call_uint32")  # type: ignore[no-untyped-call]
_call_double = _function_of_state(types.float64, "_call_double")  # type: ignore[no-untyped-call]


@compiled
def next_double(state):  # type: ignore[no-untyped-def]
    """A float64 in [0, 1)."""
    return _call_double(state[3], state[0])


@compiled
def masked(state, most):  # type: ignore[no-untyped-def]
    """An integer from 0 to ``most``, which is below 2**32 - 1, as a ``RandomState`` draws it."""
    if most == 0:
        return np.int64(0)
    mask = np.uint64(most)
    for shift in (1, 2, 4, 8, 16):
        mask |= mask >> np.uint64(shift)
    value = np.uint64(_call_uint32(state[2], state[0])) & mask
    while value > np.uint64(most):
        value = np.uint64(_call_uint32(state[2], state[0])) & mask
    return np.int64(value)


@compiled
def lemire(state, most):  # type: ignore[no-untyped-def]
    """An integer from 0 to ``most``, which is below 2**32 - 1, as a ``Generator`` draws it."""
    if most == 0:
        return np.int64(0)
    count, low = np.uint64(most) + np.uint64(1), np.uint64(0xFFFFFFFF)
    product = np.uint64(_call_uint32(state[2], state[0])) * count
    if product & low < count:
        threshold = (low - np.uint64(most)) % count
        while product & low < threshold:
            product = np.uint64(_call_uint32(state[2], state[0])) * count
    return np.int64(product >> np.uint64(32))


@compiled
def bits(state, most):  # type: ignore[no-untyped-def]
    """An integer from 0 to ``most``, which is below 2**32 - 1, as the module ``random`` draws it."""
    count, length = np.uint64(most) + np.uint64(1), np.uint64(0)
    while count >> length:
        length += np.uint64(1)
    shift = np.uint64(32) - length
    value = np.uint64(_call_uint32(state[2], state[0])) >> shift
    while value >= count:
        value = np.uint64(_call_uint32(state[2], state[0])) >> shift
    return np.int64(value)


@compiled
def polar_normal(state, kept):  # type: ignore[no-untyped-def]
    """A normal number as a ``RandomState`` draws it: two at a time."""
    if state[4]:
        state[4] = 0
        value = kept[0]
        kept[0] = 0.0
        return value
    square = 0.0
    first = second = 0.0
    while square >= 1.0 or square == 0.0:
        first = 2.0 * next_double(state) - 1.0
        second = 2.0 * next_double(state) - 1.0
        square = first * first + second * second
    factor = math.sqrt(-2.0 * math.log(square) / square)
    kept[0] = factor * first
    state[4] = 1
    return factor * second


@compiled
def gauss(state, kept):  # type: ignore[no-untyped-def]
    """A normal number as the module ``random`` draws it: two at a time."""
    if state[4]:
        state[4] = 0
        return kept[0]
    angle = next_double(state) * (2.0 * math.pi)
    radius = math.sqrt(-2.0 * math.log(1.0 - next_double(state)))
    kept[0] = math.sin(angle) * radius
    state[4] = 1
    return math.cos(angle) * radius


@compiled
def ziggurat_normal(state):  # type: ignore[no-untyped-def]
    """A normal number as a ``Generator`` draws it."""
    while True:
        drawn = _call_uint64(state[1], state[0])
        layer = drawn & np.uint64(0xFF)
        drawn >>= np.uint64(8)
        negative = drawn & np.uint64(1)
        size = (drawn >> np.uint64(1)) & np.uint64(0x000FFFFFFFFFFFFF)
        value = np.float64(size) * wi_double[layer]
        if negative:
            value = -value
        if size < ki_double[layer]:
            return value
        if layer == 0:
            while True:
                beyond = -ziggurat_nor_inv_r * math.log1p(-next_double(state))
                height = -math.log1p(-next_double(state))
                if height + height > beyond * beyond:
                    value = ziggurat_nor_r + beyond
                    return -value if (size >> np.uint64(8)) & np.uint64(1) else value
        step = fi_double[layer - np.uint64(1)] - fi_double[layer]
        if step * next_double(state) + fi_double[layer] < math.exp(-0.5 * value * value):
            return value


@compiled
def logarithmic(state):  # type: ignore[no-untyped-def]
    """A waiting time as a ``RandomState`` and the module ``random`` draw it."""
    return -math.log(1.0 - next_double(state))


@compiled
def ziggurat_exponential(state):  # type: ignore[no-untyped-def]
    """A waiting time as a ``Generator`` draws it."""
    while True:
        drawn = _call_uint64(state[1], state[0]) >> np.uint64(3)
        layer = drawn & np.uint64(0xFF)
        drawn >>= np.uint64(8)
        value = np.float64(drawn) * we_double[layer]
        if drawn < ke_double[layer]:
            return value
        if layer == 0:
            return ziggurat_exp_r - math.log1p(-next_double(state))
        step = fe_double[layer - np.uint64(1)] - fe_double[layer]
        if step * next_double(state) + fe_double[layer] < math.exp(-value):
            return value


@compiled
def polar_gamma(state, kept, shape):  # type: ignore[no-untyped-def]
    """A number of the gamma distribution as a ``RandomState`` draws it."""
    if shape == 1.0:
        return logarithmic(state)
    found = 0.0 if shape == 0.0 else -1.0
    while found < 0.0 and shape < 1.0:
        drawn = next_double(state)
        found = _gamma_below_one(shape, drawn, logarithmic(state))
    while found < 0.0:
        normal = polar_normal(state, kept)
        if _stretched(shape, normal) > 0.0:
            found = _gamma_above_one(shape, normal, next_double(state))
    return found


@compiled
def ziggurat_gamma(state, shape):  # type: ignore[no-untyped-def]
    """A number of the gamma distribution as a ``Generator`` draws it."""
    if shape == 1.0:
        return ziggurat_exponential(state)
    found = 0.0 if shape == 0.0 else -1.0
    while found < 0.0 and shape < 1.0:
        drawn = next_double(state)
        found = _gamma_below_one(shape, drawn, ziggurat_exponential(state))
    while found < 0.0:
        normal = ziggurat_normal(state)
        if _stretched(shape, normal) > 0.0:
            found = _gamma_above_one(shape, normal, next_double(state))
    return found


@compiled
def _gamma_below_one(shape, drawn, waiting):  # type: ignore[no-untyped-def]
    """What is drawn; -1 where it is rejected."""
    if drawn <= 1.0 - shape:
        found = math.pow(drawn, 1.0 / shape)
        return found if found <= waiting else -1.0
    beyond = -math.log((1.0 - drawn) / shape)
    found = math.pow(1.0 - shape + shape * beyond, 1.0 / shape)
    return found if found <= waiting + beyond else -1.0


@compiled
def _stretched(shape, normal):  # type: ignore[no-untyped-def]
    return 1.0 + 1.0 / math.sqrt(9.0 * (shape - 1.0 / 3.0)) * normal


@compiled
def _gamma_above_one(shape, normal, drawn):  # type: ignore[no-untyped-def]
    """What is drawn; -1 where it is rejected."""
    scale, root = shape - 1.0 / 3.0, _stretched(shape, normal)
    cube = root * root * root
    if drawn < 1.0 - 0.0331 * (normal * normal) * (normal * normal):
        return scale * cube
    if math.log(drawn) < 0.5 * normal * normal + scale * (1.0 - cube + math.log(cube)):
        return scale * cube
    return -1.0


@compiled
def small_beta(state, first, second):  # type: ignore[no-untyped-def]
    """A number of the beta distribution by Jöhnk's method.

    -1 where NumPy takes another method; -2 for numbers so small that versions of NumPy differ.
    """
    if first > 1.0 or second > 1.0:
        return -1.0
    while True:
        one, other = next_double(state), next_double(state)
        x, y = math.pow(one, 1.0 / first), math.pow(other, 1.0 / second)
        if x + y > 1.0 or one + other == 0.0:
            continue
        return x / (x + y) if x + y > 0.0 else -2.0


@compiled
def weighted_place(state, chances):  # type: ignore[no-untyped-def]
    """The place that NumPy draws with these chances; -1, and nothing is drawn, where it may raise."""
    total = 0.0
    for chance in chances:
        if not chance >= 0.0:
            return -1
        total += chance
    # NumPy allows for more, in a sum of its own.
    if not abs(total - 1.0) <= 1e-9:
        return -1
    drawn, reached, place = next_double(state), chances[0], 0
    while reached / total <= drawn:
        place += 1
        reached += chances[place]
    return place


@compiled
def events(state, mean):  # type: ignore[no-untyped-def]
    """The number of events in a time in which there are ``mean``, as NumPy draws it."""
    if mean >= 10.0:
        return _many_events(state, mean)
    count = 0
    if mean == 0.0:
        return count
    least, product = math.exp(-mean), next_double(state)
    while product > least:
        count += 1
        product *= next_double(state)
    return count


@compiled
def _many_events(state, mean):  # type: ignore[no-untyped-def]
    root, logarithm = math.sqrt(mean), math.log(mean)
    b = 0.931 + 2.53 * root
    a = -0.059 + 0.02483 * b
    inverse = 1.1239 + 1.1328 / (b - 3.4)
    bound = 0.9277 - 3.6224 / (b - 2.0)
    while True:
        u = next_double(state) - 0.5
        v = next_double(state)
        distance = 0.5 - abs(u)
        count = math.floor((2.0 * a / distance + b) * u + mean + 0.43)
        if distance >= 0.07 and v <= bound:
            return np.int64(count)
        if count < 0 or (distance < 0.013 and v > distance):
            continue
        drawn = math.log(v) + math.log(inverse) - math.log(a / (distance * distance) + b)
        if drawn <= -mean + count * logarithm - _log_gamma(count + 1.0):
            return np.int64(count)


_STIRLING = (
    *(8.333333333333333e-02, -2.777777777777778e-03, 7.936507936507937e-04, -5.952380952380952e-04),
    *(8.417508417508418e-04, -1.917526917526918e-03, 6.410256410256410e-03, -2.955065359477124e-02),
    *(1.796443723688307e-01, -1.39243221690590e00),
)


@compiled
def _log_gamma(x):  # type: ignore[no-untyped-def]
    """The logarithm of the gamma function by Stirling's series, in NumPy's order."""
    if x == 1.0 or x == 2.0:
        return 0.0
    further = int(7.0 - x) if x < 7.0 else 0
    shifted = x + further
    inverse = (1.0 / shifted) * (1.0 / shifted)
    series = _STIRLING[9]
    for k in range(8, -1, -1):
        series = series * inverse + _STIRLING[k]
    found = series / shifted + 0.5 * 1.8378770664093453 + (shifted - 0.5) * math.log(shifted) - shifted
    for _ in range(further):
        found -= math.log(shifted - 1.0)
        shifted -= 1.0
    return found


@compiled
def successes(state, count, chance):  # type: ignore[no-untyped-def]
    """How many of ``count`` trials succeed, each with this ``chance`` from 0 to 1, as NumPy draws it."""
    rarer = chance if chance <= 0.5 else 1.0 - chance
    few = rarer * count <= 30.0
    found = _few_successes(state, count, rarer) if few else _many_successes(state, count, rarer)
    return found if chance <= 0.5 else count - found


@compiled
def _few_successes(state, count, chance):  # type: ignore[no-untyped-def]
    """By inversion: the probabilities of 0, 1, 2 and so on are taken from the drawn number in turn."""
    other, mean = 1.0 - chance, count * chance
    none = math.exp(count * math.log(other))
    bound = np.int64(min(float(count), mean + 10.0 * math.sqrt(mean * other + 1.0)))
    found, share, drawn = np.int64(0), none, next_double(state)
    while drawn > share:
        found += 1
        if found > bound:
            found, share, drawn = np.int64(0), none, next_double(state)
        else:
            drawn -= share
            share = ((count - found + 1) * chance * share) / (found * other)
    return found


@compiled
def _many_successes(state, count, r):  # type: ignore[no-untyped-def]
    """By BTPE, with the names of the paper; ``r`` is at most 0.5."""
    q = 1.0 - r
    nrq = count * r * q
    f_m = count * r + r
    m = np.int64(math.floor(f_m))
    p1 = math.floor(2.195 * math.sqrt(nrq) - 4.6 * q) + 0.5
    x_m = m + 0.5
    x_l, x_r = x_m - p1, x_m + p1
    c = 0.134 + 20.5 / (15.3 + m)
    a = (f_m - x_l) / (f_m - x_l * r)
    lambda_l = a * (1.0 + a / 2.0)
    a = (x_r - f_m) / (x_r * q)
    lambda_r = a * (1.0 + a / 2.0)
    p2 = p1 * (1.0 + 2.0 * c)
    p3 = p2 + c / lambda_l
    p4 = p3 + c / lambda_r
    while True:
        u, v = next_double(state) * p4, next_double(state)
        if u <= p1:
            return np.int64(math.floor(x_m - p1 * v + u))
        if u <= p2:
            x = x_l + (u - p1) / c
            v = v * c + 1.0 - abs(m - x + 0.5) / p1
            y = np.int64(math.floor(x))
            is_in = v <= 1.0
        elif u <= p3:
            is_in = v != 0.0
            y = np.int64(math.floor(x_l + math.log(v) / lambda_l)) if is_in else np.int64(0)
            is_in = is_in and y >= 0
            v *= (u - p2) * lambda_l
        else:
            is_in = v != 0.0
            y = np.int64(math.floor(x_r - math.log(v) / lambda_r)) if is_in else np.int64(0)
            is_in = is_in and y <= count
            v *= (u - p3) * lambda_r
        if is_in and _is_accepted(v, y, m, count, r, nrq, x_m):
            return y


@compiled
def _is_accepted(v, y, m, count, r, nrq, x_m):  # type: ignore[no-untyped-def]
    q = 1.0 - r
    k = abs(y - m)
    if k <= 20 or k >= nrq / 2.0 - 1.0:
        ratio = 1.0
        s = r / q
        a = s * (count + 1)
        for i in range(m + 1, y + 1):
            ratio *= a / i - s
        for i in range(y + 1, m + 1):
            ratio /= a / i - s
        return v <= ratio
    rho = (k / nrq) * ((k * (k / 3.0 + 0.625) + 0.16666666666666666) / nrq + 0.5)
    t = -k * k / (2.0 * nrq)
    logarithm = math.log(v) if v > 0.0 else -math.inf
    if logarithm < t - rho:
        return True
    if logarithm > t + rho:
        return False
    x, f, z, w = y + 1.0, m + 1.0, count + 1.0 - m, count - y + 1.0
    bound = x_m * math.log(f / x) + (count - m + 0.5) * math.log(z / w) + (y - m) * math.log(w * r / (x * q))
    return logarithm <= bound + _corrected(f) + _corrected(z) + _corrected(x) + _corrected(w)


@compiled
def _corrected(x):  # type: ignore[no-untyped-def]
    """A part of Stirling's series."""
    square = x * x
    return (13680.0 - (462.0 - (132.0 - (99.0 - 140.0 / square) / square) / square) / square) / x / 166320.0
