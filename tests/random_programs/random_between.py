"""Random loops that record, and store into their arrays between the steps, through views of every kind."""

from __future__ import annotations

import random

from generator import Program

_HEAD = """import numpy as np

history = []


class Box:
    pass


def touch(x):
    x[..., 1:2] = 0.35


def seen(x):
    history.append(x.copy())


def run():
    n, trips, snaps, hold, box, totals = 12, 5, [], [None], Box(), np.zeros(5)
"""
_DTYPES = ("float64", "float32", "complex128", "complex64")
_LAYOUTS = (
    *["np.linspace(-0.5, 0.25, n){}"] * 3,
    "np.linspace(-0.25, 0.5, 2 * n){}[::2]",
    "np.linspace(-0.25, 0.5, n){}[::-1]",
    "np.linspace(-0.5, 0.5, 3 * n){}.reshape(n, 3)[:, 1]",
    "np.linspace(-0.5, 0.5, n + 4){}[2:-2]",
)
STEPS = {
    "z": ("z = z * z * 0.5 + c * 0.25",),
    "z[]": ("z[1:-1] += 0.1 * (z[2:] - 2 * z[1:-1] + z[:-2]) + 0.125 * c[1:-1]",),
    "z u[]": ("u[1:-1] += 0.1 * (z[2:] - z[:-2]) * c[1:-1]", "z = z * 0.5 + u * 0.25"),
    "z u": ("z = z * 0.5 + u * 0.25 * c", "u = u * 0.25 - z * 0.5"),
    "u, z": ("u, z = z, 0.5 * z - 0.25 * u + 0.1 * c * z",),
    "z[] u[]": ("u[1:-1] = 0.5 * (z[2:] + z[:-2]) + 0.1 * c[1:-1]", "z, u = u, z"),
    "z[] z": ("z[1:-1] += 0.25 * c[1:-1] * z[1:-1]", "z = z * 0.5 + 0.1 * c"),
}
"""By what they bind anew, and store into (``[]``)."""
_STORES = (
    *("{a}[m] = 0.25", "{a}[2:5] *= 0.5", "{a} += 0.0625", "{a}[...] = {a} * 0.5", "{a}.flat[m] = 0.125"),
    *("{a}.T[m] = 0.375", "np.add({a}, 0.125, out={a})", "np.copyto({a}, 0.25, where=np.abs({a}) > 0.4)"),
    *("{a}.fill(0.1875)", "touch({a})", "{a}[np.abs({a}) > 0.3] = 0.2", "np.put({a}, [1, m], 0.4)"),
    *("v = {a}\nv[3] = 0.3", "v = {a}[1:4]\nv[m % 3] = 0.3", "np.multiply.at({a}, [m, 2], 0.5)"),
    *(
        "{a}.sort()",
        "hold[0] = {a}\nhold[0][m] = 0.3",
        "box.a = {a}\nbox.a[m] = 0.2",
        "np.negative({a}, {a})",
    ),
    *("for k in range(2):\n    {a}[k] = 0.1 * m", "[w.__setitem__(1, 0.3) for w in [{a}]]"),
)
_STORES_IN_PARTS = (
    *("{a}.imag[m] += 0.05", "{a}.real[2:5] = 0.3", "{a}.real = 0.2", "{a}.imag *= 0.5", "touch({a}.real)"),
    *("re = {a}.real\nre[m] = 0.3", "np.add({a}.imag, 0.1, out={a}.imag)", "np.conjugate({a}, out={a})"),
    *("hold[0] = {a}.imag\nhold[0][m] = 0.1", "snaps.append({a}.real)\nsnaps[-1][2] = 0.1"),
)
_RECORDS = (
    *("snaps.append({a}.copy())", "snaps.append({a})", "snaps.append({a}[1:3])", "snaps.append({a}.real)"),
    *("totals[m] = np.abs({a}).sum()", "hold[0] = {a}", "seen({a})", "totals[m] = m"),
)
_LATER = (
    "if snaps:\n    snaps[-1][:1] = 0.05",
    "if hold[0] is not None:\n    hold[0][...] = 0.1",
    "if len(snaps) > 1:\n    touch(snaps[-2])",
)
_STARTS = ("0", "1", "0.5", "True", "np.float64(0.5)", "np.float32(0.5)", "np.int64(1)")
_NEXT = (
    *("s += 0.25", "s = np.abs(z).max()", "s = 0.5 * np.min(np.abs(c))", "s = float(np.abs(z[0]))", "s = 1"),
    *("if m % 2:\n    s = 0.5", "if m == 2:\n    s = np.abs(z).sum()", "if m > 1:\n    s = n - m"),
)
_USES = ("z = z * 0.5 + c * s", "u = 0.25 * u * s + c", "z = z * 0.5 + s", "z[1:] += c[1:] * s")
_SHOWN = ("snaps.append((np.abs(z) > 0.2) * s)", "snaps.append(np.arange(4) * s)", "snaps.append(s)")
"""A number that is one of Python's on one path and one of NumPy's on another."""
_CONDITIONS = ("if m % 2:", "if m > 1:", "if m == 2:")
_ENDS = ("", "", "", "", "if m == 3:\n    break", "if m == 3:\n    raise KeyError(m)")


def between(seed: int) -> Program:
    """The program of a seed: a loop that computes with ``z``, ``c`` and ``u``, and changes them otherwise."""
    rng = random.Random(seed)
    dtype, step = rng.choice(_DTYPES), rng.choice([*STEPS])
    is_complex = dtype.startswith("complex")
    cast = f".astype(np.{dtype})" + (f" * np.{dtype}(1 + 0.25j)" if is_complex else "")
    arrays = [f"{name} = {_of_layout(rng, cast)}" for name in "zcu"]
    names = ["z", "c"] if step == "u, z" else ["z", "c", "u"]
    given = []
    if rng.random() < 0.35:
        views = ["[1:]", "", ".T", "[::2]"] + [".real", ".imag"] * is_complex
        arrays.append(f"w = {rng.choice(names)}{rng.choice(views)}")
        given = ["w"]
    stores = _STORES + _STORES_IN_PARTS * (2 * is_complex)
    before, after = [], []
    for _ in range(rng.randint(1, 3)):
        side = before if rng.random() < 0.25 else after
        side.append(_statement(rng, [*names, *given], stores))
    after.append(rng.choice(_RECORDS).format(a="z"))
    end = rng.choice(_ENDS)
    if seed % 3 == 1:
        arrays.append(f"s = {rng.choice(_STARTS)}")
        before += rng.sample(_NEXT, rng.randint(0, 1))
        after = [rng.choice(_USES), rng.choice(_SHOWN), *rng.sample(_NEXT, rng.randint(1, 2)), *after]
    body = "\n".join([*before, *STEPS[step], *after, end])
    result = ", ".join([*names, *given, "snaps", "hold", "totals"])
    loop = ["for m in range(trips):", *_indented(body), f"return {result}"]
    return Program(seed, "between", _HEAD + "\n".join(_indented("\n".join([*arrays, *loop]))) + "\n", (), 1)


def _of_layout(rng: random.Random, cast: str) -> str:
    text = rng.choice(_LAYOUTS)
    return "(" + text.format(f"{cast})") if "* np" in cast else text.format(cast)


def _statement(rng: random.Random, names: list[str], stores: tuple[str, ...]) -> str:
    name = rng.choice(names)
    kinds = rng.choices([stores, _RECORDS, _LATER], [6, 2, 2])[0]
    # A view may be short, or of the part that is real.
    text = "w[m % 3] = 0.2" if name == "w" else rng.choice(kinds).format(a=name)
    if rng.random() < 0.7:
        return text
    lines = [rng.choice(_CONDITIONS), *_indented(text)]
    if rng.random() < 0.3:
        lines += ["elif m % 3 == 0:", *_indented(rng.choice(_RECORDS).format(a=name))]
    return "\n".join(lines)


def _indented(text: str) -> list[str]:
    return [f"    {line}" for line in text.split("\n") if line]
