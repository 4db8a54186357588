"""Every figure of the four documents that this project starts from, beside those of this machine and ours.

    python benchmarks/seeds.py [--small] [--limit SECONDS] [--json FILE] [GROUP]

For each figure: what the document says of its machine, the same program run here in the document's way, and
what nprewrite makes of it. What is not measured has its reason. ``--small`` runs everything at a size at
which the figures mean nothing. A group that takes longer than ``--limit`` is ended. Exit status 1: a group
ended in an error.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import measure
from measure import Told

from nprewrite.benching.table import duration

CHILD = Path(__file__).with_name("seed_child.py")
ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
_WIDTH = 19
NO_GPU = "not measured: a figure of a GPU, for which there is benchmarks/gpu.py"

DOCUMENTS = {
    1: "1. Mandelbrot tutorial for torch.compile",
    2: "2. Compiling NumPy code into C++ or CUDA via torch.compile (AMD 3970X, 32 cores)",
    3: "3. Torch compile, dissected (RTX 4060; here on the processor)",
    4: "4. Build You a NumPy (a laptop; Kuramoto on a lattice)",
}


@dataclass(frozen=True)
class Figure:
    """A figure of a document: what it is of, as the document has it; the sides of a group beside it.

    ``here`` is the document's way on this machine, ``ours`` nprewrite's. ``against`` is the side whose time
    a figure is a ratio to. Without a group, ``here`` is the reason.
    """

    document: int
    what: str
    says: str
    group: str
    here: str
    ours: str = ""
    against: str = ""


FIGURES = (
    Figure(1, "NumPy as written, 1000 x 833, 200 iterations", "1.526 s", "mandelbrot", "numpy", "rewritten"),
    Figure(1, "step 1, masks", "fails: dynamic shape operator: aten.nonzero", "step-1", "step"),
    Figure(1, "step 2, selects of complex numbers, 10 iterations", "ended by hand", "step-2", "step"),
    Figure(
        1, "step 3, trailing axis of 2, a Python counter", "fails: cache_size_limit reached", "step-3", "step"
    ),
    Figure(1, "step 4, ten iterations a call", "0.3246 s", "mandelbrot", "tutorial", "rewritten"),
    Figure(1, "step 4 against NumPy", "4.70 ×", "mandelbrot", "tutorial", "rewritten", "numpy"),
    Figure(1, "on CUDA", "no figure", "", NO_GPU),
    Figure(2, "k-means, NumPy, 2 x 10 M points", "1.26 s", "kmeans", "numpy", "rewritten"),
    Figure(2, "compiled, one thread", "9 ×", "kmeans-one-thread", "torch.compile", "rewritten", "numpy"),
    Figure(2, "compiled, all cores", "57 × on 32 cores", "kmeans", "torch.compile", "rewritten", "numpy"),
    Figure(2, "NumPy in float32", "1.09 ×", "kmeans", "numpy float32", "", "numpy"),
    Figure(2, "CUDA, RTX 2060", "8 ×", "", NO_GPU),
    Figure(2, "CUDA, float32", "11 ×", "", NO_GPU),
    Figure(2, "CUDA, float32, tensors stay on the device", "200 ×", "", NO_GPU),
    Figure(3, "softmax(x @ y), 100 x 100, eager", "17.3 µs", "softmax", "eager", "rewritten"),
    Figure(3, "compiled", "44.6 µs", "softmax", "torch.compile", "rewritten"),
    Figure(3, "compiled against eager", "0.388 ×", "softmax", "torch.compile", "rewritten", "eager"),
    Figure(
        3, "first call, compiled", "0.876 s", "softmax", "torch.compile, first call", "rewritten, first call"
    ),
    Figure(3, "the same in NumPy", "no figure", "softmax", "numpy", "rewritten"),
    Figure(4, "naive, N=100, T=10 (under a line profiler)", "5.82 s", "naive", "naive", "naive, rewritten"),
    Figure(4, "NumPy, N=100, T=10 (profiled)", "32.7 ms", "naive", "numpy", "rewritten"),
    Figure(4, "data locality: a loop over 1000 elements", "53.4 µs", "locality", "loop", "rewritten"),
    Figure(4, "data locality: one store", "332 ns", "locality", "store", "rewritten"),
    Figure(4, "matrix sum in C++ (float32, 1000 x 1000 here)", "no figure", "matrix-sum", "C++", "rewritten"),
    Figure(4, "NumPy, N=200, T=100 (profiled)", "0.999 s", "fused", "numpy", "rewritten"),
    Figure(4, "C++, loops fused, N=200, T=100 (profiled)", "0.740 s", "fused", "C++", "rewritten"),
    Figure(4, "NumPy, N=100, T=1000", "2.540 s", "steps", "numpy", "rewritten"),
    Figure(4, "C++, N=100, T=1000", "1.887 s", "steps", "C++", "rewritten"),
    Figure(4, "C++ with x for sin(x)", "0.215 s", "steps", "C++, linear", "rewritten, linear"),
    Figure(4, "C++ in float32", "1.662 s", "steps", "C++, float32", "rewritten, float32"),
    Figure(4, "NumPy on the second laptop (2 cores, 4 threads)", "6.467 s", "steps", "numpy", "rewritten"),
    Figure(4, "C++ on it", "5.356 s", "steps", "C++", "rewritten"),
    Figure(4, "C++ with OpenMP on it", "3.109 s", "steps", "C++, parallel", "rewritten"),
)
GROUPS = tuple(dict.fromkeys(figure.group for figure in FIGURES if figure.group))


def measured(group: str, limit: float, *, small: bool) -> Told:
    """What the child of a group tells, with caches of its own."""
    options = ["--small"] if small else []
    with tempfile.TemporaryDirectory(prefix="nprewrite-seeds-") as caches:
        homes = ("TORCHINDUCTOR_CACHE_DIR", "XDG_CACHE_HOME", "NPREWRITE_CACHE_DIR", "NUMBA_CACHE_DIR")
        environment = dict.fromkeys(homes, caches)
        if group.endswith("one-thread"):
            environment |= ONE_THREAD
        return measure.limited_child(CHILD, group, *options, limit=limit, environment=environment)


def cell(figure: Figure, side: str, told: dict[str, Told]) -> str:
    """The figure of one side, or why there is none."""
    if not figure.group:
        return side if side == figure.here else ""
    if not side:
        return ""
    group = told.get(figure.group)
    if group is None:
        return "not asked for"
    found = group.figures.get(side, {"why": group.why})
    if "fails" in found:
        return f"fails: {_reason(found['fails'])}"
    if "why" in found:
        return f"not measured: {_reason(found['why'])}"
    if not figure.against:
        return duration(found["median"])
    return f"{group.figures[figure.against]['median'] / found['median']:.3g} ×"


def _reason(text: str) -> str:
    """The first line of a message that says something, without paths."""
    lines = [line.strip() for line in text.splitlines() if line.strip()] or ["no message"]
    return re.sub(r"\s+", " ", lines[0])[:120]


def rows(told: dict[str, Told]) -> Iterator[str]:
    """The table, document by document."""
    document = 0
    for figure in FIGURES:
        if figure.document != document:
            document = figure.document
            yield f"\n{DOCUMENTS[document]}"
            yield f"  {'':52}{'the document':>{_WIDTH}}{'here':>{_WIDTH}}{'nprewrite':>{_WIDTH}}"
        here, ours = (cell(figure, side, told) for side in (figure.here, figure.ours))
        if max(len(words) for words in (figure.says, here, ours)) <= _WIDTH:
            yield f"  {figure.what:52}{figure.says:>{_WIDTH}}{here:>{_WIDTH}}{ours:>{_WIDTH}}"
            continue
        yield f"  {figure.what}"
        said = {"the document": figure.says, "here": here, "nprewrite": ours}
        yield from (f"      {who}: {words}" for who, words in said.items() if words)


def to_json(told: dict[str, Told]) -> dict[str, Any]:
    """The same as data: a list of figures, and all that the groups told."""
    return {
        "machine": measure.machine(),
        "figures": [
            {
                "document": DOCUMENTS[figure.document],
                "what": figure.what,
                "says": figure.says,
                "here": cell(figure, figure.here, told),
                "nprewrite": cell(figure, figure.ours, told),
            }
            for figure in FIGURES
        ],
        "groups": {group: each.figures for group, each in told.items()},
    }


def main() -> int:
    parser = argparse.ArgumentParser(description="The figures of four documents, beside ours.")
    parser.add_argument("groups", nargs="*", metavar="GROUP", help=f"only these of: {', '.join(GROUPS)}")
    parser.add_argument("--small", action="store_true", help="a quick run, whose figures mean nothing")
    parser.add_argument("--limit", type=float, default=300, help="seconds for each group (default: 300)")
    parser.add_argument("--json", metavar="FILE", type=Path, help="write every figure here as well")
    arguments = parser.parse_args()
    unknown = sorted(set(arguments.groups) - set(GROUPS))
    if unknown:
        parser.error(f"no group {', '.join(unknown)}; there are: {', '.join(GROUPS)}")
    told = {}
    for group in arguments.groups or GROUPS:
        print(group, file=sys.stderr, flush=True)
        told[group] = measured(group, arguments.limit, small=arguments.small)
        if told[group].why:
            print(f"  {told[group].why}", file=sys.stderr, flush=True)
    print(", ".join(f"{name} {value}" for name, value in measure.machine().items()))
    print("\n".join(rows(told)))
    if arguments.json:
        arguments.json.write_text(json.dumps(to_json(told), indent=1) + "\n", encoding="utf-8")
    return int(any(each.why.startswith("error") for each in told.values()))


if __name__ == "__main__":
    sys.exit(main())
