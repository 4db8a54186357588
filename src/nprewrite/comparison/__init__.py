"""Calls two functions on copies of the same arguments, and tells whether they give the same answers."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from nprewrite.comparison.case import Case
from nprewrite.comparison.compare import compare
from nprewrite.comparison.oracle import NoOracle, oracle_from_function
from nprewrite.comparison.report import CaseReport, Report, Verdict

__all__ = ["Case", "CaseReport", "Report", "Verdict", "verify"]


def verify(
    before: Callable[..., Any],
    after: Callable[..., Any],
    cases: Iterable[Case | tuple[Any, ...]],
    *,
    exact: bool = False,
    single: bool | None = None,
) -> Report:
    """Call two functions on the same arguments, in this process, and report whether the answers are the same.

    ``cases`` holds a tuple of arguments or a ``Case`` for each call. ``exact`` asks for the same bits;
    otherwise ``before`` is evaluated in higher precision, for which the source of its module (with
    ``@nprewrite.jit``, that of the original function) is read and run again. ``single`` allows float32 in
    place of float64 and compares half of its digits; it is the default where ``after`` is decorated with
    ``precision="float32"``.

    In a test: ``report = nprewrite.verify(f, g, cases)``, then ``assert report.same, str(report)``. Raises
    TypeError where a case is neither a tuple nor a ``Case``.
    """
    name = getattr(before, "__qualname__", type(before).__name__)
    single = computes_in_single(after) if single is None else single
    oracle = NoOracle("the same bits are asked for") if exact else oracle_from_function(before)
    reports = [
        compare(name, _case(case, number), before, after, exact=exact, single=single, oracle=oracle)
        for number, case in enumerate(cases, start=1)
    ]
    return Report(tuple(reports))


def computes_in_single(function: object) -> bool:
    """Whether a function is decorated to compute in single precision."""
    return bool(getattr(function, "computes_in_single", False))


def _case(case: object, number: int) -> Case:
    if isinstance(case, Case):
        return case
    if not isinstance(case, tuple):
        raise TypeError(
            f"case {number} is {case!r}; give a tuple of arguments or a nprewrite.comparison.Case"
        )
    return Case(f"case {number}", case)
