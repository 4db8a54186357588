"""Masks with names, made by functions of NumPy, and ``np.where`` of one argument."""

from __future__ import annotations

from random_loops import statements
from random_module import Made, indented, module
from random_scope import Scope
from random_setup import arrays, numbers
from random_statements import LANEWISE, Lines

_MASKS = [
    "m = np.less({x}, 0.5)",
    "m = np.less(np.abs({x}), 1.0)",
    "m = np.greater_equal({x}, {y})",
    "m = np.equal({x}, {y})",
    "m = np.not_equal({x}, 0)",
    "m = np.isnan({x})",
    "m = np.isfinite({x})",
    "m = np.isinf({x})",
    "m = np.signbit({x})",
    "m = np.logical_and({x} > 0, {y} < 1)",
    "m = np.logical_or({x} > 1, {y} > 1)",
    "m = np.logical_xor({x} > 0, {y} > 0)",
    "m = np.logical_not({x} > 0)",
    "m = np.invert({x} > 0)",
    "m = np.bitwise_and({x} > 0, {y} > 0)",
    "m = np.isclose({x}, {y})",
    "m = np.abs({x}) < 2.0",
    "m = ({x} > 0) * ({y} > 0)",
    "m = {x}.astype(bool)",
    "m = np.zeros({x}.shape, dtype=bool)\nm[1:] = {x}[1:] > {x}[:-1]",
    "m = np.ones_like({x}, dtype=bool)\nm &= {x} < 1",
    "m = np.empty({x}.shape, bool)\nnp.less({x}, {y}, out=m)",
    "m = np.logical_and.reduce([{x} > 0, {y} > 0])",
    "m = np.where({x} > 0, True, False)",
    "m = ~np.isnan({x})",
    "m = np.less({x}, 0.5)\nm = np.logical_and(m, {y} > 0)",
    "m = k = {x} > 0.5",
    "m = np.array({x} > 0.5)",
    "m = np.any([{x} > 1, {y} > 1], axis=0)",
]
_USES = [
    "{x}[m] = 0.5",
    "{x}[m] += 1",
    "{x}[m] = {y}[m]",
    "{x}[m] = {x}[m] * 0.5 + {y}[m]",
    "{x}[~m] = {y}[~m]",
    "{x}[np.logical_not(m)] *= 0.5",
    "{x}[m & ({y} > 0)] = 1",
    "{x}[m == False] = 1",
    "{x} = np.where(m, {x}, {y})",
    "{x}[np.where(m)] = 0.25",
    "i = np.where(m)\n{x}[i] = {y}[i]",
    "i = np.where(m)[0]\n{x}[i] += 1",
    "(i,) = np.where(m)\n{x}[i] *= 0.5",
    "i = np.nonzero(m)\n{x}[i] -= 0.5",
    "i = np.flatnonzero(m)\n{x}.flat[i] = 1",
    "if len(np.where(m)[0]) > 2:\n    {x} *= 0.5",
    "count = np.count_nonzero(m)\n{x}[...] = {x} + count",
    "count = m.sum()\n{x} = {x} * 0.5 + 0.01 * count",
    "total = {x}[m].sum()\n{x}[m] -= 0.1 * total",
    "{x}[m] = np.arange(np.count_nonzero(m))",
    "{x}[m] = [1] * int(m.sum())",
    "if m.any():\n    {x}[m] = {x}[m].mean()",
    "if not m.all():\n    {x}[~m] = 0",
    "np.copyto({x}, {y}, where=m)",
    "np.putmask({x}, m, {y})",
    "np.add({x}, 1, out={x}, where=m)",
    "{x} += m",
    "{x} *= ~m",
    "m[0] = True\n{x}[m] = 2",
    "m |= {y} > 0.5\n{x}[m] = 0.5",
    "{x}[m] = 0.5\nm = np.less({x}, {y})\n{y}[m] = 0.25",
    "{x}[m], {y}[m] = {y}[m], {x}[m]",
    "n1 = m\nn1[0] = False\n{x}[m] = 1",
    "m = np.less({x}, 1)\n{x}[m][0] = 5",
    "{x} = {x}[m]",
    "{x}[m, ...] = 0.5",
    "{x}[m[..., ::-1]] = 0.5",
]


def masks(scope: Scope) -> Made:
    """Masks that have names, in a loop or not, and stores under them."""
    rng = scope.rng
    setup = arrays(scope) + numbers(scope)
    used: Lines = []
    for _ in range(rng.choice([1, 1, 2])):
        x, y = (rng.choice(scope.arrays("fic")).name for _ in range(2))
        chosen = [rng.choice(_MASKS), *rng.choices(_USES, k=rng.choice([1, 1, 2]))]
        used += [each.replace("{x}", x).replace("{y}", y) for each in chosen]
    used += statements(scope, LANEWISE, rng.choice([0, 0, 1]))
    if scope.chance(0.7):
        before = [used.pop(0)] if scope.chance(0.2) else []
        used = [*before, "for n in range(trips):", *indented(used)]
    names = list(dict.fromkeys(each.name for each in scope.variables))
    if scope.chance(0.3):
        names.append("m")
    return module(scope, [*setup, *used, f"return {', '.join(names)}"], annotated=scope.chance(0.6))
