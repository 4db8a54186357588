"""Draw docs/images/before-after.png: a loop before and after `nprewrite FILE`, and the time of each.

    python docs/picture.py

The code is what the command makes of examples/mandelbrot.py; the times are those of docs/measured/index.md.
"""

from __future__ import annotations

import re
import subprocess
import sys
import textwrap
from pathlib import Path
from tempfile import TemporaryDirectory

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure

ROOT = Path(__file__).resolve().parents[1]
IMAGES = ROOT / "docs" / "images"
sys.path.insert(0, str(ROOT / "examples"))

import demo  # noqa: E402 (found through the path above)

BEFORE, AFTER = "#c44e52", "#2a7f62"


def lines(path: Path, first: str, last: str) -> str:
    """The text of a file from the line that starts with ``first`` to the one that starts with ``last``."""
    text = path.read_text(encoding="utf-8").splitlines()
    start = next(at for at, line in enumerate(text) if line.strip().startswith(first))
    end = next(at for at, line in enumerate(text) if at >= start and line.strip().startswith(last))
    return textwrap.dedent("\n".join(text[start : end + 1]))


def measured() -> tuple[dict[str, float], str]:
    """Seconds of each side, and the machine, from the table of `make bench` on the page of measurements."""
    page = (ROOT / "docs" / "measured" / "index.md").read_text(encoding="utf-8")
    sides = {"before": "NumPy as written", "after": "rewritten"}
    rows = {
        name: re.search(rf"^\| {side} \| ([\d.]+) ms", page, re.MULTILINE) for name, side in sides.items()
    }
    machine = re.search(r"\d+ cores of an [^,]+(?:,[^,]+)*?, otherwise idle", page)
    times = {name: float(row[1]) / 1e3 for name, row in rows.items() if row}
    if len(times) != len(sides) or machine is None:
        raise SystemExit("docs/measured/index.md has no table of the Mandelbrot program")
    return times, machine[0]


def code(axes: Axes, title: str, colour: str, text: str) -> None:
    """A box of program text."""
    axes.set_axis_off()
    axes.set_title(title, loc="left", color=colour, fontsize=11, fontweight="bold")
    axes.text(
        0.0,
        0.98,
        text,
        family="monospace",
        fontsize=8,
        va="top",
        linespacing=1.3,
        transform=axes.transAxes,
        bbox={"boxstyle": "round,pad=0.7", "facecolor": "#f6f8fa", "edgecolor": "#d0d7de"},
    )


def bars(axes: Axes, times: dict[str, float], machine: str) -> None:
    """One bar for each side, with its time beside it."""
    names, seconds = list(times), list(times.values())
    axes.barh(names, [each * 1e3 for each in seconds], color=[BEFORE, AFTER], height=0.55)
    for at, each in enumerate(seconds):
        axes.text((each + 0.015 * max(seconds)) * 1e3, at, f"{each * 1e3:.0f} ms", va="center", fontsize=10)
    axes.invert_yaxis()
    axes.set_xlim(0, max(seconds) * 1e3 * 1.2)
    axes.set_xticks([])
    axes.spines[["top", "right", "bottom"]].set_visible(False)
    axes.tick_params(labelsize=10, length=0)
    axes.set_title(
        f"time of a call, 1000 × 833 points, 200 iterations: {seconds[0] / seconds[1]:.1f} ×",
        loc="left",
        fontsize=9,
    )
    axes.set_xlabel(machine, fontsize=6, color="gray", loc="left")


def draw(before: str, after: str, times: dict[str, float], machine: str) -> Figure:
    """Before and the times on the left, after on the right."""
    figure = plt.figure(figsize=(11, 3.6), dpi=130, layout="constrained")
    grid = figure.add_gridspec(2, 2, height_ratios=[1, 1], width_ratios=[1, 1.35])
    code(figure.add_subplot(grid[0, 0]), "before: mandelbrot.py", BEFORE, before)
    bars(figure.add_subplot(grid[1, 0]), times, machine)
    code(figure.add_subplot(grid[:, 1]), "after: nprewrite mandelbrot.py", AFTER, after)
    return figure


def main() -> None:
    IMAGES.mkdir(exist_ok=True)
    original = ROOT / "examples" / "mandelbrot.py"
    with TemporaryDirectory() as folder:
        copy = Path(folder) / "mandelbrot.py"
        copy.write_text(original.read_text(encoding="utf-8"), encoding="utf-8")
        subprocess.run([sys.executable, "-m", "nprewrite", "rewrite", copy], check=True, capture_output=True)
        step = lines(copy, "def _mandelbrot_step", "return Z_re")
        loop = lines(copy, "for n in", "Z[I] =")
    after = f"@npr.step(...)  # what was proved about the loop\n{step}\n\n{loop}"
    draw(lines(original, "for n in", "Z[I] ="), after, *measured()).savefig(IMAGES / "before-after.png")

    program = demo.load(original)
    names = "XMIN", "XMAX", "YMIN", "YMAX", "XN", "YN", "MAXITER", "HORIZON"
    view = [getattr(program, name) for name in names]
    program.visualize(*program.mandelbrot(*view), program.HORIZON, view[:4], IMAGES / "mandelbrot.png")


if __name__ == "__main__":
    main()
