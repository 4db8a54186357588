"""What calls showed, as plain lines."""

from __future__ import annotations

from collections.abc import Iterator

from nprewrite.explaining.explanation import Explanation
from nprewrite.explaining.running import Bare, Graph, Kernel, Profile

_INDENT = "  "


def running_sections(explanation: Explanation) -> Iterator[str]:
    """Where time went, how the steps ran, what was compiled, and what torch.compile alone does."""
    running = explanation.running
    if running is None:
        return
    yield "\n".join(["ran", *(f"{_INDENT}{call}" for call in running.calls)])
    if running.profile is not None:
        yield _profile(explanation, running.profile)
    if running.compiled.steps:
        yield "\n".join(["how the steps ran", *(f"{_INDENT}{line}" for line in running.compiled.steps)])
    graphs = running.compiled.graphs
    yield summary(graphs)
    for number, graph in enumerate(graphs, start=1):
        yield _graph(explanation, number, graph)
    if running.bare is not None:
        yield _bare(running.bare)
    if running.notes:
        yield "\n".join(["notes", *(f"{_INDENT}{note}" for note in running.notes)])


def summary(graphs: tuple[Graph, ...]) -> str:
    """How many graphs and kernels there are; a step is one graph, so it has no breaks."""
    if not graphs:
        return "torch.compile compiled nothing"
    kernels = sum(len(graph.kernels) for graph in graphs)
    again = len(graphs) - len({graph.step for graph in graphs})
    return (
        f"compiled: graphs: {len(graphs)} (recompilations: {again}), kernels: {kernels}, "
        "graph breaks: 0 (a step is compiled as one graph, or runs in NumPy)"
    )


def heading(graph: Graph) -> str:
    """The step of a graph, its iterations, and when it was compiled."""
    count = "1 iteration" if graph.iterations == 1 else f"{graph.iterations} iterations"
    return f"`{graph.step}`, {count} a call, compiled in {graph.seconds:.1f} s at call {graph.call}"


def fusion(graph: Graph) -> str:
    return f"{len(graph.operations)} operations before fusion, {len(graph.fused)} after it"


def _graph(explanation: Explanation, number: int, graph: Graph) -> str:
    lines = [f"graph {number}: {heading(graph)}", f"{_INDENT}because: {graph.because}"]
    lines.append(f"{_INDENT}arguments (any: an axis of any length):")
    lines += [f"{_INDENT * 2}{argument}" for argument in graph.arguments]
    if graph.guards:
        lines += [f"{_INDENT}guards:", *(f"{_INDENT * 2}{guard}" for guard in graph.guards)]
    lines.append(f"{_INDENT}fusion: {fusion(graph)}")
    for kernel in graph.kernels:
        lines += _kernel(explanation, kernel)
    return "\n".join(lines)


def _kernel(explanation: Explanation, kernel: Kernel) -> Iterator[str]:
    yield f"{_INDENT}kernel {kernel.name}{'' if kernel.code else ' (of a library)'}, of the lines"
    source = explanation.rewriting.source.splitlines()
    users = dict.fromkeys(explanation.user_line(line) for line in kernel.lines)
    for line in sorted(line for line in users if line is not None):
        yield f"{_INDENT * 2}{line:>5}  {source[line - 1].strip()}"
    if not kernel.code:
        return
    yield f"{_INDENT}its code, with the line that each statement computes"
    for each in kernel.code:
        number = explanation.user_line(each.line)
        yield f"{_INDENT * 2}{number if number is not None else '':>5}  {each.text}".rstrip()


def _profile(explanation: Explanation, profile: Profile) -> str:
    source = explanation.rewriting.source.splitlines()
    lines = [
        f"where the time went as written: {profile.seconds:.3g} s, with the profiler",
        f"{_INDENT}line       hits    seconds  share",
    ]
    for each in profile.lines:
        share = each.seconds / profile.seconds if profile.seconds else 0.0
        numbers = f"{each.line:>4} {each.hits:>10} {each.seconds:>10.3g}  {share:>5.0%}"
        lines.append(f"{_INDENT}{numbers}  {source[each.line - 1]}")
    return "\n".join(lines)


def bare_summary(bare: Bare) -> str:
    """How many graphs, operations, breaks and recompilations there are."""
    return (
        f"as written, under torch.compile alone: graphs: {len(bare.graphs)}, "
        f"operations: {sum(bare.graphs)}, graph breaks: {len(bare.breaks)}, "
        f"recompilations: {len(bare.recompilations)}"
    )


def _bare(bare: Bare) -> str:
    breaks = [f"{_INDENT}break at {each.place}: {each.reason}" for each in bare.breaks]
    recompiled = [f"{_INDENT}recompiled: {each}" for each in bare.recompilations]
    return "\n".join([bare_summary(bare), *breaks, *recompiled])
