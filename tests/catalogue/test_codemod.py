"""The codemod of LibCST does what the command does."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import libcst as cst
import pytest
from catalogue_cases import REWRITES, Case, read, rewritten_file, rewritten_text
from libcst.codemod import CodemodContext, CodemodTest

from nprewrite.codemod import NPRewriteCommand
from nprewrite.engine.outcomes import Decorated, Options
from nprewrite.engine.pipeline import rewrite_source

FURTHER = {
    "complex-pairs/rewrites/rebuilt-for-the-rest",
    "extract-step/rewrites/rebound-names",
    "loop-distribute/rewrites/lags",
    "loop-distribute/rewrites/orthogonal-columns",
    "reassociate/rewrites/computed-once",
    "vectorize-loop/rewrites/convolution",
    "vectorize-loop/rewrites/game-of-life",
    "vectorize-loop/rewrites/pairwise-distances",
    "vectorize-loop/rewrites/triangles",
}
"""Cases in which a loop remains, or a further function: the command leaves them to the decorator."""


class Checked(CodemodTest):
    """`assertCodemod` of LibCST, outside of unittest."""

    TRANSFORM = NPRewriteCommand

    def runTest(self) -> None:
        """Nothing: the tests below call the assertion."""


def of_the_command(case: Case) -> bool:
    """Whether the command makes the text of a case, and not the decorator."""
    return "@nprewrite.jit" not in case.before and not case.comparison.without


@pytest.mark.parametrize("case", [case for case in REWRITES if of_the_command(case)], ids=str)
def test_the_codemod_makes_what_the_catalogue_shows(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nprewrite.codemod.rewrite_source", rewritten_text)
    context = CodemodContext(filename=str(case.before_path))
    after = read(case.after_path)
    made = rewritten_file(case).text
    if str(case) in FURTHER:
        assert made.replace("import nprewrite\n", "").replace("@nprewrite.jit\n", "") == after
    else:
        assert made == after
    Checked().assertCodemod(case.before, made, context_override=context)
    assert rewrite_source(made, "before.py", Options(decorated=Decorated.LOOPS)).text == made


def test_the_tool_rewrites_a_file_as_the_command_does(tmp_path: Path) -> None:
    example = Path(__file__).parents[2] / "examples" / "mandelbrot.py"
    tool, command = tmp_path / "tool.py", tmp_path / "command.py"
    for path in (tool, command):
        path.write_text(example.read_text(encoding="utf-8"), encoding="utf-8")
    asked = ["codemod", "-x", "nprewrite.codemod.NPRewriteCommand", "--no-format", str(tool)]
    subprocess.run([sys.executable, "-m", "libcst.tool", *asked], check=True, cwd=tmp_path)
    subprocess.run([sys.executable, "-m", "nprewrite", str(command)], check=True, cwd=tmp_path)
    assert tool.read_text() == command.read_text() != example.read_text(encoding="utf-8")


def test_what_is_left_alone_is_a_warning() -> None:
    context = CodemodContext(filename="fold.py")
    text = "import numpy as np\n\n\ndef f(x):\n    while np.max(x) > 1:\n        x = x * 0.5\n    return x\n"
    NPRewriteCommand(context).transform_module(cst.parse_module(text))
    assert any("fold.py:5:5" in each for each in context.warnings)
