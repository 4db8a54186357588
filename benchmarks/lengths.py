"""What rewriting costs over the length of a program: time and memory of eight forms of text on two roads.

    python benchmarks/lengths.py [--sizes 625,1250,2500,5000] [--form NAME] [--seconds S]

Each run is a process of its own: its processor seconds, and by how much its peak of memory grew. Of the two
roads, `file` is that of ``nprewrite FILE``, and `call` that of the decorator with the types of a call. The
last column is the exponent of time between the two longest texts: 1 where time grows with the length. A form
ends at the first text that takes longer than ``--seconds``. Exit status 1: an exponent is above the bar.
"""

from __future__ import annotations

import argparse
import math
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from nprewrite.engine.outcomes import Options
from nprewrite.engine.pipeline import rewrite_source
from nprewrite.source.excerpt import excerpt
from nprewrite.types.values import value_of

ROADS = ("file", "call")
EXPONENT = 1.35
"""n log n over the last doubling gives 1.1; the rest is what a busy machine adds."""

HEAD = "import numpy as np\n\n\n"
PARAMETERS = "(x: np.ndarray, y: np.ndarray, z: np.ndarray, k: int)"
BEGIN = f"{HEAD}def f{PARAMETERS}:\n"


def masked(n: int) -> str:
    """Masked stores and selects, as many statements as asked for."""
    return BEGIN + _repeated(n, "x = x * 0.5 + y", "x[x > 0.5] = 0.5", "y = np.where(x > 0.3, y, z)")


def in_place(n: int) -> str:
    """Elementwise statements, in place and not."""
    return BEGIN + _repeated(
        n, "x += y * 0.5", "y = np.sin(x) - z", "z *= 0.9", "w = x - y", "z[1:] += w[1:]"
    )


def one_loop(n: int) -> str:
    """One loop over all statements."""
    body = _repeated(n, "x = x * 0.5 + y", "x[x > 0.5] = 0.5", "y = np.where(x > 0.3, y, z)", indent=8)
    return BEGIN + "    for step in range(k):\n" + body.replace("        return", "    return")


def small_loops(n: int) -> str:
    """Loops of one statement each, one after the other."""
    return BEGIN + _repeated(
        n,
        "for i in range(k):\n        x = x * 0.5 + y",
        "for i in range(x.shape[0]):\n        z[i] = y[i] * 2.0",
    )


def nested_loops(n: int) -> str:
    """Nests of two loops over single elements."""
    nest = (
        "for i in range(1, x.shape[0]):\n        for j in range(k):\n            z[i] = z[i - 1] + x[i] * j"
    )
    return BEGIN + _repeated(n // 3, nest)


def helpers(n: int) -> str:
    """Calls of three functions of the same file, in a loop."""
    made = "".join(
        f"def helper_{each}(a, b):\n    c = a * 0.5\n    return np.tanh(c + b) - {each}\n\n\n"
        for each in range(3)
    )
    calls = _repeated(n, *(f"x = helper_{each}(x, y)" for each in range(3)), indent=8)
    begin = BEGIN.removeprefix(HEAD) + "    for step in range(k):\n"
    return HEAD + made + begin + calls.replace("        return", "    return")


def expressions(n: int) -> str:
    """Sums of up to 2,000 terms."""
    terms = [f"x * {number}.5" if number % 2 else "np.sin(y)" for number in range(n)]
    sums = (" + ".join(terms[start : start + 2000]) for start in range(0, n, 2000))
    return BEGIN + "".join(f"    x = {each}\n" for each in sums) + "    return x\n"


def functions(n: int) -> str:
    """Short functions, each of five lines."""
    lines = ("for i in range(k):", "    x = x * 0.5 + y", "x[x > 1.0] = 0.0", "return x + z")
    body = "".join(f"    {line}\n" for line in lines)
    names = ("f", *(f"f_{number}" for number in range(1, n // 5)))
    return HEAD + "\n\n".join(f"def {name}{PARAMETERS}:\n{body}" for name in names)


FORMS: dict[str, Callable[[int], str]] = {
    each.__name__: each
    for each in (masked, in_place, one_loop, small_loops, nested_loops, helpers, expressions, functions)
}


def _repeated(n: int, *statements: str, indent: int = 4) -> str:
    lines = [statements[number % len(statements)] for number in range(n)]
    return "".join(f"{' ' * indent}{line}\n" for line in lines) + " " * indent + "return x, y, z\n"


def rewrite(text: str, road: str) -> str:
    """The text rewritten on one of the two roads."""
    if road == "file":
        return rewrite_source(text, "program.py", Options()).text
    arguments = {"x": np.ones(5), "y": np.ones(5), "z": np.ones(5), "k": 3}
    types = {name: value_of(value, name) for name, value in arguments.items()}
    given = {name: value for name, value in types.items() if value is not None}
    return rewrite_source(excerpt(text, "f"), "program.py", Options(), {"f": given}, only="f").text


@dataclass(frozen=True)
class Cost:
    """Processor seconds of one rewriting, and by how many MB the peak of memory grew."""

    seconds: float
    memory: float


def measured(form: str, road: str, size: int) -> Cost:
    """What it costs, in this process, which has rewritten a short text of the form before."""
    text = FORMS[form](size)
    rewrite(FORMS[form](10), road)
    before, start = _peak(), time.process_time()
    rewrite(text, road)
    return Cost(time.process_time() - start, _peak() - before)


def _peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def costs(form: str, road: str, sizes: Sequence[int], seconds: float) -> Iterator[Cost]:
    """The cost of each length, each in a process of its own, up to the first that takes longer than asked."""
    for size in sizes:
        command = [sys.executable, "-W", "ignore", __file__, "--form", form, "--one", road, str(size)]
        answer = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
        yield Cost(*map(float, answer))
        if float(answer[0]) > seconds:
            return


def main() -> None:
    """Print a row for each form and road."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--sizes", default="625,1250,2500,5000")
    parser.add_argument("--form", choices=FORMS, action="append")
    parser.add_argument("--seconds", type=float, default=120.0)
    parser.add_argument("--one", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one is not None:
        cost = measured(options.form[0], options.one[0], int(options.one[1]))
        print(cost.seconds, cost.memory)
        return
    sizes = [int(each) for each in options.sizes.split(",")]
    print(
        f"{'form':<14}{'road':<6}" + "".join(f"{f'{size} statements':>22}" for size in sizes) + "  exponent"
    )
    exponents = [_row(form, road, sizes, options.seconds) for form in options.form or FORMS for road in ROADS]
    sys.exit(max(exponents) > EXPONENT)


def _row(form: str, road: str, sizes: Sequence[int], seconds: float) -> float:
    print(f"{form:<14}{road:<6}", end="", flush=True)
    found: list[Cost] = []
    for cost in costs(form, road, sizes, seconds):
        found.append(cost)
        print(f"{f'{cost.seconds:.2f} s {cost.memory:.0f} MB':>22}", end="", flush=True)
    last = found[-2:]
    grown = math.log(last[-1].seconds / last[0].seconds) if len(found) == len(sizes) > 1 else math.inf
    exponent = grown / math.log(sizes[-1] / sizes[-2])
    print(f"{exponent:>10.2f}")
    return exponent


if __name__ == "__main__":
    main()
