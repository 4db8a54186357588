"""What the tests of ``nprewrite explain`` share: the command, and one run of a program."""

from __future__ import annotations

import contextlib
import io
import json

import pytest
from explain_tools import Explain, Ran, Shown
from explained_programs import LOOPS

from nprewrite.cli import main


@pytest.fixture
def explain(capfd: pytest.CaptureFixture[str]) -> Explain:
    """Run the command in this process."""

    def call(*arguments: object) -> Ran:
        capfd.readouterr()
        code = main(["explain", *map(str, arguments)])
        captured = capfd.readouterr()
        return Ran(code, captured.out, captured.err)

    return call


@pytest.fixture(scope="session")
def ran(tmp_path_factory: pytest.TempPathFactory) -> Shown:
    """The program's function, called twice, compiled: once for all tests."""
    pytest.importorskip("torch")
    path = tmp_path_factory.mktemp("explained") / "loops.py"
    path.write_text(LOOPS, encoding="utf-8")
    page = path.with_suffix(".html")
    out = io.StringIO()
    calls = ["--call", "spread(np.ones((400, 30)), 3)", "--call", "spread(np.ones((500, 30)), 3)"]
    with contextlib.redirect_stdout(out):
        code = main(["explain", str(path), *calls, "--format", "json", "--html", str(page)])
    assert code == 0, out.getvalue()
    return Shown(path, json.loads(out.getvalue()), page)
