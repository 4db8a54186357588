"""The published JSON Schema of ``[tool.nprewrite]``: that of the code, and it takes what the reader takes."""

from __future__ import annotations

import json
import tomllib
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from nprewrite.config import Configuration, ConfigurationProblem
from nprewrite.config.reading import read
from nprewrite.config.table import FIELDS, schema

PUBLISHED = Path(__file__).parents[1] / "docs" / "nprewrite.schema.json"
jsonschema = pytest.importorskip("jsonschema")

RIGHT = """
level = "fast"
select = ["NPR4", "masked-store"]
ignore = ["NPR402"]
exclude = ["old/", "!keep.py"]
packages = ["waves"]
verify = "first-call"
on-fallback = "raise"
precision = "float32"
accumulate = "float32"
keep-output-dtype = true
keep-float64 = ["total"]
per-file-ignores = { "tests/" = ["NPR101"] }
"""
WRONG = [
    'level = "best"',
    "level = 3",
    'select = "NPR101"',
    "ignore = [1]",
    "per-file-ignores = []",
    'per-file-ignores = { "a.py" = "NPR101" }',
    "packages = true",
    "verify = true",
    'on-fallback = "shout"',
    'precision = "float16"',
    'keep-output-dtype = "yes"',
    "levle = 1",
]


def test_the_published_schema_is_that_of_the_code() -> None:
    """Else: python -m nprewrite.config > docs/nprewrite.schema.json."""
    assert json.loads(PUBLISHED.read_text(encoding="utf-8")) == json.loads(json.dumps(schema()))


def test_every_setting_is_described() -> None:
    assert {each.name for each in FIELDS.values()} == {each.name for each in fields(Configuration)} - {"file"}
    assert all(each["description"].endswith(".") for each in schema()["properties"].values())
    made = Configuration()
    defaults = {FIELDS[key].name: each.get("default") for key, each in schema()["properties"].items()}
    assert (defaults["level"], defaults["on_fallback"], defaults["accumulate"]) == (
        made.level,
        made.on_fallback,
        made.accumulate,
    )


def _validated(text: str) -> bool:
    checker: Any = jsonschema.Draft202012Validator(schema())
    return bool(checker.is_valid(tomllib.loads(text)))


def test_what_is_right(tmp_path: Path) -> None:
    file = tmp_path / "pyproject.toml"
    file.write_text(f"[tool.nprewrite]\n{RIGHT}")
    assert _validated(RIGHT)
    found = read(str(file))
    assert found is not None
    assert found.select == {"NPR4", "NPR101"}


@pytest.mark.parametrize("text", WRONG)
def test_what_is_wrong(tmp_path: Path, text: str) -> None:
    file = tmp_path / "pyproject.toml"
    file.write_text(f"[tool.nprewrite]\n{text}\n")
    assert not _validated(text)
    with pytest.raises(ConfigurationProblem, match=r"pyproject\.toml:2: "):
        read(str(file))
