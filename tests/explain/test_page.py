"""The page: self-contained, escaped, and in Chromium what a mouse, a keyboard and a narrow window find."""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from browser import NAMES, Browser, found
from explain_tools import Explain, Shown
from explained_programs import LOOPS

from nprewrite.explaining.colours import coloured

CUT = "u[u > 3.0] = 0.5"
COLUMNS = "[...document.querySelectorAll('.column')]"


@pytest.fixture
def text_page(tmp_path: Path, explain: Explain) -> str:
    """The page of the program without a call."""
    program, page = tmp_path / "<loops>.py", tmp_path / "loops.html"
    program.write_text(LOOPS, encoding="utf-8")
    ran = explain(program, "--html", page)
    assert ran.code == 0, ran.err
    return page.read_text(encoding="utf-8")


def test_what_is_the_users_is_escaped(text_page: str) -> None:
    assert text_page.count("<script>") == 1
    assert '&lt;script&gt;alert("x")&lt;/script&gt; &amp; "more"' in text_page
    assert "&lt;loops&gt;.py" in text_page


def test_nothing_is_loaded_from_elsewhere(text_page: str) -> None:
    assert not re.search(r"https?:|@import|url\(|<link|\ssrc=", text_page)


def test_the_columns_without_a_call(text_page: str) -> None:
    assert "<h2>Source" in text_page
    assert "<h2>Rewritten" in text_page
    assert "<h2>Kernels" not in text_page
    assert "not known: " in text_page


def test_the_text_has_the_colours_of_its_syntax(text_page: str) -> None:
    assert '<span class="k">def</span>' in text_page
    shown = re.findall(r'<span class="code">(.*)</span></div>', text_page)
    plain = [unescape(re.sub(r"<[^>]*>", "", line)) for line in shown]
    assert plain[: len(LOOPS.splitlines())] == LOOPS.splitlines()


def test_lines_are_coloured_one_by_one() -> None:
    text = 'x = """a\n<b>\n\n"""\n\n\ny = 1\x0c2  # c\r\n\t"unfinished'
    lines = coloured(text)
    assert [unescape(re.sub(r"<[^>]*>", "", line)) for line in lines] == text.splitlines()
    assert all(line.count("<span") == line.count("</span>") for line in lines)
    assert coloured("") == []
    assert coloured("for (;;) { }", "cpp") == [
        '<span class="k">for</span><span class="w"> </span><span class="p">(;;)</span>'
        '<span class="w"> </span><span class="p">{</span><span class="w"> </span><span class="p">}</span>'
    ]


def test_a_page_needs_jinja(tmp_path: Path, explain: Explain, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    ran = explain(tmp_path / "a.py", "--html", tmp_path / "a.html")
    assert ran.code == 2
    assert "--html needs Jinja2, which is not installed: pip install nprewrite[explain]" in ran.err


def test_a_page_that_cannot_be_written(tmp_path: Path, explain: Explain) -> None:
    program = tmp_path / "loops.py"
    program.write_text(LOOPS, encoding="utf-8")
    ran = explain(program, "--html", tmp_path / "missing" / "loops.html")
    assert ran.code == 2
    assert "cannot be written: no such file or directory" in ran.err


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """A browser for the tests of this file."""
    program = found()
    if program is None:
        pytest.skip(f"no Chromium is installed (looked for {', '.join(NAMES)}; Debian: apt install chromium)")
    with Browser(program, tmp_path_factory.mktemp("chromium")) as started:
        yield started


@pytest.fixture
def wide(browser: Browser, ran: Shown) -> Browser:
    """The page of the run in a window of 1400 pixels."""
    browser.open(ran.page, 1400, 900)
    return browser


def lit(browser: Browser) -> list[list[str]]:
    """The lines that are lit, by column."""
    lines = ".map(e => e.lastElementChild.textContent.trim())"
    result: list[list[str]] = browser.value(f"{COLUMNS}.map(c => [...c.querySelectorAll('.lit')]{lines})")
    return result


def mark(browser: Browser, column: int, text: str) -> None:
    """Give the first line of a column that holds ``text`` a name to point at."""
    lines = f"[...{COLUMNS}[{column}].querySelectorAll('.line')]"
    browser.value(f"{lines}.find(e => e.textContent.includes({text!r})).id = 'it'")


def test_the_page_asks_for_nothing(wide: Browser, ran: Shown) -> None:
    assert set(wide.requested) == {ran.page.as_uri()}
    assert wide.value("document.scripts.length") == 1


def test_pointing_at_a_line_lights_its_counterparts(wide: Browser) -> None:
    mark(wide, 0, CUT)
    wide.point_at("#it")
    source, rewritten, kernels = lit(wide)
    assert source == [CUT]
    assert rewritten
    assert all("0.5" in line and "u" in line for line in rewritten)
    assert any(".store(" in line for line in kernels)
    seen = wide.value(f"{COLUMNS}.map(c => [...c.querySelectorAll('.lit')].some(isSeen))")
    assert seen == [True, True, True]


def test_pointing_at_a_kernel_lights_the_source(wide: Browser) -> None:
    mark(wide, 2, "(3.0)")
    wide.point_at("#it")
    assert lit(wide)[0] == [CUT]


def test_pointing_elsewhere_lights_nothing(wide: Browser) -> None:
    mark(wide, 0, CUT)
    wide.point_at("#it")
    wide.point_at("h1")
    assert lit(wide) == [[], [], []]


def test_the_keyboard_goes_from_line_to_line(wide: Browser) -> None:
    wide.press("Tab")
    first = lit(wide)
    wide.press("ArrowDown")
    second = lit(wide)
    assert len(first[0]) == len(second[0]) == 1
    assert LOOPS.index(first[0][0]) < LOOPS.index(second[0][0])
    wide.press("ArrowUp")
    assert lit(wide) == first


@pytest.mark.parametrize(("width", "beside"), [(1400, True), (420, False)])
def test_windows(browser: Browser, ran: Shown, width: int, beside: bool) -> None:
    browser.open(ran.page, width, 900)
    assert browser.value("document.documentElement.scrollWidth") <= width
    tops = browser.value(f"{COLUMNS}.map(c => c.getBoundingClientRect().top)")
    assert (len(set(tops)) == 1) is beside


def luminance(color: Any) -> float:
    """The relative luminance of ``rgb(r, g, b)``, as WCAG 2 defines it."""
    parts = [int(part) / 255 for part in re.findall(r"\d+", color)[:3]]
    linear = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_is_readable(browser: Browser, ran: Shown, scheme: str) -> None:
    browser.open(ran.page, 1400, 900, scheme)
    mark(browser, 0, CUT)
    browser.point_at("#it")
    style = "getComputedStyle(document.querySelector('#it'))"
    ground, ink = (luminance(browser.value(f"{style}.{name}")) for name in ("backgroundColor", "color"))
    assert (max(ground, ink) + 0.05) / (min(ground, ink) + 0.05) > 4.5
    body = luminance(browser.value("getComputedStyle(document.body).backgroundColor"))
    assert (body > 0.5) is (scheme == "light")
