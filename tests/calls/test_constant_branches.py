"""Branches whose condition is the same at every call, in a function and in those that are inlined."""

from __future__ import annotations

import ast
import textwrap

import numpy as np
import pytest
from inlined import body_of_main, inlined, outcome

from nprewrite.program.constant_branches import Constant, constant

CHOSEN = {
    "a flag of the function": (
        """
        def main(x):
            limited = False
            for k in range(3):
                x = x + k
                if limited:
                    x = np.minimum(x, 4)
            return x
        """,
        """
        limited = False
        for k in range(3):
            x = x + k
            pass
        return x
        """,
    ),
    "the other arm": (
        """
        def main(x):
            order: int = 2
            # by the order
            if order == 1:
                y = x  # first
            elif order == 2:
                # second
                y = x * x
            else:
                y = x * x * x
            return y
        """,
        """
        order: int = 2
        # by the order
        # first
        # second
        y = x * x
        return y
        """,
    ),
    "an elif": (
        """
        def main(x):
            more = False
            if x.sum() > 100:
                x = x + 1
            elif more:
                x = x + 2
            elif not more and x[0] > 100:
                x = x + 3
            else:
                x = x + 4
            return x
        """,
        """
        more = False
        if x.sum() > 100:
            x = x + 1
        elif not more and x[0] > 100:
            x = x + 3
        else:
            x = x + 4
        return x
        """,
    ),
    "what is not evaluated is not looked at": (
        """
        def main(x):
            plots, wide = False, True
            plots = plots
            shown = False
            if shown and x[100]:
                x = x + 1
            if not shown or x[100]:
                x = x + 2
            if x[0] > 0 or not shown:
                x = x + 3
            return x
        """,
        """
        plots, wide = False, True
        plots = plots
        shown = False
        pass
        x = x + 2
        if x[0] > 0 or not shown:
            x = x + 3
        return x
        """,
    ),
    "one in another": (
        """
        def main(x):
            a, b = 1, 2
            c = 5 / 3
            d = None
            if c > 1.5:
                if d is None:
                    x = x + 1
                else:
                    x = x + 2
                x = x * 2
            return x
        """,
        """
        a, b = 1, 2
        c = 5 / 3
        d = None
        x = x + 1
        x = x * 2
        return x
        """,
    ),
    "a literal argument": (
        """
        def bounded(b, u):
            u = u * 2
            if b == 1:
                u[0] = -u[1]
            elif b == 2:
                u[0] = u[1]
            else:
                u[0] = 0
            u[-1] = -u[-2] if b == 1 else u[-2]
            return u

        def main(x):
            y = bounded(1, x)
            z = bounded(0, y)
            return y - z
        """,
        """
        y = x
        y = y * 2
        y[0] = -y[1]
        y[-1] = -y[-2]
        z = y
        z = z * 2
        z[0] = 0
        z[-1] = z[-2]
        return y - z
        """,
    ),
    "a flag of the function that is passed on, and returns in several places": (
        """
        def slope(u, limited, order=None):
            if order is not None:
                return u * order
            if limited:
                return np.minimum(u, 2)
            return u * 3

        def main(x):
            limiting = True
            y = slope(x, limiting)
            return y + slope(y, not_limited, 4) if x is None else y + slope(x, False)
        """,
        None,
    ),
}


@pytest.mark.parametrize(("program", "expected"), CHOSEN.values(), ids=CHOSEN)
def test_the_arm_that_is_taken(program: str, expected: str | None) -> None:
    text = inlined(program)
    if expected is not None:
        assert body_of_main(text).strip() == textwrap.dedent(expected).strip()
    check(program, text)


STAYS = {
    "bound again": """
        def main(x):
            flag = False
            for k in range(2):
                if flag:
                    x = x + 1
                flag = True
            return x
        """,
    "bound again by a loop": """
        def main(x):
            flag = 0
            for flag in range(2):
                if flag:
                    x = x + 1
            return x
        """,
    "bound later": """
        def main(x):
            for k in range(1):
                if len(x) > 100 and flag:
                    x = x + 1
                if k and flag:
                    x = x + 2
            flag = True
            return x
        """,
    "read before it is bound": """
        flag = True

        def main(x):
            if flag:
                x = x + 1
            flag = False
            return x
        """,
    "bound in a branch": """
        def main(x):
            if x[0] > 5:
                flag = True
            if flag:
                x = x + 1
            return x
        """,
    "changed with +=": """
        def main(x):
            flag = 0
            flag += 1
            if flag:
                x = x + 1
            return x
        """,
    "deleted": """
        def main(x):
            flag = True
            del flag
            if flag:
                x = x + 1
            return x
        """,
    "global": """
        flag = True

        def main(x):
            global flag
            flag = False
            other()
            if flag:
                x = x + 1
            return x

        def other():
            global flag
            flag = True
        """,
    "bound by a function inside": """
        def main(x):
            flag = False
            def other():
                nonlocal flag
                flag = True
            other()
            if flag:
                x = x + 1
            return x
        """,
    "a parameter": """
        def main(x, flag=False):
            if flag:
                x = x + 1
            return x
        """,
    "a name of the module": """
        flag = False

        def main(x):
            if flag:
                x = x + 1
            return x
        """,
    "an array": """
        def main(x):
            flag = np.zeros(1)
            if flag:
                x = x + 1
            return x
        """,
    "it would raise": """
        def main(x):
            flag = 0
            if 1 / flag:
                x = x + 1
            return x
        """,
    "a name is only local because of it": """
        y = 5.0

        def main(x):
            flag = False
            if flag:
                y = 3.0
            x = x + y
            return x
        """,
    "a name is only local because of both": """
        y = 5.0

        def main(x):
            flag = False
            if flag:
                y = 3.0
            if flag:
                y = 4.0
            x = x + y
            return x
        """,
    "a name is only local because of it, and a comprehension has another": """
        y = 5.0

        def main(x):
            flag = False
            if flag:
                y = 3.0
            z = [y for y in range(2)]
            x = x + y
            return x
        """,
    "a function inside reads a name": """
        y = 5.0

        def main(x):
            flag = False
            if flag:
                y = 3.0
            def other():
                return y
            try:
                x = x + other()
            except NameError:
                x = x - 1
            return x
        """,
    "a generator": """
        def main(x):
            flag = False
            if flag:
                yield x
            return x
        """,
    "a declaration": """
        y = 1

        def main(x):
            flag = False
            if flag:
                global y
            y = 7
            return x + globals()["y"]
        """,
    "a name of an inlined function is only local because of it": """
        y = 5.0

        def shifted(u, b):
            if b == 1:
                y = 3.0
            u = u + y
            return u

        def main(x):
            x = shifted(x, 0)
            return x
        """,
    "a parameter of an inlined function that is bound anew": """
        def counted(u, b):
            for k in range(2):
                if b == 1:
                    u = u * 2
                b = b + 1
            return u

        def main(x):
            x = counted(x, 0)
            return x
        """,
}


@pytest.mark.parametrize("program", STAYS.values(), ids=STAYS)
def test_what_may_be_otherwise_stays(program: str) -> None:
    text = inlined(program)
    assert "if" in body_of_main(text)
    check(program, text)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("not a", False),
        ("a == 1", True),
        ("-a < 0.5", True),
        ("b is None", True),
        ("a is not None", True),
        ("name != 'x'", True),
        ("b or a", 2 - 1),
        ("b and z", None),
        ("(a + 1) * 2 / 4 == a", True),
    ],
)
def test_values(text: str, value: object) -> None:
    known = {"a": Constant(1), "b": Constant(None), "name": Constant("y")}
    assert constant(ast.parse(text, mode="eval").body, known) == Constant(value)


@pytest.mark.parametrize(
    "text", ["z", "a and z", "a is 1", "a / 0", "a < 'x'", "a < 2 < 3", "a @ a", "a ** a", "f(a)", "'x' * a"]
)
def test_no_values(text: str) -> None:
    assert constant(ast.parse(text, mode="eval").body, {"a": Constant(1)}) is None


def check(program: str, text: str) -> None:
    results = [outcome(each, np.arange(4.0)) for each in (program, text)]
    assert repr(results[0]).partition(" at 0x")[0] == repr(results[1]).partition(" at 0x")[0]
