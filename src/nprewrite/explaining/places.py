"""Which of the user's lines each statement of a generated kernel computes. Import this where torch is wanted.

Inductor knows the lines of its operations, but loses them in fusion: operations are functions that call each
other, traced into one body for each loop. So while it compiles, the line is carried along: with the functions
(the innermost one that runs is the operation), with the nodes of the traced body, and as a comment after the
statement that is generated for the node. Comments change nothing in the machine code.

A store into a part of an array gets the line at which the whole array is needed next, because that is where
the compiler puts it.

Where torch has changed so that a hook finds nothing, statements have no lines; everything else still works.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

from nprewrite.explaining.kernels import MARK
from nprewrite.runtime.torch.private import CSE, V, ir, loop_body

_META = "nprewrite_line"
_FRAME = re.compile(r'File "(.+?)", line (\d+)')


class _Following:
    """The line of the operation whose function is running."""

    def __init__(self, files: Sequence[str]) -> None:
        self._files = files
        self._running: list[int | None] = []

    @property
    def line(self) -> int | None:
        return self._running[-1] if self._running else None

    def line_of(self, node: Any) -> int | None:
        """The line of a graph's node: that of its innermost frame in the files."""
        frames = _FRAME.findall(getattr(node, "stack_trace", None) or "")
        lines = [int(line) for file, line in frames if file in self._files]
        return lines[-1] if lines else None

    def bound(self, function: Callable[..., Any], line: int | None) -> Callable[..., Any]:
        def at_its_line(*args: Any, **kwargs: Any) -> Any:
            self._running.append(line)
            try:
                return function(*args, **kwargs)
            finally:
                self._running.pop()

        return at_its_line


@contextmanager
def followed(files: Sequence[str]) -> Iterator[None]:
    """A context in which generated statements carry their line in ``files`` (all of the same text)."""
    following = _Following(files)
    made, traced, generated = ir.Loops.__post_init__, loop_body.LightTracer.create_node, CSE.generate

    def post_init(loops: Any) -> None:
        made(loops)
        node = getattr(V.graph, "current_node", None)
        line = following.line_of(node)
        if callable(loops.inner_fn) and line is not None:
            object.__setattr__(loops, "inner_fn", following.bound(loops.inner_fn, line))

    def create_node(tracer: Any, *args: Any, **kwargs: Any) -> Any:
        node = traced(tracer, *args, **kwargs)
        node.meta[_META] = following.line
        return node

    def generate(cse: Any, *args: Any, **kwargs: Any) -> Any:
        node = getattr(V.interpreter, "current_node", None)
        line = node.meta.get(_META) if node is not None else None
        if line is None or cse.suffix != ";":
            return generated(cse, *args, **kwargs)
        cse.suffix = f"; {MARK}{line}"
        try:
            return generated(cse, *args, **kwargs)
        finally:
            cse.suffix = ";"

    with (
        patch.object(ir.Loops, "__post_init__", post_init),
        patch.object(loop_body.LightTracer, "create_node", create_node),
        patch.object(CSE, "generate", generate),
    ):
        yield
