"""Loops that compute with whole arrays, and store into parts of them, record and print in between."""

from __future__ import annotations

from random_expressions import condition, expression
from random_module import Made, indented, module
from random_scope import COMPLEX, Scope, Variable
from random_setup import SHAPES
from random_statements import Lines

_VIEWS = [
    "part = {z}.imag",
    "part = {z}.real",
    "part = {z}[1:-1]",
    "part = {z}[::-1]",
    "part = {z}.view({f})",
    "part = {z}.T",
    "part = {z}.ravel()",
    "part = {z}",
    "part = {z}.imag[1:]",
    "part = np.imag({z})",
    "part = {z}.reshape(-1)",
    "part = {z}.view({f}).reshape(-1)[::2]",
]
_STORES = [
    "{z}.imag[{m}] += 0.05",
    "{z}.real[{m}] = 0.25",
    "{z}.real[1:3] = 0.3",
    "{z}.imag[1:-1] *= 0.5",
    "{z}.imag[0] = {x}[0]",
    "{z}.real[...] = {x}",
    "{z}.real = {x}",
    "{z}.imag = 0",
    "{z}.imag += 0.01",
    "{z}.real *= 0.5",
    "{z}.view({f})[3] = 0.4",
    "{z}.view({f})[::2] *= 0.5",
    "{z}.view({f})[..., 1] = {n}",
    "{z}[{n} % len({z})] = 0.1j",
    "{z}[{m}] = 0",
    "{z}[{m}] *= 0.5",
    "{z}[0] += 0.5",
    "{z}[0], {z}[-1] = {z}[-1], {z}[0]",
    "{z}.flat[1] = 0.5",
    "{z}.fill(0.25)",
    "np.multiply({z}, 0.5, out={z})",
    "np.copyto({z}.real, {x})",
    "np.add({z}.imag, 0.1, out={z}.imag)",
    "{z}.imag.flat[0] = 0.5",
    "{z}.T[0] = 0.5",
    "damp({z}.imag)",
    "damp({z})",
    "damp({z}[1:])",
    "{x}[0] = {z}.real[0]",
    "{x}[...] = {z}.imag",
    "{x}[{m}] = 0.5",
    "{x}[{n} % len({x})] = -0.5",
    "setattr({z}, 'real', 0.5)",
    "saved[0][...] = 0.5",
]
_PART_STORES = [
    "part *= 0.5",
    "part[0] = 0.5",
    "part += 0.1",
    "part[...] = 0.25",
    "part[1:] *= 0.5",
    "damp(part)",
]
_RECORDS = [
    "snaps.append({z}.copy())",
    "snaps.append({z})",
    "snaps.append({z}.imag.copy())",
    "snaps.append({z}[0])",
    "snaps.append(part.copy())",
    "snaps.append({z}.imag.max() > 0.5)",
    "snaps.append(float({x}.max()))",
    "print({n}, {z}.shape, {z}.dtype)",
    "print({n}, np.isfinite({z}).all())",
    "if {n} % 2:\n    snaps.append(np.array({z}))",
    "if {n} == 4:\n    break",
    "if {n} % 3 == 1:\n    continue",
    "if {n} == 5:\n    return {z}, snaps",
    "last = {z}.real.copy()",
    "{z} = {z}.copy()",
    "{z} = {z}[::-1]",
    "part = {z}.imag",
    "trace[{n}] = abs({z}.sum())",
    "saved[0] = {z}",
]


def held(scope: Scope) -> Made:
    """A loop whose array statements are most of it; the others see the arrays between iterations."""
    rng = scope.rng
    dtype = rng.choice([*COMPLEX, *COMPLEX, "float64", "float32"])
    single = dtype in ("complex64", "float32")
    z = Variable(rng.choice(["z", "psi", "t"]), dtype, parameter=scope.chance(0.6))
    x = Variable(rng.choice(["x", "u"]), "float32" if single else "float64", parameter=scope.chance(0.6))
    scope.variables += [z, x]
    made = (each for each in (z, x) if not each.parameter)
    setup = [f"{each.name} = np.full({SHAPES[scope.rank]}, 0.3, dtype=np.{each.dtype})" for each in made]
    setup += ["snaps = []", f"saved = [{z.name}]", "trace = np.zeros(30)"]
    setup.append(rng.choice(_VIEWS))
    scope.counter = "n"
    body: Lines = []
    for each in rng.choices([z, z, x], k=rng.choice([2, 3, 4])):
        sign = rng.choice([" =", " =", "[...] =", " +=", " *="])
        body.append(f"{each.name}{sign} {expression(scope, each.dtype, depth=2)}")
    between = rng.choices([*_STORES, *_STORES, *_PART_STORES], k=rng.choice([1, 1, 2, 3]))
    between += rng.choices(_RECORDS, k=rng.choice([0, 1, 2]))
    rng.shuffle(between)
    at = rng.randint(0, len(body)) if scope.chance(0.3) else len(body)
    body[at:at] = between
    mask = condition(scope)
    scope.counter = None
    words = {"z": z.name, "x": x.name, "f": "np.float32" if single else "float", "n": "n", "m": mask}
    lines = [*setup, "for n in range(trips):", *indented(body)]
    for word, name in words.items():
        lines = [line.replace(f"{{{word}}}", name) for line in lines]
    returned = f"return {z.name}, {x.name}, part, snaps, trace"
    return module(scope, [*lines, returned], annotated=scope.chance(0.8))
