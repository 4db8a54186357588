"""What the rewriter makes of each program is what the catalogue shows."""

from __future__ import annotations

import io
import tokenize
from collections import Counter

import pytest
from catalogue_cases import REWRITES, Case, read

from nprewrite.engine.outcomes import Options, Outcome


@pytest.mark.parametrize("case", REWRITES, ids=str)
def test_after_is_what_the_rewriter_makes(case: Case, update_catalogue: bool) -> None:
    rewriting = case.rewritten(Options())
    outcomes = {site.outcome for site in rewriting.sites if site.code == case.code}
    assert Outcome.REWRITTEN in outcomes, [
        f"{s.line} {s.code} {s.verdict}: {s.message}" for s in rewriting.sites
    ]
    assert rewriting.changed
    if update_catalogue:
        with case.after_path.open("w", encoding="utf-8", newline="") as file:
            file.write(rewriting.text)
    assert rewriting.text == read(case.after_path)


@pytest.mark.parametrize("case", REWRITES, ids=str)
def test_second_run_changes_nothing(case: Case) -> None:
    once = case.rewritten(Options()).text
    assert once != case.before
    assert case.rewritten(Options(), once).text == once


@pytest.mark.parametrize("case", REWRITES, ids=str)
def test_after_compiles(case: Case) -> None:
    compile(read(case.after_path), str(case.after_path), "exec", dont_inherit=True)


@pytest.mark.parametrize("case", REWRITES, ids=str)
def test_no_comment_is_lost(case: Case) -> None:
    after = case.rewritten(Options()).text
    assert after != case.before
    assert comments(case.before) <= comments(after)


def comments(text: str) -> Counter[str]:
    """The comments of a text and how often each stands there."""
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    return Counter(token.string for token in tokens if token.type == tokenize.COMMENT)
