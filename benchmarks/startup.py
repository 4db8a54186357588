"""What starting the command costs.

    python benchmarks/startup.py [--rounds N]

The commands take turns, each in a process of its own: ``nprewrite --help``, ``nprewrite --check`` on a file
of 500 lines with nothing to do, without NumPy and with it, and on a folder of 2,000 files without NumPy; an
empty Python beside them. Printed are medians and quartiles, and the bars. Exit status 1: a median is over
its bar, a file had something to do, or a command imported torch.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import measure
from measure import Spread

LINES = 500
FILES = 2_000
LINES_EACH = 100
PLAIN = '''\
def total_{number}(prices, rate=0.25):
    """The sum of the prices with tax."""
    result = 0.0
    for price in prices:
        result += price * (1.0 + rate)
    return result


'''
ARRAYS = '''\
def smoothed_{number}(field, weight=0.25):
    """The field, each cell mixed with the one before it."""
    padded = np.concatenate([field[:1], field])
    low, high = np.percentile(field, [5, 95])
    mixed = (1.0 - weight) * padded[1:] + weight * padded[:-1]
    return np.clip(mixed, low, high)


'''
TORCH = "import sys\nfrom nprewrite.cli import main\nmain(sys.argv[1:])\nsys.exit('torch' in sys.modules)\n"


@dataclass(frozen=True)
class Command:
    """A command line of Python, and the bar for the median of its time in seconds."""

    arguments: tuple[str, ...]
    bar: float | None = None

    def run(self) -> None:
        """Run it; raises CalledProcessError where it fails, or has something to do."""
        subprocess.run([sys.executable, *self.arguments], check=True, capture_output=True)

    def imports_torch(self) -> bool:
        """Whether torch is imported when the command is done."""
        words = [sys.executable, "-c", TORCH, *self.arguments[2:]]
        return subprocess.run(words, check=False, capture_output=True).returncode != 0


def keep_compiled_files(folder: Path) -> None:
    """Let the processes find their modules compiled, as in an installation, whatever this one was told."""
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    os.environ["PYTHONPYCACHEPREFIX"] = str(folder / "compiled")


def commands(folder: Path) -> dict[str, Command]:
    """The commands by what they are, with the files that they read made in ``folder``."""
    plain, arrays, tree = folder / "plain.py", folder / "arrays.py", folder / "tree"
    plain.write_text(module(PLAIN, LINES))
    arrays.write_text("import numpy as np\n\n\n" + module(ARRAYS, LINES))
    tree.mkdir()
    for number in range(FILES):
        (tree / f"module_{number}.py").write_text(module(PLAIN, LINES_EACH))
    ours = ("-m", "nprewrite")
    return {
        "an empty Python": Command(("-c", "pass")),
        "nprewrite --help": Command((*ours, "--help"), 0.25),
        f"{LINES} lines without NumPy": Command((*ours, "--check", str(plain)), 0.6),
        f"{LINES} lines with NumPy": Command((*ours, "--check", str(arrays)), 0.6),
        f"{FILES:,} files without NumPy": Command((*ours, "--check", str(tree)), 5.0),
    }


def module(text: str, lines: int) -> str:
    """A module of at least so many lines."""
    count = lines // text.count("\n") + 1
    return "".join(text.format(number=number) for number in range(count))


def main() -> int:
    parser = argparse.ArgumentParser(description="Measure the start of the command.")
    parser.add_argument("--rounds", type=int, default=10, metavar="N", help="default: 10")
    rounds: int = parser.parse_args().rounds
    print(", ".join(f"{name} {value}" for name, value in measure.machine().items()))
    with tempfile.TemporaryDirectory(prefix="nprewrite-startup-") as folder:
        keep_compiled_files(Path(folder))
        every = commands(Path(folder))
        for command in every.values():
            command.run()  # Fills the disk's cache, and compiles the modules.
        times = measure.alternate(every, rounds, lambda *_: None, lambda each: measure.seconds(each.run))
        torch = [name for name, command in every.items() if command.bar and command.imports_torch()]
    missed = False
    print(f"{'':<28}{'median':>12}  {'quartiles':<18}{'bar':>8}")
    for name, command in every.items():
        spread = Spread.of(times[name])
        missed |= command.bar is not None and spread.median > command.bar
        bar = f"{command.bar * 1e3:.0f} ms" if command.bar else "–"
        print(f"{name:<28}{spread.milliseconds():<32}{bar:>8}")
    print(f"import torch: {', '.join(torch) or 'none'}; {rounds} rounds")
    return int(missed or bool(torch))


if __name__ == "__main__":
    sys.exit(main())
