"""Results of inlined functions under the caller's names, and literals where they are used."""

from __future__ import annotations

import textwrap
from typing import Any

import numpy as np
import pytest
from inlined import body_of_main, inlined, outcome

DIRECT = {
    "several": (
        """
        def primitive(mass, p):
            rho = mass / 2
            vx = p - rho
            return rho, vx

        def main(x):
            rho, vx = primitive(x, x + 1)
            return rho - vx
        """,
        """
        primitive_p = x + 1
        rho = x / 2
        vx = primitive_p - rho
        return rho - vx
        """,
    ),
    "the argument is the name itself": (
        """
        def applied(f, flux):
            f += flux
            f += 0.5 * flux
            return f

        def main(x):
            y = x * 2
            y = applied(y, x)
            return y
        """,
        """
        y = x * 2
        y += x
        y += 0.5 * x
        return y
        """,
    ),
    "a parameter that is bound anew": (
        """
        def limited(f, g):
            f = np.minimum(f, g)
            return f

        def main(x):
            y = limited(x - 1, x)
            return y
        """,
        """
        y = x - 1
        y = np.minimum(y, x)
        return y
        """,
    ),
    "read for the last time where it is bound": (
        """
        def half(v):
            w = v / 2
            w = w + 1
            return w

        def main(x):
            x = half(x)
            return x
        """,
        """
        x = x / 2
        x = x + 1
        return x
        """,
    ),
    "only one of two": (
        """
        def both(v):
            w = v + 1
            return w, w * v

        def main(x):
            y, z = both(x)
            return y - z
        """,
        """
        y = x + 1
        z = y * x
        return y - z
        """,
    ),
    "literals": (
        """
        def sides(v, by=1, *, scale):
            left, right = -1, by
            third = 1 / 3
            return scale * np.roll(v, left) + third * np.roll(v, right)

        def main(x):
            y = sides(x, scale=2.0)
            return y
        """,
        """
        sides_right = 1
        y = 2.0 * np.roll(x, -1) + 1 / 3 * np.roll(x, sides_right)
        return y
        """,
    ),
}


@pytest.mark.parametrize(("program", "expected"), DIRECT.values(), ids=DIRECT)
def test_the_caller_s_names_and_literals(program: str, expected: str) -> None:
    text = inlined(program)
    assert body_of_main(text).strip() == textwrap.dedent(expected).strip()
    check(program, text)


HAZARDS = {
    "the old value is read after the first binding": """
        def step(v):
            new = v * 0.5
            new = new + v
            return new

        def main(x):
            x = step(x)
            return x
        """,
    "the old value is read where a loop binds": """
        def step(v):
            for k in range(3):
                new = v + k
            return new

        def main(x):
            x = step(x)
            return x
        """,
    "two names trade places": """
        def turned(a, b):
            c = b * 1.0
            d = a * 2.0
            return c, d

        def main(x):
            y = x + 1
            x, y = turned(x, y)
            return x - 3 * y
        """,
    "an argument is read after the parameter before it is bound": """
        def both(a, b):
            a = a + 1
            return a * b, a

        def main(x):
            y = x + 1
            z, y = both(x * 2, y)
            return z - y
        """,
    "it is given for two parameters, one of which is changed in place": """
        def added(a, b):
            a += b
            a += b
            return a

        def main(x):
            y = x + 1
            y = added(y, y)
            return y
        """,
    "the result is not always bound": """
        def chosen(v, limit):
            if v.sum() > limit:
                w = v * 2
            return w

        def main(x):
            w = x
            w = chosen(x, 1e9)
            return w
        """,
    "the function raises, and the caller goes on": """
        def broken(v):
            w = v * 2
            w = w + v[100]
            return w

        def main(x):
            w = x
            try:
                w = broken(x)
            except IndexError:
                pass
            return w
        """,
    "errors are suppressed": """
        import contextlib

        def broken(v):
            w = v * 2
            w = w + v[100]
            return w

        def main(x):
            w = x
            with contextlib.suppress(IndexError):
                w = broken(x)
            return w
        """,
    "a function inside sees the name": """
        def main(x):
            y = x + 1
            def seen():
                return y * 2
            def changed(v):
                w = v + 1
                w = w + seen()
                return w
            y = changed(x)
            return y
        """,
    "one result for two names": """
        def same(v):
            w = v + 1
            return w, w

        def main(x):
            y, z = same(x)
            y += 1
            return y, z
        """,
    "one name for two results": """
        def pair(v):
            a = v + 1
            b = v * 2
            return a, b

        def main(x):
            y, y = pair(x)
            return y
        """,
    "a name that is read before it is a literal": """
        def counted(v):
            for k in range(2):
                if k:
                    v = v + shift
                shift = 3
            return v

        def main(x):
            y = counted(x)
            return y
        """,
    "a number that is bound twice": """
        def counted(v):
            shift = 1
            v = v + shift
            shift = 2
            v = v * shift
            return v

        def main(x):
            y = counted(x)
            return y
        """,
    "an argument that raises late": """
        def late(f, v):
            v[0] = 7.0
            return f

        def main(x):
            try:
                y = late(y, x)
            except UnboundLocalError:
                return x[0]
        """,
    "a name that has no value yet": """
        def late(f, v):
            v[0] = 7.0
            f = f + v
            return f

        def main(x):
            if len(x) > 100:
                y = x
            y = late(y, x)
            return y
        """,
    "a global name": """
        y = 1.0

        def seen():
            return y

        def changed(v):
            w = v + 1
            w = w + seen()
            return w

        def main(x):
            global y
            y = changed(x)
            return y
        """,
    "a division by zero": """
        def divided(v, c):
            inverse = 1 / 0
            v = v + 1
            return v

        def main(x):
            y = divided(x, 1)
            return y
        """,
}


@pytest.mark.parametrize("program", HAZARDS.values(), ids=HAZARDS)
def test_hazards(program: str) -> None:
    check(program, inlined(program))


def check(program: str, text: str) -> None:
    """Original and inlined text give the same, and leave their argument the same."""
    first, second = np.arange(4.0), np.arange(4.0)
    expected, found = outcome(program, first), outcome(text, second)
    assert_equal(found, expected)
    np.testing.assert_array_equal(first, second)


def assert_equal(found: Any, expected: Any) -> None:
    assert type(found) is type(expected)
    if isinstance(expected, type):
        assert found is expected
    elif isinstance(expected, tuple):
        for one, other in zip(found, expected, strict=True):
            np.testing.assert_array_equal(one, other)
        shared = [np.shares_memory(*pair) for pair in (found, expected)]
        assert shared[0] == shared[1]
    else:
        np.testing.assert_array_equal(found, expected)
