"""Positions of rewritten code in the user's file."""

from __future__ import annotations

import dis
import traceback
from types import CodeType

import pytest

from nprewrite.decorated.lines import Lines

FUNCTIONS = """\
def f(a):
    if a:
        return [b for b in a]
    return {}


class C:
    y = f(())
"""
HANDLERS = """\
def g():
    try:
        yield 1
    except* ValueError as e:
        raise e
    finally:
        pass
"""
COMPREHENSIONS = """\
y = [each + 1 for each in (1, 2)]
z = sum(each * each for each in y)
f = lambda a: [a for _ in range(a)]
"""
TEXTS = {
    "functions": FUNCTIONS,
    "handlers": HANDLERS,
    "comprehensions": COMPREHENSIONS,
    "long": "x = [\n" + "    y +\n" * 300 + "    2]\n",
    "wide": f"x = {'y + ' * 2000}y\n",
    "empty": "",
}


def nested(code: CodeType) -> list[CodeType]:
    return [code, *(inner for each in code.co_consts if isinstance(each, CodeType) for inner in nested(each))]


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS.keys())
def test_a_text_that_stands_for_itself_keeps_all_positions(text: str) -> None:
    code = compile(text, "a.py", "exec")
    same = Lines(text, text, range(1, text.count("\n") + 2)).of(code)
    for before, after in zip(nested(code), nested(same), strict=True):
        assert list(after.co_positions()) == list(before.co_positions())
        assert list(after.co_lines()) == list(before.co_lines())
        assert after.co_firstlineno == before.co_firstlineno
        assert after.co_code == before.co_code


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS.keys())
def test_moved_lines_are_moved_back(text: str) -> None:
    """Lines put in front stand for line 1, as an import that a pass adds; the rest for itself."""
    added = "import math\n" * 3
    code = compile(added + text, "a.py", "exec")
    origins = [1, 1, 1, *range(1, text.count("\n") + 2)]
    moved = Lines(text, added + text, origins).of(code)
    own = compile(text, "a.py", "exec")
    assert [each.co_firstlineno for each in nested(moved)] == [each.co_firstlineno for each in nested(own)]
    for before, after in zip(nested(own)[1:], nested(moved)[1:], strict=True):
        assert list(after.co_positions()) == list(before.co_positions())


@pytest.mark.parametrize("name", ["functions", "handlers", "comprehensions"])
def test_further_indented_lines_have_the_columns_of_the_source(name: str) -> None:
    """What is defined in them begins, in its own code, at column 0."""
    text = TEXTS[name]
    inside = "if text:\n" + "".join(f"    {line}\n" for line in text.splitlines())
    code = compile(inside, "a.py", "exec")
    moved = nested(Lines(text, inside, [1, *range(1, text.count("\n") + 1)]).of(code))
    own = nested(compile(text, "a.py", "exec"))
    for before, after in zip(own[1:], moved[1:], strict=True):
        assert list(after.co_positions()) == list(before.co_positions())


def test_lines_that_go_backwards_and_changed_lines() -> None:
    text = "a = 1\nb = 2 if a else 0\nc = 3\n"
    code = compile(text, "a.py", "exec")
    done = Lines("z\ny\nc = 3\n", text, [3, 1, 2, 3]).of(code)
    lines = {line for _, _, line in done.co_lines() if line}
    assert lines == {1, 2, 3}
    assert {column for *_, column, _ in done.co_positions() if column is not None} <= {0}
    exec(done, {})


def test_a_traceback_points_into_the_user_s_line() -> None:
    source = "def f(x):\n    return x / 0\n"
    text = "import math\n\n" + source
    code = Lines(source, text, [1, 1, 1, 2, 3]).of(compile(text, "a.py", "exec"))
    names: dict[str, object] = {}
    exec(code, names)
    try:
        names["f"](1)  # type: ignore[operator]
    except ZeroDivisionError as error:
        frame = traceback.extract_tb(error.__traceback__)[-1]
    assert (frame.lineno, frame.colno, frame.end_colno) == (2, 11, 16)
    assert any(each.opname == "BINARY_OP" for each in dis.get_instructions(names["f"]))  # type: ignore[arg-type]


def test_columns_of_lines_that_are_indented_further() -> None:
    source = "x = 1\ny = [x, int(x)]\n"
    text = "def script(x):\n    y = [x, int(x)]\n"
    (inner,) = (each for each in compile(text, "a.py", "exec").co_consts if isinstance(each, CodeType))
    code = Lines(source, text, [1, 2]).of(inner)
    of_call = [each for each in code.co_positions() if each[0] == 2 and each[3] == len("y = [x, int(x)")]
    assert of_call
    assert all(source.splitlines()[1][each[2] : each[3]] == "int(x)" for each in of_call)
