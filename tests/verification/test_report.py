"""The table, the JSON and the exit status."""

from __future__ import annotations

import json
import pickle
from dataclasses import replace

import numpy as np
import pytest

from nprewrite.comparison import Case, CaseReport, Report, Verdict, verify
from nprewrite.comparison.report import Errors, Flips, Worst

SAME = CaseReport("f", "ones(3)", Verdict.SAME, "oracle float64", Errors(0.5, 1.25))
DIFFERENT = CaseReport(
    "g",
    "case 2",
    Verdict.DIFFERENT,
    "oracle long double",
    Errors(0.5, float("inf"), 2.0),
    Flips(3, 4, 100),
    Worst("result[0]", (3, 5), "1.0", "inf", "1.0"),
    ("result[0]: 1 of 100 elements differ",),
    ("2 perturbed runs",),
)
FAILED = CaseReport.failed("h", "case 3", "no answer in 300 s")


@pytest.mark.parametrize(
    ("cases", "status"),
    [((SAME,), 0), ((SAME, DIFFERENT, FAILED), 3), ((SAME, FAILED), 2), ((FAILED,), 2), ((), 2)],
)
def test_exit_status(cases: tuple[CaseReport, ...], status: int) -> None:
    report = Report(cases)
    assert report.exit_status == status
    assert report.same == (status == 0)


def test_table_shows_every_column() -> None:
    lines = str(Report((SAME, DIFFERENT, FAILED))).splitlines()
    assert lines[0].split("  ")[0] == "function"
    for title in ("error of NumPy", "rewritten", "reference", "flips of NumPy", "worst element"):
        column = lines[0].index(title)
        assert all(line[column - 1] == " " for line in lines if len(line) > column and line[0] != " ")
    assert "result[0][3, 5]: 1.0 before, inf after (oracle 1.0)" in lines[2]
    assert "inf ulp" in lines[2]
    assert lines[3:5] == ["    result[0]: 1 of 100 elements differ", "    2 perturbed runs"]
    assert lines[-1] == "    no answer in 300 s"


def test_columns_without_content_are_left_out() -> None:
    title = str(Report((SAME,))).splitlines()[0]
    assert "reference" not in title
    assert "flips" not in title
    assert str(Report(())) == "nothing was compared"


def test_flips_of_a_reference_have_a_column() -> None:
    counted = replace(SAME, flips=Flips(0, 0, 100, reference=2))
    title, row, *_ = str(Report((counted,))).splitlines()
    assert "flips of reference" in title
    assert row[title.index("flips of reference")] == "2"


def test_one_row_for_each_function() -> None:
    larger = replace(SAME, case="ones(4)", errors=Errors(0.5, 2.5))
    other = replace(DIFFERENT, function="f")
    assert Report((SAME, larger, FAILED)).worst_of_each() == Report(
        (replace(larger, case="the worst of 2: ones(4)"), FAILED)
    )
    (row,) = Report((SAME, other, larger)).worst_of_each().cases
    assert (row.verdict, row.case) == (Verdict.DIFFERENT, "the worst of 3: case 2")


def test_json_is_strict_and_complete() -> None:
    made = Report((SAME, DIFFERENT, FAILED)).to_json()
    again = json.loads(json.dumps(made, allow_nan=False))
    assert again == made
    assert (again["version"], again["same"], again["exit"]) == (1, False, 3)
    case = again["cases"][1]
    assert case["errors"] == {"numpy": 0.5, "rewritten": "inf", "reference": 2.0}
    assert case["flips"] == {"numpy": 3, "rewritten": 4, "elements": 100, "reference": None}
    assert case["worst"] == {
        "place": "result[0]",
        "index": [3, 5],
        "before": "1.0",
        "after": "inf",
        "oracle": "1.0",
    }
    assert again["cases"][0]["worst"] is None


def test_reports_can_be_pickled() -> None:
    report = verify(np.sort, np.sort, [(np.ones(3),)])
    assert pickle.loads(pickle.dumps(report.cases[0])) == report.cases[0]


def test_cases_are_tuples_or_cases() -> None:
    report = verify(np.sort, np.sort, [(np.ones(3),), Case("two", (), {"a": np.ones(3)})])
    assert [case.case for case in report.cases] == ["case 1", "two"]
    with pytest.raises(TypeError, match=r"case 1 is .* give a tuple"):
        verify(np.sort, np.sort, [np.ones(3)])
