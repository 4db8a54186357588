"""Every known way to change a program by a textbook rewrite is shown by a case of the catalogue."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from catalogue_cases import REFUSALS, REWRITES

CASES = {str(case): case for case in REWRITES + REFUSALS}

TABLE = {
    f"{section}.{row}": entry
    for section, rows in tomllib.loads(Path(__file__).with_name("hazards.toml").read_text("utf-8")).items()
    for row, entry in rows.items()
}

# Listed here and not only in the table, so that a row cannot be lost with its cases.
MASKED = "1 2 3 4 5 6 7 8 9 10 11 12 13 14 14a 14b 15 16 17 neutral power look-up blend cost repeats"
READS = "read-sum read-empty read-argmax read-mean read-escapes"
COMPLEX = "layout abs not-less real-factor division power functions order views dtype truth stores fused"
RANGES = "remainder zero-trips negative-step variable-after variable-rebound numpy-integer frozen-range"
ITERABLES = "changing-array growing-list iterator"
CONTROL = "break continue else return yield await del walrus closures super mangling locals exec"
MEANING = "idempotent exception random input-output unknown-call python-integers sum-order"
COUNTERS = "counter-wraps counter box-dtype"
BRANCHES = "array-if both-arms look-up square-root shapes not-maximum not and first-element"
ROWS = [
    *(f"1.{row}" for row in f"{MASKED} {READS}".split()),
    *(f"2.{row}" for row in COMPLEX.split()),
    *(f"3.{row}" for row in f"{RANGES} {ITERABLES} {CONTROL} {MEANING} {COUNTERS}".split()),
    *(f"4.{row}" for row in BRANCHES.split()),
    *(f"5.{row}" for row in ["zero-padding", "overlap", "narrow", "broadcast", "number"]),
    *(f"6.{row}" for row in ["list-widens", "repeated-list"]),
]


def test_table_has_these_rows() -> None:
    assert sorted(TABLE) == sorted(ROWS)


@pytest.mark.parametrize("row", ROWS)
def test_row_is_shown(row: str) -> None:
    text, *cases = TABLE[row]
    assert text
    assert cases
    for case in cases:
        assert case in CASES, f"{case} is no folder of the catalogue"
        assert row in CASES[case].hazards, f"the docstring of {case} does not name {row}"


@pytest.mark.parametrize("case", sorted(CASES))
def test_docstring_names_known_rows(case: str) -> None:
    assert CASES[case].hazards <= set(ROWS)
