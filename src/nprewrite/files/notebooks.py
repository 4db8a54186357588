"""Notebooks: the code cells of an ``.ipynb`` file through the rewriter, every other byte as it was.

A cell is rewritten by itself; of the other cells only their imports of NumPy are known. Lines in the report
are those of the file, where the cell's lines are strings. A line magic is read as a call of something
unknown. Cells with a cell magic (``%%bash``) are skipped, unless the magic runs the cell as it is
(``%%time``).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from nprewrite.engine.parsing import is_python
from nprewrite.files.problems import FileProblem, Problem

if TYPE_CHECKING:
    from nprewrite.engine.outcomes import Options, Rewriting, Site

CODE = "NPR002"
NAME = "notebook"
_SPACE = re.compile(r"[ \t\n\r]*")
_DECODER = json.JSONDecoder()
_MAGIC = re.compile(r"^(?P<indent>[ \t]*)(?P<magic>[%!?].*)$", re.MULTILINE)
_TRANSPARENT = re.compile(r"\s*%%(?:capture|time)\b.*\n")
_STAND_IN = "__nprewrite_magic__"


@dataclass(frozen=True)
class Element:
    """A JSON value with the span of its text; arrays and objects hold elements."""

    value: Any
    start: int
    end: int


@dataclass(frozen=True)
class Cell:
    """A code cell: its number from 1, its text, and where its source stands in the file.

    ``head`` holds the lines before the text: a cell magic that runs the cell as it is.
    """

    number: int
    head: str
    text: str
    source: Element

    @property
    def is_python(self) -> bool:
        """Whether the cell is Python, not the body of a cell magic."""
        return not self.text.lstrip().startswith("%%")


def rewrite_notebook(text: str, path: str, options: Options) -> Rewriting:
    """Rewrite the code cells of a notebook's ``text``; the sites have their lines in the file.

    Raises FileProblem for a text that is not a Python notebook.
    """
    # Imported only where there is a notebook to rewrite.
    from nprewrite.engine.cells import of_cells, rewrite_cell
    from nprewrite.engine.outcomes import Rewriting
    from nprewrite.engine.pipeline import rewrite_source
    from nprewrite.source.problems import SourceProblem

    cells = [cell for cell in _cells(text) if cell.is_python]
    plain = {cell.number: _without_magics(cell.text) for cell in cells}
    parsed = {number: cell for number, cell in plain.items() if is_python(cell)}
    sites: list[Site] = []
    pieces: list[str] = []
    position = 0
    for cell in cells:
        if cell.number not in parsed:
            sites.append(_not_python(text, cell))
            continue
        others = of_cells(each for number, each in parsed.items() if number != cell.number)
        try:
            done = rewrite_cell(plain[cell.number], others, lambda cell: rewrite_source(cell, path, options))
        except SourceProblem:
            # It parses, and does not compile: ``return`` or ``await`` outside a function.
            sites.append(_not_python(text, cell))
            continue
        sites += [_placed(site, text, cell) for site in done.sites]
        if not done.changed:
            continue
        after = cell.head + _with_magics(done.text, cell.text)
        # The next cell must not add the same names again.
        parsed[cell.number] = done.text
        pieces += [text[position : cell.source.start], _rendered(after, cell.source, text)]
        position = cell.source.end
    return Rewriting(text, "".join([*pieces, text[position:]]), tuple(sites))


def _cells(text: str) -> Iterator[Cell]:
    """The code cells. Raises FileProblem."""
    try:
        document = json.loads(text)
        root = _element(text, _skip(text, 0))
    except (ValueError, RecursionError) as error:
        line = error.lineno if isinstance(error, json.JSONDecodeError) else None
        raise FileProblem(Problem(f"this is not a notebook: {error}", line)) from error
    cells = document.get("cells") if isinstance(document, dict) else None
    if not isinstance(cells, list) or not all(isinstance(each, dict) for each in cells):
        raise FileProblem(Problem("this is not a notebook of nbformat 4: it has no list of cells"))
    language = document.get("metadata", {}).get("language_info", {}).get("name", "python")
    if language != "python":
        raise FileProblem(Problem(f"the notebook's language is {language}, not Python"))
    for number, (each, element) in enumerate(zip(cells, root.value["cells"].value, strict=True), start=1):
        source = each.get("source")
        if each.get("cell_type") == "code" and source:
            lines = [source] if isinstance(source, str) else source
            whole = "".join(lines)
            head = found.group() if (found := _TRANSPARENT.match(whole)) else ""
            yield Cell(number, head, whole.removeprefix(head), element.value["source"])


def _skip(text: str, position: int) -> int:
    found = _SPACE.match(text, position)
    assert found is not None
    return found.end()


def _element(text: str, start: int) -> Element:
    """The element that begins at ``start`` of a text that is known to be JSON."""
    if text[start] == "{":
        return _object(text, start)
    if text[start] == "[":
        return _array(text, start)
    value, end = _DECODER.raw_decode(text, start)
    return Element(value, start, end)


def _object(text: str, start: int) -> Element:
    members: dict[str, Element] = {}
    position = _skip(text, start + 1)
    while text[position] != "}":
        key, end = _DECODER.raw_decode(text, position)
        members[key] = _element(text, _skip(text, _skip(text, end) + 1))
        position = _next(text, members[key].end)
    return Element(members, start, position + 1)


def _array(text: str, start: int) -> Element:
    items: list[Element] = []
    position = _skip(text, start + 1)
    while text[position] != "]":
        items.append(_element(text, position))
        position = _next(text, items[-1].end)
    return Element(items, start, position + 1)


def _next(text: str, end: int) -> int:
    """The start of what follows an element: the next one, or the closing bracket."""
    position = _skip(text, end)
    return _skip(text, position + 1) if text[position] == "," else position


def _without_magics(text: str) -> str:
    """The text with ``%time f()`` and ``!ls`` as calls of something unknown, on the same lines.

    In a text that is Python as it stands, a line that begins with ``%`` continues an expression or a string.
    """
    if is_python(text):
        return text
    numbers = iter(range(len(text)))
    return _MAGIC.sub(lambda found: f"{found['indent']}{_STAND_IN}({next(numbers)})", text)


def _with_magics(after: str, before: str) -> str:
    magics = [found["magic"] for found in _MAGIC.finditer(before)]
    return re.sub(rf"{_STAND_IN}\((\d+)\)", lambda found: magics[int(found[1])], after)


def _not_python(text: str, cell: Cell) -> Site:
    from nprewrite.engine.outcomes import Outcome, Site

    site = Site(1, 1, CODE, NAME, Outcome.REFUSED, "it is not Python alone", "not-python")
    return _placed(replace(site, help="magics on lines of their own"), text, cell)


def _placed(site: Site, text: str, cell: Cell) -> Site:
    """The site with its line in the file: that of the string that holds the cell's line."""
    items = cell.source.value if isinstance(cell.source.value, list) else [cell.source]
    number = cell.head.count("\n") + site.line
    item = items[min(number, len(items)) - 1]
    line = text.count("\n", 0, item.start) + 1
    return replace(site, line=line, message=f"cell {cell.number}, line {number}: {site.message}")


def _rendered(source: str, old: Element, text: str) -> str:
    """The source as JSON: one string, or a list of lines with the separators of the old one.

    Lines that stay are spelt as they were.
    """
    ascii_only = text.isascii()
    if not isinstance(old.value, list):
        return json.dumps(source, ensure_ascii=ascii_only)
    items = old.value
    before, behind = text[old.start : items[0].start], text[items[-1].end : old.end]
    between = text[items[0].end : items[1].start] if len(items) > 1 else f",{before[1:] or ' '}"
    spelt = {item.value: text[item.start : item.end] for item in items}
    lines = re.findall(r"[^\n]*\n|[^\n]+", source)
    rendered = (spelt.get(line) or json.dumps(line, ensure_ascii=ascii_only) for line in lines)
    return before + between.join(rendered) + behind
