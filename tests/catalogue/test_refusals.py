"""Refused programs keep their bytes, and the report says why; every reason has a program."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from catalogue_cases import CATALOGUE, PAIRS, REFUSALS, Case, read, reason_table

from nprewrite.engine.outcomes import Outcome, Rewriting
from nprewrite.engine.pipeline import PASSES
from nprewrite.passes.reasons import reasons


def _rewriting(case: Case) -> Rewriting:
    return case.rewritten(case.expectation.options)


@pytest.mark.parametrize("case", REFUSALS, ids=str)
def test_text_is_byte_identical(case: Case) -> None:
    expected = case.before
    if case.code == "NPR404":
        # A loop that is no loop over lanes still runs through its step.
        options = replace(case.expectation.options, ignore=frozenset({case.code}))
        expected = case.rewritten(options).text
        assert "looped" not in expected
    assert _rewriting(case).text == expected


@pytest.mark.parametrize("case", REFUSALS, ids=str)
def test_reason_is_reported(case: Case) -> None:
    sites = _rewriting(case).sites
    report = [(site.code, site.line, site.reason) for site in sites if site.outcome is Outcome.REFUSED]
    expectation = case.expectation
    if expectation.silent:
        assert sites == ()
    else:
        assert (expectation.code, expectation.line, expectation.reason) in report


@pytest.mark.parametrize("case", REFUSALS, ids=str)
def test_case_lies_in_the_folder_of_its_pass(case: Case) -> None:
    assert case.expectation.silent or case.expectation.code == case.code


@pytest.mark.parametrize(("reason", "code"), PAIRS)
def test_every_reason_has_a_refusal(reason: str, code: str) -> None:
    shown = [str(c) for c in REFUSALS if (c.expectation.reason, c.expectation.code) == (reason, code)]
    assert shown, f"no refusal shows {code} refused[{reason}]"


@pytest.mark.parametrize("case", [c for c in REFUSALS if not c.expectation.silent], ids=str)
def test_reason_is_in_the_table(case: Case) -> None:
    assert (case.expectation.reason, case.expectation.code) in PAIRS


@pytest.mark.parametrize("each", PASSES, ids=lambda each: each.name)
def test_passes_declare_the_reasons_of_the_table(each: Any) -> None:
    declared = {*reasons(each.code)}
    assert declared == {reason for reason, code in PAIRS if code == each.code}


@pytest.mark.parametrize("case", [c for c in REFUSALS if not c.expectation.silent], ids=str)
def test_refusal_says_what_would_help(case: Case) -> None:
    refused = [site for site in _rewriting(case).sites if site.outcome is Outcome.REFUSED]
    assert refused
    assert all(site.message and site.help for site in refused)
    page = read(CATALOGUE / case.pass_name / "README.md")
    (row,) = [line for line in page.splitlines() if f"(refusals/{case.folder.name}/before.py)" in line]
    expectation = case.expectation
    meant = [site for site in refused if (site.line, site.reason) == (expectation.line, expectation.reason)]
    assert row.rpartition(" | ")[2] in {f"{site.help} |" for site in meant}


@pytest.mark.parametrize("each", PASSES, ids=lambda each: each.name)
def test_the_table_says_what_would_help(each: Any) -> None:
    rows = {row.reason: row.helps for row in reason_table()}
    assert not [reason for reason, help in reasons(each.code).items() if help not in rows[reason]]
