"""Comments that keep passes away, and those that suppress nothing."""

from __future__ import annotations

import pytest

from nprewrite.engine.outcomes import Options, Outcome, Rewriting
from nprewrite.engine.pipeline import rewrite_source
from nprewrite.passes.level import Level

LOOP = """\
import numpy as np


def decay(maxiter):
    x = np.linspace(0.0, 1.0, 1000)
    for n in range(maxiter):{header}
        m = x > 0.5{mask}
        x[m] = x[m] * 0.9{store}
    return x
"""


def rewritten(header: str = "", mask: str = "", store: str = "", options: Options | None = None) -> Rewriting:
    return rewrite_source(
        LOOP.format(header=header, mask=mask, store=store), "decay.py", options or Options()
    )


def codes(rewriting: Rewriting, outcome: Outcome = Outcome.REWRITTEN) -> list[str]:
    return [site.code for site in rewriting.sites if site.outcome is outcome]


def test_without_comments_everything_is_rewritten() -> None:
    assert codes(rewritten()) == ["NPR401", "NPR402", "NPR601", "NPR101"]


@pytest.mark.parametrize(
    "header",
    ["  # nprewrite: ignore", "  # nprewrite: ignore[NPR401]", "  # x # nprewrite:ignore[NPR401]"],
)
def test_a_loop_is_left_alone(header: str) -> None:
    done = rewritten(header)
    assert not done.changed
    assert codes(done, Outcome.UNUSED) == []


def test_one_code_of_a_line() -> None:
    done = rewritten("  # nprewrite: ignore[NPR402]")
    assert codes(done) == ["NPR401", "NPR601", "NPR101"]
    assert "chunked" not in done.text
    again = rewrite_source(done.text, "decay.py", Options())
    assert not again.changed
    assert codes(again, Outcome.UNUSED) == []


@pytest.mark.parametrize("place", ["header", "mask"])
def test_a_region_keeps_what_touches_it(place: str) -> None:
    done = rewritten(**{place: "\n        # nprewrite: off"})
    assert not done.changed
    assert codes(done, Outcome.UNUSED) == []


def test_a_region_ends() -> None:
    text = "# nprewrite: off\nimport math\n# nprewrite: on\n" + LOOP.format(header="", mask="", store="")
    done = rewrite_source(text, "decay.py", Options())
    assert codes(done) == ["NPR401", "NPR402", "NPR601", "NPR101"]
    assert [(site.line, site.message) for site in done.sites if site.code == "NPR001"] == [
        (1, "`off` suppresses nothing")
    ]


def test_all_lines_of_a_statement_count() -> None:
    store = "  # nprewrite: ignore[NPR101]"
    text = LOOP.format(header="", mask="", store="").replace(
        "x[m] * 0.9", f"(  \n            x[m] * 0.9{store}\n        )"
    )
    done = rewrite_source(text, "decay.py", Options())
    assert "NPR101" not in codes(done)
    assert codes(done, Outcome.UNUSED) == []


@pytest.mark.parametrize(
    ("comment", "message"),
    [
        ("  # nprewrite: ignore", "`ignore` suppresses nothing (remove it)"),
        ("  # nprewrite: ignore[NPR201]", "`ignore[NPR201]` suppresses nothing (remove it)"),
        (
            "  # nprewrite: ignore[NPR201, NPR404]",
            "`ignore[NPR201, NPR404]` suppresses nothing (remove it)",
        ),
        (
            "  # nprewrite: ignore[NPR999]",
            "NPR999 in `ignore[NPR999]` is not the code of a pass (`nprewrite pass` lists the codes)",
        ),
        ("  # nprewrite: ignore[]", "`ignore[]` names no code (correct it, or remove it)"),
        (
            "  # nprewrite: ignroe",
            "`ignroe` is none of off, on, ignore and ignore[CODE, ...] (correct it, or remove it)",
        ),
        (
            "  # nprewrite: on",
            "`on` suppresses nothing without an `off` before it (correct it, or remove it)",
        ),
        (
            "\n        # nprewrite: ignore",
            "`ignore` suppresses nothing on a line of its own: put it behind the code "
            "(correct it, or remove it)",
        ),
    ],
)
def test_what_suppresses_nothing_is_reported(comment: str, message: str) -> None:
    done = rewritten(mask=comment)
    assert done.changed
    (site,) = [site for site in done.sites if site.code == "NPR001"]
    assert site.outcome is Outcome.UNUSED
    assert site.describe("decay.py").endswith(f"NPR001 unused: {message}")


@pytest.mark.parametrize(
    ("codes_of_line", "message"),
    [
        ("NPR401, NPR402", "NPR402 in `ignore[NPR401, NPR402]` suppresses nothing"),
        ("NPR401, NPR999", "NPR999 in `ignore[NPR401, NPR999]` is not the code of a pass"),
    ],
)
def test_each_code_is_judged_by_itself(codes_of_line: str, message: str) -> None:
    done = rewritten(f"  # nprewrite: ignore[{codes_of_line}]")
    assert not done.changed
    assert [site.message for site in done.sites if site.code == "NPR001"] == [message]


def test_comments_for_passes_that_run_at_a_call_are_not_judged() -> None:
    comment = "  # nprewrite: ignore[NPR603]"
    text = f"""\
import numpy as np


def f(x, n):
    for k in range(n):
        x += np.sin(x)
    y = x * 2.0{comment}
    return y
"""
    waiting = rewrite_source(text, "f.py", Options())
    assert codes(waiting, Outcome.DEFERRED) == ["NPR401"]
    assert codes(waiting, Outcome.UNUSED) == []
    assert codes(rewrite_source(waiting.text, "f.py", Options()), Outcome.UNUSED) == []
    alone = text.replace("range(n):", "range(n):  # nprewrite: ignore[NPR401]")
    assert codes(rewrite_source(alone, "f.py", Options()), Outcome.UNUSED) == ["NPR001"]


def test_a_second_off_and_files_without_numpy() -> None:
    done = rewrite_source("# nprewrite: off\nx = 1\n# nprewrite: off\n", "a.py", Options())
    assert [(site.line, site.message) for site in done.sites] == [
        (1, "`off` suppresses nothing"),
        (3, "`off` suppresses nothing without an `on` since the last one"),
    ]


def test_passes_that_do_not_run_judge_no_comment() -> None:
    comment = "  # nprewrite: ignore[NPR402]"
    for options in (Options(ignore=frozenset({"NPR402"})), Options(stop_after="NPR101")):
        assert codes(rewritten(comment, options=options), Outcome.UNUSED) == []
    assert codes(rewritten(comment, options=Options(level=Level.EXACT)), Outcome.UNUSED) == []


def test_text_in_a_string_is_no_comment() -> None:
    done = rewritten(mask="; '# nprewrite: off'")
    assert codes(done, Outcome.UNUSED) == []


@pytest.mark.parametrize("newline", ["\r\n", "\r"])
def test_other_line_endings(newline: str) -> None:
    text = LOOP.format(header="  # nprewrite: ignore", mask="", store="").replace("\n", newline)
    done = rewrite_source(text, "decay.py", Options())
    assert not done.changed
    assert codes(done, Outcome.UNUSED) == []


def test_verification_puts_the_decorator_in() -> None:
    done = rewritten(options=Options(level=Level.FAST, verify="first-call", on_fallback="raise"))
    assert '@nprewrite.jit(level="fast", verify="first-call", on_fallback="raise")\ndef decay(' in done.text
    assert "_decay_step" not in done.text
    assert codes(done) == []
    again = rewrite_source(done.text, "decay.py", Options(verify="first-call"))
    assert "first-call" in again.text
    assert again.text.count("@nprewrite.jit") == 1


def test_a_fallback_that_raises_is_written_into_the_step() -> None:
    done = rewritten(options=Options(on_fallback="raise"))
    assert '    on_fallback="raise",\n' in done.text
    assert not rewrite_source(done.text, "decay.py", Options(on_fallback="raise")).changed
