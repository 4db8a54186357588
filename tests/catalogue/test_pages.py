"""The pages of the catalogue: their sections, an example that the rewriter makes, and every refusal."""

from __future__ import annotations

import re

import pytest
from catalogue_cases import CATALOGUE, CODES, REFUSALS, read, rewritten

from nprewrite.engine.outcomes import Options

SECTIONS = ["What it does", "Why", "Example", "Safety", "Refusals"]


@pytest.mark.parametrize("name", CODES)
def test_sections(name: str) -> None:
    page = read(CATALOGUE / name / "README.md")
    assert page.startswith(f"# {name} ({CODES[name]})\n")
    assert re.findall(r"^## (.+)$", page, re.MULTILINE) == SECTIONS


@pytest.mark.parametrize("name", CODES)
def test_example_is_what_the_rewriter_makes(name: str, update_catalogue: bool) -> None:
    path = CATALOGUE / name / "README.md"
    page = read(path)
    before, shown = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    after = rewritten(before, "example.py", Options()).text
    assert after != before
    if update_catalogue:
        with path.open("w", encoding="utf-8", newline="") as file:
            file.write(page.replace(f"```python\n{shown}```", f"```python\n{after}```"))
        shown = after
    assert shown == after


@pytest.mark.parametrize("name", CODES)
def test_every_refusal_is_listed(name: str) -> None:
    page = read(CATALOGUE / name / "README.md")
    listed = re.findall(
        r"^\| (?:`([a-z-]+)`|none) \| \[.+?\]\(refusals/([a-z0-9-]+)/before\.py\)", page, re.MULTILINE
    )
    cases = [(c.expectation.reason, c.folder.name) for c in REFUSALS if c.pass_name == name]
    assert sorted(listed) == sorted(cases)
