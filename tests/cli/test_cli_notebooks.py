"""Notebooks on the command line: code cells are rewritten, every other byte stays."""

from __future__ import annotations

import json
from pathlib import Path

import nbformat
import pytest
from conftest import Run
from nbformat import NotebookNode, v4

IMPORTS = "import numpy as np\n%matplotlib inline\n"
DECAY = """\
def decay(maxiter):
    x = np.linspace(0.0, 1.0, 1000)  # größer
    !echo inside
    for n in range(maxiter):
        m = x > 0.5
        x[m] = x[m] * 0.9
    return x
"""


def _lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)


def _cell(kind: str, source: object) -> NotebookNode:
    if kind == "markdown":
        return v4.new_markdown_cell(source, metadata={"tags": ["a\u00e9"]})
    output = v4.new_output("stream", text=["x[m] = 1\n"])
    return v4.new_code_cell(source, metadata={"tags": ["a\u00e9"]}, execution_count=3, outputs=[output])


def _notebook(*cells: NotebookNode, language: str = "python") -> NotebookNode:
    return v4.new_notebook(cells=list(cells), metadata={"language_info": {"name": language}})


CELLS = [
    _cell("markdown", ["# Decay\n", "x[m] = 1"]),
    _cell("code", _lines(IMPORTS)),
    _cell("code", _lines(DECAY)),
    _cell("code", ["%%bash\n", "x[m] = 1"]),
    _cell("code", []),
    _cell("code", ["files = !ls\n"]),
    _cell("code", _lines(DECAY.replace("decay", "other").rstrip("\n"))),
]
NOTEBOOK = _notebook(*CELLS)


@pytest.mark.parametrize("indent", [1, 4, None], ids=["nbformat", "wide", "one-line"])
def test_only_the_cells_that_change(work: Path, run: Run, indent: int | None) -> None:
    path = work / "a.ipynb"
    before = json.dumps(NOTEBOOK, indent=indent, ensure_ascii=False) + "\n"
    path.write_text(before, encoding="utf-8")
    ran = run("a.ipynb")
    assert (ran.code, ran.err) == (0, "")
    after = path.read_text(encoding="utf-8")
    nbformat.validate(nbformat.reads(after, as_version=4))
    notebook = json.loads(after)
    pairs = zip(notebook["cells"], CELLS, strict=True)
    changed = [position for position, (new, old) in enumerate(pairs) if new != old]
    assert changed == [2, 6]
    texts = ["".join(notebook["cells"][position]["source"]) for position in changed]
    assert "def _decay_step(" in texts[0]
    assert "    !echo inside\n" in texts[0]
    assert "# größer" in texts[0]
    assert texts[1].endswith("    return x")
    # Put the old cells back: nothing else differs, and the form of the file is kept.
    for position in changed:
        notebook["cells"][position] = CELLS[position]
    assert json.dumps(notebook, indent=indent, ensure_ascii=False) + "\n" == before
    assert json.dumps(json.loads(after), indent=indent, ensure_ascii=False) + "\n" == after
    again = run("a.ipynb")
    assert "1 file unchanged" in again.out
    assert path.read_text(encoding="utf-8") == after


def test_the_report_names_lines_of_the_file(work: Path, run: Run) -> None:
    path = work / "a.ipynb"
    path.write_text(json.dumps(NOTEBOOK, indent=1, ensure_ascii=False), encoding="utf-8")
    ran = run("--check", "a.ipynb")
    assert ran.code == 1
    line = path.read_text(encoding="utf-8").split("\n").index('    "    for n in range(maxiter):\\n",') + 1
    assert (
        f"a.ipynb:{line}:5 NPR401 rewritten: cell 3, line 4: the loop runs through `_decay_step`" in ran.out
    )
    assert "NPR002 refused[not-python]: cell 6, line 1: it is not Python alone" in ran.out


def test_other_forms_of_a_source(work: Path, run: Run) -> None:
    path = work / "a.ipynb"
    source = "import numpy as np\n\n\n" + DECAY.replace("    !echo inside\n", "")
    path.write_text(json.dumps(_notebook(_cell("code", source)), separators=(" ,\t", ":\n ")))
    assert run("a.ipynb").code == 0
    after = json.loads(path.read_text())
    assert "def _decay_step(" in after["cells"][0]["source"]
    assert path.read_text().isascii()


@pytest.mark.parametrize("head", ["%%time\n", "\n%%capture out --no-stderr\n"])
def test_cell_magics_that_run_the_cell_as_it_is(work: Path, run: Run, head: str) -> None:
    cells = [_cell("code", _lines(IMPORTS)), _cell("code", _lines(head + DECAY))]
    (work / "a.ipynb").write_text(json.dumps(_notebook(*cells), indent=1))
    ran = run("a.ipynb")
    assert f"cell 2, line {head.count(chr(10)) + 4}: the loop runs through" in ran.out
    text = "".join(json.loads((work / "a.ipynb").read_text())["cells"][1]["source"])
    assert text.startswith(head + "import nprewrite.runtime as npr\n")
    assert "1 file unchanged" in run("a.ipynb").out


def test_lines_that_begin_like_magics(work: Path, run: Run) -> None:
    body = DECAY.replace("    !echo inside\n", '    text = """\n%d\n!\n""" % (7\n    % 4)\n')
    cells = [_cell("code", "import numpy as np"), _cell("code", _lines(body))]
    (work / "a.ipynb").write_text(json.dumps(_notebook(*cells), indent=1))
    assert "rewritten" in run("a.ipynb").out
    text = "".join(json.loads((work / "a.ipynb").read_text())["cells"][1]["source"])
    assert '    text = """\n%d\n!\n""" % (7\n    % 4)\n' in text


def test_lines_that_stay_are_spelt_as_they_were(work: Path, run: Run) -> None:
    cells = [_cell("code", _lines(IMPORTS)), _cell("code", _lines(DECAY))]
    text = json.dumps(_notebook(*cells), indent=1, ensure_ascii=False)
    line = '"    x = np.linspace(0.0, 1.0, 1000)  # größer\\n"'
    assert text.count(line) == 1
    other = line.replace("ö", "\\u00F6").replace("/", "\\/")
    (work / "a.ipynb").write_text(text.replace(line, other), encoding="utf-8")
    assert "rewritten" in run("a.ipynb").out
    assert other in (work / "a.ipynb").read_text(encoding="utf-8")


def test_a_name_of_another_cell_is_not_guessed(work: Path, run: Run) -> None:
    cells = [_cell("code", IMPORTS), _cell("code", "def abs(x):\n    return x * 0\n")]
    body = "x = np.ones(9)\nfor i in range(3):\n    x[x > 0] = abs(x[x > 0])\n"
    (work / "a.ipynb").write_text(json.dumps(_notebook(*cells, _cell("code", body))))
    ran = run("a.ipynb")
    assert "1 file unchanged" in ran.out


def test_walking_finds_notebooks(work: Path, run: Run) -> None:
    (work / ".ipynb_checkpoints").mkdir()
    (work / ".ipynb_checkpoints" / "b.ipynb").write_text("{}")
    (work / "a.ipynb").write_text(json.dumps(NOTEBOOK))
    assert "1 file would change" in run("--check", ".").out


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "a.ipynb:1: error: this is not a notebook: Expecting value"),
        ("{\n'cells': []}", "a.ipynb:2: error: this is not a notebook: Expecting property name"),
        ("[]", "this is not a notebook of nbformat 4: it has no list of cells"),
        ('{"worksheets": []}', "this is not a notebook of nbformat 4"),
        (json.dumps(_notebook(language="julia")), "the notebook's language is julia, not Python"),
        ("[" * 100_000, "this is not a notebook"),
    ],
)
def test_what_is_no_notebook(work: Path, run: Run, text: str, message: str) -> None:
    (work / "a.ipynb").write_text(text)
    ran = run("a.ipynb")
    assert ran.code == 2
    assert message in ran.err
    assert (work / "a.ipynb").read_text() == text


def test_a_notebook_that_is_not_utf_8(work: Path, run: Run) -> None:
    (work / "a.ipynb").write_bytes(b'{"cells": "\xff"}')
    assert "this is not a notebook: it is not UTF-8" in run("a.ipynb").err
