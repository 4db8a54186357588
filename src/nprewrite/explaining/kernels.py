"""Kernels and intermediate representation, read from what Inductor writes when it is asked to trace.

Only text is read here: ``output_code.py``, ``fx_graph_transformed.py``, ``ir_pre_fusion.txt``,
``ir_post_fusion.txt`` and the mapping from kernels to nodes of the graph.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from nprewrite.explaining.running import CodeLine, Kernel

MARK = "// explained at line "
"""Follows a generated statement, before the number of the line that it computes."""

_KERNEL = re.compile(r"^(\w+) = async_compile\.\w+\(.*?r?'''\n(.*?)^'''", re.MULTILINE | re.DOTALL)
_MARKED = re.compile(rf"\s*{MARK}(\d+)")
_PLACE = re.compile(r"^\s*# File: (.+?):(\d+) in ")
_NODE = re.compile(r"^\s*(\w+)(?:: \"[^\"]*\")? = ")
_OPERATION = re.compile(r"^(op\w+): \w+\(", re.MULTILINE)
_VALUE = re.compile(r"\btmp\w+")
_DEFINED = re.compile(r"\s*(?:[\w:<>, ]+ )?(tmp\w+) = ")
_MAPPING = "inductor_provenance_tracking_node_mappings.json"


@dataclass(frozen=True)
class Traced:
    """The results of one compilation: kernels, and the representation before and after fusion."""

    kernels: tuple[Kernel, ...]
    operations: tuple[str, ...]
    fused: tuple[str, ...]
    before: str
    after: str


def traced(folder: Path, files: Collection[str]) -> Traced:
    """The contents of a folder that one graph was traced into; lines are those of ``files``."""
    before, after = _read(folder / "ir_pre_fusion.txt"), _read(folder / "ir_post_fusion.txt")
    codes = dict(_KERNEL.findall(_read(folder / "output_code.py")))
    nodes = _lines_of_nodes(_read(folder / "fx_graph_transformed.py"), files)
    return Traced(
        tuple(_kernels(codes, _nodes_of_kernels(folder / _MAPPING), nodes)),
        tuple(_OPERATION.findall(before)),
        tuple(_outermost(_OPERATION.findall(after))),
        before,
        after,
    )


def _outermost(names: Sequence[str]) -> list[str]:
    """The outermost operations: ``op0_op1`` contains two, which are listed again inside it."""
    inside = {part for name in names for part in name.split("_") if part != name}
    return [name for name in names if name not in inside]


def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8") if path.is_file() else ""


def _kernels(
    codes: Mapping[str, str], mapping: Mapping[str, Sequence[str]], nodes: Mapping[str, int]
) -> Iterator[Kernel]:
    """The kernels in the order of their calls; those without a known call come last."""
    called = list(dict.fromkeys([*mapping, *codes]))
    for name in called:
        code = tuple(_code_lines(codes[name])) if name in codes else ()
        marked = {each.line for each in code if each.line is not None}
        lines = marked | {nodes[node] for node in mapping.get(name, ()) if node in nodes}
        yield Kernel(name, tuple(sorted(lines)), code)


def _nodes_of_kernels(path: Path) -> dict[str, list[str]]:
    """The graph's nodes by kernel; each call of a kernel is numbered after its name."""
    found: dict[str, list[str]] = {}
    text = _read(path)
    for call, nodes in (json.loads(text) if text else {}).get("cppCodeToPost", {}).items():
        found.setdefault(call.partition(":")[0], []).extend(nodes)
    return found


def _lines_of_nodes(graph: str, files: Collection[str]) -> dict[str, int]:
    """The line of each node of a printed graph, taken from the comment above it."""
    found: dict[str, int] = {}
    line: int | None = None
    for text in graph.splitlines():
        place, node = _PLACE.match(text), _NODE.match(text)
        if place:
            line = int(place.group(2)) if place.group(1) in files else None
        elif node and line is not None:
            found[node.group(1)] = line
    return found


def _code_lines(code: str) -> Iterator[CodeLine]:
    """The code without the marks. A statement that only copies a value has the line of that value."""
    known: dict[str, int] = {}
    for text in code.rstrip("\n").splitlines():
        marked = _MARKED.search(text)
        plain = _MARKED.sub("", text).rstrip()
        defined = _DEFINED.match(plain)
        used = _VALUE.findall(plain[defined.end() :] if defined else plain)
        lines = [int(marked.group(1))] if marked else [known[each] for each in used if each in known]
        if defined:
            # An accumulator that is set again is a new one, whose line is not known yet.
            known.pop(defined.group(1), None)
            known.update({defined.group(1): line for line in lines[:1]})
        yield CodeLine(plain, lines[0] if lines else None)
