"""NumPy's warnings: the same where filters make them errors or show all, and none more by default."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from catalogue_cases import REWRITES, Case, calls, function_of, load, module_name

from nprewrite import NprewriteWarning
from nprewrite.engine.outcomes import Options

pytestmark = [pytest.mark.usefixtures("steps_in_numpy"), pytest.mark.filterwarnings("ignore")]


@pytest.mark.parametrize("case", [each for each in REWRITES if not each.comparison.single], ids=str)
def test_warnings(case: Case, tmp_path: Path) -> None:
    path = tmp_path / "after.py"
    path.write_text(case.rewritten(Options()).text, encoding="utf-8", newline="")
    before = load(case.before_path, module_name(case, "before"))
    after = load(path, module_name(case, "after_warnings"))
    for action in ("error", "always", "default"):
        for ours, theirs in zip(calls(before), calls(after), strict=True):
            expected = seen(function_of(before, ours.function), ours.arguments, action)
            found = seen(function_of(after, theirs.function), theirs.arguments, action)
            if action == "default":
                assert found[1] <= expected[1], (ours.function, action)
            else:
                assert found == expected, (ours.function, action)


def seen(
    function: Callable[..., Any], arguments: tuple[Any, ...], action: Any
) -> tuple[str, set[tuple[type[Warning], str]]]:
    """The exception of a call, and NumPy's warnings."""
    error = ""
    with warnings.catch_warnings(record=True) as caught:
        warnings.resetwarnings()
        warnings.simplefilter(action)
        warnings.simplefilter("ignore", NprewriteWarning)
        try:
            function(*arguments)
        except (ArithmeticError, LookupError, NameError, TypeError, ValueError, Warning) as raised:
            error = f"{type(raised).__name__}: {raised}"
    return error, {(each.category, str(each.message)) for each in caught}
