"""The pages that are read in the repository; those of the site are checked when it is built (`make docs`)."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGES = ["README.md", "CONTRIBUTING.md", "examples/README.md", "cpp/README.md", "tests/programs/README.md"]


@pytest.mark.parametrize("page", PAGES)
def test_links_lead_to_files(page: str) -> None:
    path = ROOT / page
    links = re.findall(r"\]\((?!https?://)([^)#\s]+)", path.read_text(encoding="utf-8"))
    assert [link for link in links if not (path.parent / link).exists()] == []


def test_the_readme_is_short_and_has_the_two_commands() -> None:
    lines = (ROOT / "README.md").read_text(encoding="utf-8").splitlines()
    assert len(lines) <= 150
    for command in ("make demo", "make test"):
        assert any(line.startswith(command) for line in lines)


def test_the_readme_shows_what_is_printed() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    command = [sys.executable, "-m", "nprewrite", "--diff", "heat.py"]
    done = subprocess.run(command, cwd=ROOT / "examples", capture_output=True, text=True, check=True)
    assert f"$ nprewrite --diff heat.py\n...\n{done.stderr}```" in readme


def test_the_index_of_the_examples_has_each() -> None:
    index = (ROOT / "examples" / "README.md").read_text(encoding="utf-8")
    files = {path.name for path in (ROOT / "examples").glob("*.*")} - {"README.md"}
    assert files <= set(re.findall(r"\]\(([^)]+)\)", index))
