"""The list of programs: the page names each, and they are what the page says of them."""

from __future__ import annotations

import ast
import re

import pytest
from program_files import FOLDER, PATHS

PAGE = (FOLDER / "README.md").read_text(encoding="utf-8")
ROWS = dict(re.findall(r"^\| \w+/(\w+) \| .*? \| ([^|]+) \|(?= [^|]+\| [^|]+\|$)", PAGE, re.MULTILINE))


def test_the_page_names_every_program() -> None:
    assert set(ROWS) == set(PATHS)


def test_there_are_programs_enough() -> None:
    assert len(PATHS) >= 50
    assert sum(kind != "–" for kind in ROWS.values()) >= len(PATHS) / 2
    assert sum(kind == "over scalars" for kind in ROWS.values()) >= 10


@pytest.mark.parametrize("name", PATHS)
def test_a_program_is_a_user_s_text(name: str) -> None:
    text = PATHS[name].read_text(encoding="utf-8")
    tree = ast.parse(text)
    docstring = ast.get_docstring(tree)
    assert docstring is not None
    assert " ".join(docstring.split()) in PAGE
    assert "nprewrite" not in text
    own = [each for each in tree.body if getattr(each, "name", "") != "setup"]
    looping = any(isinstance(node, ast.For | ast.While) for each in own for node in ast.walk(each))
    assert looping == (ROWS[name] != "–")
