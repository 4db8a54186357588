"""Every program of the catalogue runs as plain NumPy, and raises where it says so."""

from __future__ import annotations

import ast

import pytest
from catalogue_cases import REFUSALS, REWRITES, Case, calls, function_of, load, module_name
from catalogue_compare import Closeness, differences, observe

pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.mark.parametrize("case", REWRITES + REFUSALS, ids=str)
def test_original_runs(case: Case) -> None:
    module = load(case.before_path, module_name(case, "original"))
    every_call = calls(module)
    assert every_call
    for call in every_call:
        seen = observe(function_of(module, call.function), call.arguments)
        if call.raises is None:
            assert seen.exception is None, f"{call.function}{call.arguments}: {seen.exception!r}"
        else:
            assert isinstance(seen.exception, call.raises), (
                f"{call.function}{call.arguments}: {seen.exception!r}"
            )


@pytest.mark.parametrize("case", REWRITES + REFUSALS, ids=str)
def test_calls_are_repeatable(case: Case) -> None:
    """Two runs with arguments of their own agree, or before and after could not be compared."""
    module = load(case.before_path, module_name(case, "original"))
    for first, second in zip(calls(module), calls(module), strict=True):
        left = observe(function_of(module, first.function), first.arguments)
        right = observe(function_of(module, second.function), second.arguments)
        assert differences(left, right, Closeness()) == []


@pytest.mark.parametrize("case", REWRITES + REFUSALS, ids=str)
def test_docstring_says_what_the_case_shows(case: Case) -> None:
    assert ast.get_docstring(ast.parse(case.before))
