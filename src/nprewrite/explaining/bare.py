"""The function as written under torch.compile alone. Import this module only where torch is wanted.

Steps are compiled as one graph each, or not at all, so that they have no graph breaks. What the compiler
makes of the function as written shows why it was rewritten. ``torch._dynamo.explain`` says nothing about a
function that it gives up because of a loop; the compiler's log does, so the log is read.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterator
from typing import Any

import torch

from nprewrite.explaining.running import Bare, Break
from nprewrite.runtime.torch.private import set_logs

_BREAKS, _RECOMPILES = "__graph_breaks", "__recompiles"
_PLACE = re.compile(r"Graph break in user code at (.+):(\d+)")
_RECOMPILED = re.compile(r"Recompiling function (\S+) in (.+):(\d+)")
_FAILURE = re.compile(r"^\s*- \d+/\d+: (.+?)(?:\s{2,}#.*)?$", re.MULTILINE)
_EXPLANATION = re.compile(r"^(.+)\n\s+Explanation: (.+)$", re.MULTILINE)


class Watched:
    """``function`` is the given one under torch.compile, with a compiler that counts and compiles nothing."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._file = function.__code__.co_filename
        self._graphs: list[int] = []
        self._messages = _Messages()
        # Loads the compiler, and with it the loggers.
        self.function: Callable[..., Any] = torch.compile(function, backend=self._counted)
        set_logs(graph_breaks=True, recompiles=True)
        for name in list(logging.root.manager.loggerDict):
            if name.endswith((_BREAKS, _RECOMPILES)):
                logging.getLogger(name).addHandler(self._messages)
                logging.getLogger(name).propagate = False

    def result(self) -> Bare:
        """What the calls of ``function`` have shown so far."""
        return Bare(tuple(self._graphs), tuple(self._breaks()), tuple(self._recompilations()))

    def _counted(self, module: Any, _: Any) -> Callable[..., Any]:
        self._graphs.append(sum(node.op == "call_function" for node in module.graph.nodes))
        forward: Callable[..., Any] = module.forward
        return forward

    def _breaks(self) -> Iterator[Break]:
        for message in self._messages.found:
            place = _PLACE.search(message)
            if place is None:
                continue
            line = int(place.group(2)) if place.group(1) == self._file else None
            yield Break(f"{place.group(1)}:{place.group(2)}", line, _reason(message))

    def _recompilations(self) -> Iterator[str]:
        for message in self._messages.found:
            place, failure = _RECOMPILED.search(message), _FAILURE.search(message)
            if place is not None:
                because = f": not {failure.group(1).strip()}" if failure else ""
                yield f"{place.group(1)}, {place.group(2)}:{place.group(3)}{because}"


class _Messages(logging.Handler):
    """Keeps what is logged."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.found.append(record.getMessage())


def _reason(message: str) -> str:
    """The compiler's words: title and explanation of each cause, and whether the function was given up."""
    told = message.partition("Graph Break Reason:")[2].strip()
    causes = [f"{title.strip()}: {text.strip()}" for title, text in _EXPLANATION.findall(told)]
    return " / ".join(causes) or told.partition("\n")[0]
