"""The same file and the same options give the same result through every door."""

from __future__ import annotations

import hashlib
import importlib.util
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from loading_tools import DECAY, Command, Python

from nprewrite.config import Chosen, Configurations
from nprewrite.engine.pipeline import rewrite_source
from nprewrite.files.source import decode
from nprewrite.files.work import Settings, rewrite_file
from nprewrite.loading import rewriting

SETTINGS = {
    "none": "",
    "level": 'level = "exact"\n',
    "ignore": 'ignore = ["NPR402"]\n',
    "select": 'select = ["NPR101", "NPR401", "NPR601"]\n',
    "per file": 'per-file-ignores = { "core.*" = ["NPR601"] }\n',
    "verify": 'verify = "first-call"\non-fallback = "raise"\n',
    "fallback": 'on-fallback = "raise"\n',
    "exclude": 'exclude = ["core.*"]\n',
}
HOOKS = Path(__file__).parents[2] / ".pre-commit-hooks.yaml"


@pytest.mark.parametrize("settings", SETTINGS.values(), ids=SETTINGS.keys())
def test_all_doors_make_the_same_text(
    package: Path, python: Python, environment: dict[str, str], command: Command, settings: str
) -> None:
    """The command line, notebooks, pre-commit, the import hook, run, and the functions below them."""
    (package / "pyproject.toml").write_text("[tool.nprewrite]\n" + settings)
    core = package / "waves" / "core.py"
    source = core.read_bytes()

    # In memory, by the functions that the doors share.
    configuration = Configurations(Chosen()).of(str(core))
    choices = configuration.choices(str(core))
    text = rewrite_source(source.decode(), str(core), choices.options()).text
    expected = source if configuration.excludes(str(core)) else text.encode()
    assert rewrite_file(str(core), Settings(choices.options())).after == text.encode()
    assert (rewriting.rewritten(str(core), source, choices).data or source) == text.encode()

    # The import hook, and run, which leave their text in the store.
    names = "import waves.core as c; print(c.decay.__code__.co_names)\n"
    (package / "main.py").write_text(names)
    told = "import nprewrite; nprewrite.install('waves')\n"
    program = f"{told}{names}print(nprewrite.status().modules['waves.core'].file or '')"
    hooked, kept = python(program).stdout.splitlines()
    assert (Path(kept).read_bytes() if kept else source) == expected
    assert _nprewrite(package, environment, "run", "main.py") == f"{hooked}\n"

    # The command line, for a notebook whose only cell is the file too.
    notebook = package / "waves" / "core.ipynb"
    cell = {"cell_type": "code", "metadata": {}, "outputs": [], "source": source.decode()}
    notebook.write_text(json.dumps({"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 4}))
    assert command("waves").code == 0
    assert core.read_bytes() == expected
    assert json.loads(notebook.read_bytes())["cells"][0]["source"] == expected.decode()
    made: dict[str, Any] = {}
    exec(compile(expected, str(core), "exec"), made)
    assert str(made["decay"].__code__.co_names) == hooked

    # The hooks of pre-commit: it hands every file of a commit over by name.
    rewrites, checks = (each.split() for each in re.findall(r"entry: nprewrite (.*)", HOOKS.read_text()))
    assert command(*checks, "waves/core.py", "waves/core.ipynb").code == 0
    core.write_bytes(source)
    assert command(*checks, "waves/core.py").code == (expected != source)
    assert command(*rewrites, "waves/core.py").code == 0
    assert core.read_bytes() == expected


GIVEN = {
    "level": (["--level", "exact"], {"level": "exact"}),
    "ignore": (["--ignore", "NPR402"], {"ignore": ["NPR402"]}),
    "select": (["--select", "NPR101"], {"select": ["NPR101"]}),
    "precision": (["--level", "fast", "--precision", "float32"], {"level": "fast", "precision": "float32"}),
}


@pytest.mark.parametrize(("options", "arguments"), GIVEN.values(), ids=GIVEN.keys())
def test_options_given_by_hand_mean_the_same_at_all_doors(
    package: Path,
    python: Python,
    environment: dict[str, str],
    command: Command,
    options: list[str],
    arguments: dict[str, object],
) -> None:
    """They go before the file at each door; ``verify`` and ``bench`` read theirs as ``explain`` does."""
    (package / "pyproject.toml").write_text('[tool.nprewrite]\nlevel = "rounding"\n')
    core = package / "waves" / "core.py"
    source = core.read_text()
    explained = command("explain", "waves/core.py", "--format", "json", *options).out
    printed = command("-o", "-", "waves/core.py", *options).out
    told = f"import nprewrite; nprewrite.install('waves', **{arguments!r}); import waves.core\n"
    kept = python(told + "print(nprewrite.status().modules['waves.core'].file or '')").stdout.strip()
    entries = set((package.parent / "cache").rglob("core-*.json"))
    (package / "main.py").write_text("import waves.core\n")
    _nprewrite(package, environment, "run", *options, "main.py")
    assert set((package.parent / "cache").rglob("core-*.json")) == entries, "run asked for another text"
    assert json.loads(explained)["rewritten"] == printed
    assert (Path(kept).read_text() if kept else source) == printed
    assert printed != command("-o", "-", "waves/core.py").out


@pytest.mark.parametrize("door", ["rewrite", "run", "explain", "verify", "bench"])
@pytest.mark.parametrize("option", ["--accumulate=float32", "--keep-output-dtype", "--keep-float64=x"])
def test_what_goes_with_a_precision_alone_is_an_error(
    package: Path, environment: dict[str, str], command: Command, door: str, option: str
) -> None:
    calls = ["--call", "decay(3)"] if door in ("verify", "bench") else []
    ran = command(door, option, "waves/core.py", *calls)
    name = option.partition("=")[0].removeprefix("--")
    assert (ran.code, ran.out) == (2, "")
    assert f'{name}: no effect without precision = "float32"' in ran.err
    (package / "pyproject.toml").write_text('[tool.nprewrite]\nlevel = "fast"\nprecision = "float32"\n')
    if door in ("rewrite", "explain"):
        assert command(door, option, "waves/core.py").code == 0
    elif door == "run":
        _nprewrite(package, environment, door, option, "waves/core.py")


def _nprewrite(folder: Path, environment: dict[str, str], *arguments: str) -> str:
    ran = subprocess.run(
        [sys.executable, "-m", "nprewrite", *arguments],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


CELLS = """
import hashlib
from IPython.core.interactiveshell import InteractiveShell
shell = InteractiveShell.instance(colors="nocolor")
CHECK = "assert '_decay_step' in decay.__code__.co_names"
for cell in ("%load_ext nprewrite", '''%%nprewrite\n{decay}''', CHECK):
    shell.run_cell(cell).raise_error()
print(hashlib.sha256(shell.user_ns["decay"](40).tobytes()).hexdigest())
"""


def test_the_doors_give_the_same_numbers(package: Path, python: Python, environment: dict[str, str]) -> None:
    program = "import hashlib, waves\nprint(hashlib.sha256(waves.decay(40).tobytes()).hexdigest())\n"
    (package / "main.py").write_text(program)
    plain = python(program).stdout
    assert len(plain.strip()) == hashlib.sha256().digest_size * 2
    assert _nprewrite(package, environment, "run", "main.py") == plain
    assert python("import nprewrite; nprewrite.install('waves')\n" + program).stdout == plain
    if importlib.util.find_spec("IPython") is not None:
        assert python(CELLS.format(decay=DECAY)).stdout.splitlines()[-1] == plain.strip()
    decorated = DECAY.replace("def decay", "import nprewrite\n\n\n@nprewrite.jit\ndef decay")
    original = (package / "waves" / "core.py").read_text()
    (package / "waves" / "core.py").write_text(decorated)
    assert python(program).stdout == plain
    (package / "waves" / "core.py").write_text(original)
    _nprewrite(package, environment, "waves")
    assert decode((package / "waves" / "core.py").read_bytes()).text != original
    assert python(program).stdout == plain
