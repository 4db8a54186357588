"""Programs on a GPU against NumPy on its host: k-means, Mandelbrot, Kuramoto, and loops of small steps.

    python benchmarks/gpu.py [PROGRAM...] [--device cpu --small] [--json FILE] [--markdown FILE]

Sides, in turns within one run: NumPy as written on the host; nprewrite with tensors that lie on the device
and stay there; for k-means also NumPy arrays in and out; for the small steps also torch.compile's modes
"reduce-overhead" (CUDA graphs) and "max-autotune". Each program runs in a process of its own. Results are
compared with NumPy's, graphs compiled in the rounds are counted, and copies, by the report and by the driver.
NumPy takes about 2 s for one call of k-means, 20 s for Mandelbrot and 100 s for Kuramoto in float64, and
every program has at least three rounds and a call before them: name one program at a time where time is
short. Mandelbrot needs 4 GB of memory, Kuramoto 2 GB.

What a machine must have: Python 3.11 to 3.13, NumPy 2, torch 2.11 or later with CUDA and Triton, a C compiler
for Triton. nprewrite needs no installation, nor any other package, where ``PYTHONPATH`` names ``src``.
Without a GPU, ``--device cpu --small`` runs all of it at a size at which the figures mean nothing.

Exit status 1: a result is wrong, or a program ended in an error; 2: there is no such device.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import measure
from measure import Told

from nprewrite.benching.table import duration

CHILD = Path(__file__).with_name("gpu_child.py")
PROGRAMS = ("kmeans", "mandelbrot", "kuramoto", "kuramoto-float32", "small-kuramoto", "small-jacobi")
NUMPY = "NumPy"


def machine(device: str) -> dict[str, str]:
    """The host, and the GPU with its driver."""
    found = measure.machine()
    if not device.startswith("cuda"):
        return found
    import torch

    properties = torch.cuda.get_device_properties(torch.device(device))
    return found | {
        "gpu": f"{properties.name}, {properties.total_memory / 2**30:.0f} GiB",
        "driver": _driver(),
        "cuda": str(torch.version.cuda),
    }


def _driver() -> str:
    command = ["nvidia-smi", "--query-gpu=driver_version", "--format=csv,noheader"]
    try:
        ran = subprocess.run(command, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    return ran.stdout.splitlines()[0]


def missing(device: str) -> str:
    """Why there is no such device; empty where there is one."""
    if not device.startswith("cuda"):
        return ""
    import torch

    if torch.cuda.is_available():
        return ""
    why = "this build of torch has no CUDA" if torch.version.cuda is None else "torch finds no CUDA device"
    return f"{why}, which the benchmark needs; `--device cpu --small` runs the same road on the processor"


def times(told: Mapping[str, Told]) -> Iterator[str]:
    """The table of times: a row for each side of each program."""
    yield "| program | side | median (quartiles) | rounds | times NumPy | first call | wanted |"
    yield "|---|---|---|---|---|---|---|"
    for name, each in told.items():
        if not each.figures:
            yield f"| {name} | not measured: {each.why} | | | | | |"
            continue
        what, bars = each.figures["what"], each.figures["bars"]
        for side, found in each.figures["sides"].items():
            ratio = found.get("ratio")
            cells = [what, side, _quartiles(found), str(found["count"])]
            cells += ["1", "", ""] if ratio is None else [_times(ratio), duration(found["first_call"])]
            if ratio is not None:
                cells.append(_wanted(ratio["median"], bars.get(side)))
            yield f"| {' | '.join(cells)} |"
            what = ""


def _quartiles(found: Mapping[str, float]) -> str:
    return f"{duration(found['median'])} ({duration(found['lower'])} to {duration(found['upper'])})"


def _times(ratio: Mapping[str, float]) -> str:
    return f"{ratio['median']:.3g} × ({ratio['lower']:.3g} to {ratio['upper']:.3g})"


def _wanted(ratio: float, bar: float | None) -> str:
    if bar is None:
        return ""
    return f"≥ {bar:g} ×: {'reached' if ratio >= bar else '**missed**'}"


def checks(told: Mapping[str, Told]) -> Iterator[tuple[str, bool]]:
    """What must hold whatever the times are, in words, and whether it does."""
    for each in told.values():
        if not each.figures:
            continue
        figures = each.figures
        yield (
            f"{figures['what']}: {figures['graphs_in_rounds']} graphs compiled in the rounds",
            not figures["graphs_in_rounds"],
        )
        for side, found in figures["sides"].items():
            if side != NUMPY:
                yield from _checks_of(f"{figures['what']}, {side}", found, figures)


def _checks_of(who: str, found: Mapping[str, Any], figures: Mapping[str, Any]) -> Iterator[tuple[str, bool]]:
    limit, reads = figures["limit"], figures["reads"]
    yield f"{who}: error {found['error']:.2g}, at most {limit:g}", found["error"] <= limit
    yield f"{who}: {'' if found['compiled'] else 'not '}compiled", found["compiled"]
    copied, seen = found["copied"], found["memcpy"]
    yield (
        f"{who}: {copied['bytes_there']:,} bytes there, {copied['bytes_back']:,} bytes back, "
        f"{copied['values']} values read, {reads} at most",
        copied["values"] <= reads,
    )
    if seen is not None:
        back = sum(count for kind, count in seen.items() if "DtoH" in kind)
        # An array that comes back as a whole is one copy.
        allowed = reads + (copied["bytes_back"] > copied["values"])
        words = ", ".join(f"{count} x {kind}" for kind, count in seen.items()) or "no copies"
        yield f"{who}: the driver says {words}", back <= allowed
    if found["graphs_skipped"]:
        yield f"{who}: torch.compile made no CUDA graphs", seen is None


def main() -> int:
    parser = argparse.ArgumentParser(description="Measure programs on a GPU against NumPy on its host.")
    parser.add_argument("programs", nargs="*", metavar="PROGRAM", help=f"of: {', '.join(PROGRAMS)}")
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--small", action="store_true", help="a quick run, whose figures mean nothing")
    parser.add_argument("--seconds", type=float, default=60, help="of NumPy, for each program (default: 60)")
    parser.add_argument("--limit", type=float, default=1200, help="seconds for each program (default: 1200)")
    parser.add_argument("--json", metavar="FILE", type=Path, help="write every figure here as well")
    parser.add_argument("--markdown", metavar="FILE", type=Path, help="write the report here as well")
    given = parser.parse_args()
    unknown = sorted(set(given.programs) - set(PROGRAMS))
    if unknown:
        parser.error(f"no program {', '.join(unknown)}; there are: {', '.join(PROGRAMS)}")
    why = missing(given.device)
    if why:
        print(f"gpu.py: {why}", file=sys.stderr)
        return 2
    options = ["--device", given.device, "--seconds", str(given.seconds), *(["--small"] * given.small)]
    told = {}
    for name in given.programs or PROGRAMS:
        print(name, file=sys.stderr, flush=True)
        told[name] = measure.limited_child(CHILD, name, *options, limit=given.limit)
        if told[name].why:
            print(f"  {told[name].why}", file=sys.stderr, flush=True)
    host = machine(given.device)
    found = [*checks(told)]
    lines = [", ".join(f"{name} {value}" for name, value in host.items()), "", *times(told), ""]
    lines += [f"- {'ok' if met else '**NOT**'}: {words}" for words, met in found]
    print("\n".join(lines))
    if given.markdown:
        given.markdown.write_text("\n".join(lines) + "\n", encoding="utf-8")
    if given.json:
        programs = {name: each.figures or {"why": each.why} for name, each in told.items()}
        document = {"machine": host, "device": given.device, "small": given.small, "programs": programs}
        given.json.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
    return int(not all(met for _, met in found) or any(each.why for each in told.values()))


if __name__ == "__main__":
    sys.exit(main())
