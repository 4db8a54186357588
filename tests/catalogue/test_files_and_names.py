"""Names and files: however NumPy is imported and whatever the text looks like, the program stays the same."""

from __future__ import annotations

import ast
import difflib
import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from types import ModuleType

import pytest
from catalogue_cases import load, steps_of
from catalogue_compare import Closeness, differences, observe

from nprewrite.engine.outcomes import Options, Outcome, Rewriting
from nprewrite.engine.pipeline import rewrite_source
from nprewrite.source.problems import SourceProblem

pytestmark = pytest.mark.usefixtures("steps_in_numpy")

PROGRAM = """\
import numpy as np


def ramp(size: int, trips: int):
    x = np.linspace(0, 1, size)
    for n in range(trips):
        m = x < 40
        x[m] = x[m] * 1.5 + n
    return x
"""

CALLS = [(5, 9), (5, 0), (0, 9), (1, 20)]


def rewrite(text: str) -> Rewriting:
    """Rewrite, and hold what is true of every text: a second run changes nothing."""
    rewriting = rewrite_source(text, "module.py", Options())
    assert rewrite_source(rewriting.text, "module.py", Options()).text == rewriting.text
    return rewriting


def rewritten(text: str) -> str:
    """Rewrite a text whose loop shall become a step."""
    rewriting = rewrite(text)
    outcomes = [(site.code, site.verdict) for site in rewriting.sites]
    assert ("NPR401", "rewritten") in outcomes, outcomes
    return rewriting.text


def refused(text: str, reason: str) -> None:
    """Rewrite a text that shall keep its bytes, for the reason."""
    rewriting = rewrite(text)
    assert rewriting.text == text
    assert reason in {site.reason for site in rewriting.sites}


def module(text: str, folder: Path, name: str) -> ModuleType:
    """The text as an imported module."""
    path = folder / f"{name}.py"
    path.write_bytes(text.encode())
    return load(path, f"files_and_names_{name}")


def assert_same(before: str, after: str, folder: Path, function: str = "ramp") -> ModuleType:
    """Both texts, run on the same calls, behave the same; the rewritten one through its step."""
    ours, theirs = module(before, folder, "before"), module(after, folder, "after")
    for arguments in CALLS:
        expected = observe(getattr(ours, function), arguments)
        assert differences(expected, observe(getattr(theirs, function), arguments), Closeness()) == []
    for name, runs in steps_of(theirs).items():
        assert runs["numpy"], f"{name} never ran: {dict(runs)}"
    return theirs


def physical_lines(text: str) -> list[str]:
    """The lines with their endings; unlike str.splitlines, a form feed does not end one."""
    return re.findall(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+\Z", text)


def lines_taken_out(before: str, after: str) -> Iterator[str]:
    """The lines of the one text that the other does not have in the same order."""
    matcher = difflib.SequenceMatcher(None, physical_lines(before), physical_lines(after), autojunk=False)
    for kind, start, stop, _, _ in matcher.get_opcodes():
        if kind in ("replace", "delete"):
            yield from physical_lines(before)[start:stop]


def altered(*changes: tuple[str, str]) -> str:
    """The program with each first text replaced by the second, everywhere."""
    text = PROGRAM
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new)
    return text


IMPORT = "import numpy as np"
START = "    x = np"
BODY = ":\n        m = x < 40\n        x[m] = x[m] * 1.5 + n"

IMPORTS = {
    "as-xp": altered((IMPORT, "import numpy as xp"), ("np.lin", "xp.lin")),
    "plain": altered((IMPORT, "import numpy"), ("np.lin", "numpy.lin")),
    "from": altered((IMPORT, "from numpy import linspace"), ("np.lin", "lin")),
    "from-as": altered((IMPORT, "from numpy import linspace as ls"), ("np.linspace", "ls")),
    "beside-others": altered((IMPORT, "import math, numpy as np, os")),
    "two-names": altered((IMPORT, "import numpy\nimport numpy as np")),
}

INSIDE = {
    "whole": altered((f"{IMPORT}\n", ""), (START, f"    {IMPORT}\n{START}")),
    "from": altered((f"{IMPORT}\n", ""), ("    x = np.", "    from numpy import linspace\n    x = ")),
}


@pytest.mark.parametrize("text", IMPORTS.values(), ids=IMPORTS)
def test_numpy_is_found_by_its_import(text: str, tmp_path: Path) -> None:
    assert_same(text, rewritten(text), tmp_path)


@pytest.mark.parametrize("text", INSIDE.values(), ids=INSIDE)
def test_import_inside_of_the_function(text: str, tmp_path: Path) -> None:
    """The module has no name for NumPy then, which a step function would need."""
    assert_same(text, rewrite(text).text, tmp_path)


def test_star_import_hides_builtins(tmp_path: Path) -> None:
    """abs, sum, max, round and any are NumPy's then, whether the loop is rewritten or not."""
    text = (
        "from numpy import *\n\n\n"
        "def ramp(size: int, trips: int):\n"
        "    x = linspace(-1, 1, size)\n"
        "    for n in range(trips):\n"
        "        x = round(abs(x) * 1.5 - n, 3)\n"
        "    return x, sum(x), any(x), max(append(x, 0))\n"
    )
    assert_same(text, rewrite(text).text, tmp_path)


REBOUND = {
    "by-assignment": altered((IMPORT, f"{IMPORT}\n\nnp = __import__('numpy')")),
    "by-deletion": PROGRAM + "\n\ndef forget():\n    global np\n    del np\n",
    "by-another-import": altered((IMPORT, f"{IMPORT}\nimport math as np")),
    "by-a-parameter": altered(("trips: int)", "trips: int, np=np)")),
    "by-a-local": altered((START, f"    import numpy\n    np = numpy\n{START}")),
    "by-a-loop": altered(("def ramp", "for np in [np]:\n    pass\n\n\ndef ramp")),
    "by-a-function": PROGRAM + "\n\ndef np():\n    pass\n",
    "by-with": altered(("def ramp", "with open(__file__) as np:\n    pass\n\n\ndef ramp")),
    "by-global": PROGRAM + "\n\ndef swap(other):\n    global np\n    np = other\n",
    "on-one-path": altered((IMPORT, f"import os\nif os.sep:\n    {IMPORT}")),
}


@pytest.mark.parametrize("text", REBOUND.values(), ids=REBOUND)
def test_rebound_numpy_is_refused(text: str) -> None:
    refused(text, "name-unclear")


def test_numpy_that_is_never_imported() -> None:
    """Nothing says that the name is NumPy: no site, or refused ones."""
    text = altered((IMPORT, "np = __import__('numpy')"))
    rewriting = rewrite(text)
    assert rewriting.text == text
    assert {site.outcome for site in rewriting.sites} <= {Outcome.REFUSED}


TAKEN = {
    "step": "_ramp_step = 'mine'\n",
    "steps": "_ramp_step = 'mine'\n_ramp_step_1 = _ramp_step_2 = 'mine'\n",
    "runtime": "npr = 'mine'\n",
    "functions": "def other():\n    return npr\n\n\ndef _ramp_step():\n    return other\n\n\nnpr = 'mine'\n",
    "imported": "from math import pi as npr, tau as _ramp_step\n",
    "class": "class npr:\n    pass\n\n\nclass _ramp_step:\n    loop = npr\n",
}


@pytest.mark.parametrize("definitions", TAKEN.values(), ids=TAKEN)
@pytest.mark.parametrize("where", ["above", "below"])
def test_names_of_the_module_stay(definitions: str, where: str, tmp_path: Path) -> None:
    above = PROGRAM.replace("\n\n\ndef", f"\n\n{definitions}\n\ndef", 1)
    text = above if where == "above" else f"{PROGRAM}\n\n{definitions}"
    theirs = assert_same(text, rewritten(text), tmp_path)
    ours = module(text, tmp_path, "names")
    for name, value in vars(ours).items():
        if not name.startswith("__"):
            assert type(getattr(theirs, name)) is type(value), name


LOCALS = {
    "runtime": altered(("trips: int)", "trips: int, npr: int = 1)"), ("range(trips)", "range(npr * trips)")),
    "loop": altered((START, f"    loop = n = 2\n{START}"), ("return x", "return x, loop, n")),
    "step": altered((START, f"    _ramp_step = 2\n{START}"), ("return x", "return x, _ramp_step")),
    "words": altered((START, f"    live = out = I = 1\n{START}"), ("return x", "return x, live, out, I")),
}


@pytest.mark.parametrize("text", LOCALS.values(), ids=LOCALS)
def test_names_of_the_function_stay(text: str, tmp_path: Path) -> None:
    assert_same(text, rewritten(text), tmp_path)


@pytest.mark.parametrize("name", ["range", "len", "abs"])
def test_rebound_builtins_are_not_the_builtins(name: str, tmp_path: Path) -> None:
    text = (
        "import numpy as np\n\n\n"
        "def range(*ends):\n    return [5, 4]\n\n\n"
        "def len(x):\n    return 3\n\n\n"
        "def abs(x):\n    return x + 1\n\n\n"
        "def ramp(size: int, trips: int):\n"
        "    x = np.linspace(-1, 1, size)\n"
        "    for n in range(trips):\n"
        "        x = abs(x) * 0.5 + len(x)\n"
        "    return x\n"
    )
    others = {"range", "len", "abs"} - {name}
    for other in others:
        text = re.sub(rf"def {other}\(.*\n.*\n\n\n", "", text)
    assert_same(text, rewrite(text).text, tmp_path)


LAYOUTS = {
    "crlf": altered(("\n", "\r\n")),
    "lone-cr-at-the-end": PROGRAM[:-1] + "\r",
    "lone-cr-everywhere": altered(("\n", "\r")),
    "mixed-ending-in-cr": altered(("np\n", "np\r\n"), ("size)\n", "size)\r"))[:-1] + "\r",
    "mixed": altered(("np\n", "np\r\n"), ("40\n", "40\r\n")),
    "no-newline-at-the-end": PROGRAM[:-1],
    "form-feed-between": altered(("\n\n\ndef", "\n\x0c\ndef")),
    "odd-line-ends-in-a-comment": altered(("size)\n", "size)  # \x0b \x1c \x85 \u2028 all in one line\n")),
    "tabs": altered(("    ", "\t")),
    "two-spaces": altered(("    ", "  ")),
    "trailing-blanks": altered(("np\n", "np   \n"), ("size)\n", "size) \t\n")) + "\n\n   \n",
    "wide-characters": altered((START, f"    größe = '😀é'; {START.strip()}"), ("x", "ξ")),
    "wide-before-the-loop": altered(("    for", "    '😀'; 'é'\n    for")),
    "comments": altered(("(trips):", "(trips):  # every trip, ä"), ("+ n\n", "+ n  # 😀\n")),
    "broken-header": altered(("range(trips):", "range(  # as often\n            trips,  # as asked\n    ):")),
    "backslash": altered(("for n in range(trips)", "for n \\\n            in range(trips)")),
    "one-line-body": altered((BODY, ": x = x * 1.5 + n")),
    "semicolons": altered((BODY, ": m = x < 40; x[m] = x[m] * 1.5 + n")),
    "docstring-and-future": f'"""What it does."""\nfrom __future__ import annotations\n\n{PROGRAM}',
    "prologue": f"#!/usr/bin/env python3\n# -*- coding: utf-8 -*-\n# A licence.\n\n'''Doc.'''\n\n{PROGRAM}",
    "long-strings": altered((START, f'    """A\n\n  docstring\n"""\n{START}')),
    "decorated": altered(("def ramp", "from functools import cache\n\n\n# why\n@cache\n# how\ndef ramp")),
    "in-a-class": altered(
        ("\n    ", "\n        "),
        ("def ramp", "class Box:\n    '''A box.'''\n\n    @staticmethod\n    def ramp"),
    )
    + "\n\nramp = Box.ramp\n",
}


@pytest.mark.parametrize("text", LAYOUTS.values(), ids=LAYOUTS)
def test_layout_survives(text: str, tmp_path: Path) -> None:
    after = rewritten(text)
    assert_same(text, after, tmp_path)
    header = text[text.index("for ") : text.index("):", text.index("for ")) + 2]
    for line in lines_taken_out(text, after):
        assert any(part.strip() in line for part in physical_lines(header)), (
            f"{line!r} is not the loop's header"
        )


@pytest.mark.parametrize("text", LAYOUTS.values(), ids=LAYOUTS)
def test_first_and_last_bytes_survive(text: str) -> None:
    after = rewritten(text)
    tail = text[text.rindex("return") :]
    assert after.endswith(tail)
    assert after.startswith(text[: text.index("import numpy as np")])


@pytest.mark.parametrize("ending", ["\r\n", "\r"])
def test_new_lines_end_like_the_files(ending: str) -> None:
    after = rewritten(PROGRAM.replace("\n", ending))
    assert {re.sub(r"[^\r\n]", "", line) for line in physical_lines(after)} == {ending}


def test_comment_stays_at_its_function() -> None:
    after = rewritten(PROGRAM.replace("def ramp", "# The ramp of the paper.\n# Section 3.\ndef ramp"))
    assert "# The ramp of the paper.\n# Section 3.\ndef ramp" in after


def test_rot13_is_a_matter_of_the_file() -> None:
    """The text is decoded already; a coding line in it says nothing more."""
    after = rewritten("# coding: rot13\n" + PROGRAM)
    assert after.startswith("# coding: rot13\n")


@pytest.mark.parametrize("terms", [900, 2500, 3000])
def test_long_sums(terms: int, tmp_path: Path) -> None:
    """A sum is a tree as deep as it is long; a text that Python cannot compile itself may be refused."""
    text = f"{PROGRAM}\n\ndef total(a):\n    return {' + '.join(['a'] * terms)}\n"
    try:
        compile(ast.parse(text), "module.py", "exec")
    except RecursionError:
        with suppress(SourceProblem):
            assert rewrite_source(text, "module.py", Options()).sites
    else:
        assert assert_same(text, rewritten(text), tmp_path).total(1) == terms


def test_long_sum_in_the_loop(tmp_path: Path) -> None:
    text = PROGRAM.replace("x[m] * 1.5 + n", " + ".join(["x[m]"] + ["n * 0.001"] * 600))
    assert_same(text, rewrite(text).text, tmp_path)


def test_long_chain_of_elif(tmp_path: Path) -> None:
    arms = "".join(f"    elif k == {k}:\n        return {k}\n" for k in range(1, 300))
    text = f"{PROGRAM}\n\ndef choose(k):\n    if k == 0:\n        return 0\n{arms}"
    assert assert_same(text, rewritten(text), tmp_path).choose(299) == 299


@pytest.mark.parametrize("text", ["", "\n", "# only a comment", "x = 1\n", "def f(): pass", "\x0c\n"])
def test_nothing_to_do(text: str) -> None:
    rewriting = rewrite(text)
    assert rewriting.text == text
    assert rewriting.sites == ()


BROKEN = {"def f(:\n    pass\n": 1, "x = 1\nif x:\n": 2, "x = 1\n\ty = 2\n": 2, "a = 1\nb = 'x\n": 2}


@pytest.mark.parametrize("text", BROKEN)
def test_text_that_is_no_python(text: str) -> None:
    with pytest.raises(SourceProblem) as caught:
        rewrite_source(text, "module.py", Options())
    assert caught.value.line == BROKEN[text]


def test_text_with_a_null_byte() -> None:
    with pytest.raises(SourceProblem):
        rewrite_source("x = 1\0\n", "module.py", Options())


def test_arrays_of_a_script(tmp_path: Path) -> None:
    """At module level the names are the module's: refused or not, what they hold at the end is the same."""
    body = re.sub(r"(?m)^    ", "", PROGRAM[PROGRAM.index("    x = np") : PROGRAM.index("    return")])
    text = f"import numpy as np\n\nsize, trips = 5, 9\n{body}"
    ours = module(text, tmp_path, "script_before")
    theirs = module(rewrite(text).text, tmp_path, "script_after")
    expected, seen = (observe(lambda each=each: (each.x, each.n), ()) for each in (ours, theirs))
    assert differences(expected, seen, Closeness()) == []


def test_parameters_without_annotation_are_deferred() -> None:
    text = altered(("size: int, trips: int", "x, trips"), ("    x = np.linspace(0, 1, size)\n", ""))
    rewriting = rewrite(text)
    assert Outcome.DEFERRED in {site.outcome for site in rewriting.sites}
    assert list(lines_taken_out(text, rewriting.text)) == []
    assert "jit" in rewriting.text
