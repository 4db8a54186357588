"""Whether the value of a name that a loop has set may be read after the loop."""

from __future__ import annotations

import ast
from textwrap import indent

import pytest

from nprewrite.analysis.liveness import live_after, live_after_error
from nprewrite.program.function import Function, Module
from nprewrite.source.document import Document

HEAD = "import sys\nfrom contextlib import suppress\n\n\ndef f(n, c, g):\n"
AFTER = {
    "x = 1\nreturn x": False,
    "if c:\n    raise ValueError\nx = 1\nreturn x": False,
    "return x": True,
    "if c:\n    x = 1\nelse:\n    x = 2\nreturn x": False,
    "if c:\n    x = 1\nreturn x": True,
    "if c:\n    return 0\nelse:\n    x = 2\nreturn x": False,
    # What is left out may be read behind: an exception that is caught, or the end of a loop.
    "with suppress(ValueError):\n    x = g()\nreturn x": True,
    "with g() as x:\n    pass\nreturn x": False,
    "try:\n    x = g()\nexcept ValueError:\n    pass\nreturn x": True,
    "try:\n    x = g()\nexcept ValueError:\n    x = 3\nreturn x": False,
    "try:\n    g()\nfinally:\n    x = 3\nreturn x": False,
    "for j in range(n):\n    x = j\nreturn x": True,
    "for j in range(n):\n    x = j\nelse:\n    x = 0\nreturn x": False,
    "while True:\n    x = g()\n    if x:\n        break\nreturn x": False,
    # The variable of a comprehension is another one.
    "y = [x for x in range(3)]\nreturn x": True,
    "x: int\nreturn x": True,
    "def h():\n    return x\nreturn h()": True,
}
AROUND = [
    "for k in range(n):\n    LOOP\n    if c:\n        break\n    else:\n        x = 2\nreturn x",
    "for k in range(n):\n    LOOP\n    if c:\n        continue\n    else:\n        x = 2\nreturn x",
    "for k in range(n):\n    LOOP\n    if c:\n        break\n    x = 2\nreturn x",
    "try:\n    if n:\n        LOOP\n        x = g()\nexcept ValueError:\n    pass\nreturn x",
    "with suppress(ValueError):\n    LOOP\n    x = g()\nreturn x",
    "try:\n    LOOP\n    if c:\n        raise ValueError\n    x = 2\nexcept ValueError:\n    pass\nreturn x",
]
"""Where an arm leaves for code that reads the value."""
AFTER_ERRORS = {
    "LOOP\nreturn x": False,
    "with open(n):\n    LOOP\nreturn x": False,
    "with suppress(ValueError):\n    LOOP\nreturn x": True,
    "with suppress(ValueError):\n    LOOP\n    g(x)\nreturn n": False,
    "try:\n    LOOP\n    g(x)\nexcept ValueError:\n    pass\nreturn n": False,
    "try:\n    LOOP\nexcept ValueError:\n    pass\nreturn x": True,
    "try:\n    LOOP\nexcept ValueError:\n    g(x)\n    raise\nreturn n": True,
    "try:\n    LOOP\nexcept ValueError:\n    raise\nreturn x": False,
    "try:\n    LOOP\nexcept ValueError:\n    print(n)\n    sys.exit(1)\nreturn x": False,
    "try:\n    LOOP\nexcept ValueError:\n    return 0\nexcept TypeError:\n    pass\nreturn x": True,
    "try:\n    LOOP\nfinally:\n    print(n)\nreturn x": False,
    "try:\n    LOOP\nfinally:\n    print(x)\nreturn n": True,
    "try:\n    try:\n        LOOP\n    finally:\n        g(n)\nexcept ValueError:\n    pass\nreturn x": True,
    "for k in range(n):\n    try:\n        x = 0\n        LOOP\n    except ValueError:\n        continue\n"
    "    g(k)\nreturn n": False,
    "for k in range(n):\n    try:\n        LOOP\n    except ValueError:\n        break\nreturn x": True,
    "for k in range(n):\n    try:\n        LOOP\n    finally:\n        continue\nreturn x": True,
    "for k in range(n):\n    try:\n        LOOP\n    finally:\n        return x\nreturn 0": True,
    "try:\n    LOOP\nexcept ValueError:\n    pass\nx = 1\nreturn x": False,
}


def _loop_in(body: str) -> tuple[ast.stmt, Function]:
    text = HEAD + indent(body.replace("LOOP", "for i in range(n): x = i"), "    ")
    function = Module(Document(text), {}).functions[1]
    loops = (each for each in function.statements() if isinstance(each, ast.For))
    return next(each for each in loops if ast.unparse(each.target) == "i"), function


def _is_live(body: str) -> bool:
    return live_after("x", *_loop_in(body))


@pytest.mark.parametrize("body", AFTER_ERRORS)
def test_who_catches_an_exception_may_read_it(body: str) -> None:
    assert live_after_error("x", *_loop_in(body)) is AFTER_ERRORS[body]


@pytest.mark.parametrize("following", AFTER)
def test_what_follows_a_loop_decides(following: str) -> None:
    assert _is_live(f"LOOP\n{following}") is AFTER[following]


@pytest.mark.parametrize("body", AROUND)
def test_an_arm_that_leaves_may_lead_to_who_reads_it(body: str) -> None:
    assert _is_live(body)
