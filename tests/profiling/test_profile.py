"""``nprewrite profile``: its first row is the function that a person would pick."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

# Each is long enough for some fifty samples, and the time is where it is by a factor of three and more.
HELPER = """
import numpy as np

def forces(x, g):
    d = x.T - x
    r = np.sqrt(d * d + g)
    r[r > 0.5] = 1.0 / r[r > 0.5]
    return (d * r * np.exp(-r)).sum(axis=1).reshape(-1, 1)

def energy(x):
    return 0.5 * float((x * x).sum())

def main():
    x = np.linspace(0.0, 1.0, 400).reshape(-1, 1)
    kept = np.zeros(60)
    for i in range(60):
        x = x + 0.001 * forces(x, 0.1)
        kept[i] = energy(x)
    print(kept[-1])

if __name__ == "__main__":
    main()
"""

TIME_LOOP = """
import numpy as np

def main():
    u = np.random.default_rng(0).random((500, 500))
    for step in range(60):
        lap = np.roll(u, 1, 0) + np.roll(u, -1, 0) + np.roll(u, 1, 1) + np.roll(u, -1, 1) - 4.0 * u
        u = u + 0.1 * lap * np.exp(-u)
        print(step)

main()
"""

LAYERS = """
import numpy as np

def kernel(d):
    return np.exp(-d * d) * np.sqrt(1.0 + d * d)

def slope(d):
    return np.sin(d) / (1.0 + d * d)

def separations(x):
    return x[:, None] - x[None, :]

def acceleration(x):
    d = separations(x)
    density = kernel(d).sum(axis=1)
    return (slope(d) * density[:, None]).sum(axis=1)

def simulate(n):
    x = np.linspace(0.0, 1.0, 400)
    for _ in range(n):
        x = x - 1e-3 * acceleration(x)
    return x

print(simulate(60).sum())
"""

PASSES_ON = """
import numpy as np

class Field:
    def __init__(self, n):
        self.u = np.linspace(0.0, 1.0, n)

    def smooth(self):
        u = self.u
        return np.exp(-u * u) * np.sqrt(u + 1.0) + np.cos(u) ** 2

    def step(self):
        self.u = self.smooth()

def run(field, n):
    for _ in range(n):
        field.step()

field = Field(300_000)
run(field, 40)
"""

ELEMENTS = """
import numpy as np

def pairs(x):
    total = 0.0
    for i in range(len(x)):
        for j in range(i):
            d = x[i] - x[j]
            if d > 0.25:
                total += d * d
    return total

x = np.linspace(0.0, 1.0, 1400)
print(pairs(x))
"""

COMPREHENSION = """
import numpy as np

def score(x):
    return float((np.exp(-x * x) * np.sin(x) * np.sqrt(x + 1.0)).sum())

def main():
    x = np.linspace(0.0, 1.0, 200_000)
    return max([score(x + 0.01 * k) for k in range(80)])

print(main())
"""

TEXT = """
words = ["alpha", "beta", "gamma"] * 50_000

def count(words):
    found = {}
    for _ in range(8):
        for word in words:
            found[word] = found.get(word, 0) + len(word)
    return found

print(count(words))
"""


def profile(folder: Path, text: str, *options: str) -> tuple[dict[str, Any], str]:
    """The document and what was printed."""
    (folder / "program.py").write_text(text)
    command = [sys.executable, "-m", "nprewrite", "profile", "--json", "out.json", *options, "program.py"]
    ran = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    return json.loads((folder / "out.json").read_text()), ran.stdout


@pytest.mark.parametrize(
    ("text", "first", "loop"),
    [
        (HELPER, "forces", None),
        (TIME_LOOP, "main", "for step in range(60):"),
        (LAYERS, "acceleration", None),
        (PASSES_ON, "Field.smooth", None),
        (ELEMENTS, "pairs", "for j in range(i):"),
        (COMPREHENSION, "score", None),
    ],
    ids=["helper", "time-loop", "layers", "passes-on", "elements", "comprehension"],
)
def test_first_row(tmp_path: Path, text: str, first: str, loop: str | None) -> None:
    found, _ = profile(tmp_path, text)
    row = found["rows"][0]
    assert row["function"] == first
    lines = text.splitlines()
    assert (lines[row["loop"] - 1].strip() if row["loop"] else None) == loop
    assert row["seconds"] > found["seconds"] / 2 or first == "acceleration"


def test_rows_tell_what_would_be_done(tmp_path: Path) -> None:
    found, printed = profile(tmp_path, HELPER)
    forces = found["rows"][0]
    assert forces["calls"] == 60
    assert forces["types"]["x"] == ["float64[2 axes]"]
    assert forces["arrays"] > 0.8
    body = [number for number, line in enumerate(HELPER.splitlines(), 1) if line.startswith("    r[r > 0.5]")]
    assert set(body) <= set(forces["compiled"])
    assert 0 < forces["gain"] < forces["seconds"]
    assert "put @nprewrite.jit above `def forces` in line 4 of program.py" in printed


GLOBALS = """
import numpy as np

U = np.random.default_rng(0).random((400, 400))

def relax():
    return np.exp(-U * U) * np.sin(U) / (1.0 + U)

def change(x):
    x = x + np.sin(x) * np.cos(x)
    return x

for _ in range(60):
    relax()
    change(U)
"""


def test_types_that_a_call_shows_are_no_obstacle(tmp_path: Path) -> None:
    found, _ = profile(tmp_path, GLOBALS)
    rows = {each["function"]: each for each in found["rows"]}
    # What the module's variables are is seen at a call; a parameter is what it was when it was looked at.
    assert rows["relax"]["deferred"] or rows["relax"]["compiled"]
    assert not rows["relax"]["in-the-way"]
    assert rows["change"]["compiled"]


SCRIPT = """
import numpy as np

n = 200_000
x = np.linspace(0, 1, n)
u = np.sin(2 * np.pi * x)
dx = x[1] - x[0]
nu = 0.001
t = 0.0
steps = 0
while steps < 150:
    dt = 0.4 * min(dx / np.abs(u).max(), dx * dx / nu)
    left = np.roll(u, 1)
    right = np.roll(u, -1)
    flux = u * (right - left) / (2 * dx)
    diff = nu * (right - 2 * u + left) / dx ** 2
    u = u + dt * (diff - flux)
    t += dt
    steps += 1
print(t, u.sum(), np.abs(u).max())
"""


def test_what_a_script_becomes_is_decided_while_it_runs(tmp_path: Path) -> None:
    found, printed = profile(tmp_path, SCRIPT)
    assert found["rows"][0]["deferred"]
    assert not found["rows"][0]["in-the-way"]
    assert "To do: nprewrite run program.py" in printed


def test_python_is_no_array_code(tmp_path: Path) -> None:
    found, printed = profile(tmp_path, TEXT)
    assert found["arrays"] < found["seconds"] / 10
    assert "To do: nothing." in printed


def test_refusals_stand_beside_their_lines(tmp_path: Path) -> None:
    # A line on which no time is spent is not in the way.
    slow = "print(step, time.sleep(0.005))"
    program = "import time" + TIME_LOOP.replace("print(step)", slow)
    found, printed = profile(tmp_path, program, "--html", "page.html")
    (refused,) = [each for each in found["rows"][0]["in-the-way"] if "print(step" in each["why"]]
    line = program.splitlines().index(f"        {slow}") + 1
    assert refused["lines"] == [line]
    page = (tmp_path / "page.html").read_text()
    assert f'class="line refused" id="program.py-{line}"' in page
    assert 'class="flame"' in page
    assert "http" not in page
    assert printed.count("\n59 None\n") == 1


def test_program_that_fails(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(TIME_LOOP + "\nraise ValueError('at the end')\n")
    command = [sys.executable, "-m", "nprewrite", "profile", "program.py", "argument"]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert ran.returncode == 1
    assert ran.stderr.strip().endswith("ValueError: at the end")
    assert "nprewrite" not in ran.stderr
    assert "main (line 4), loop in line 6" in ran.stdout


def test_no_such_program(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "nprewrite", "profile", "absent.py"]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert ran.returncode == 2
    assert ran.stderr == "nprewrite profile: error: absent.py cannot be run: no such file\n"
