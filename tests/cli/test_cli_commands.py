"""``nprewrite cache``, ``completion`` and ``doctor``."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import Run

from nprewrite.cli import doctor
from nprewrite.cli.command import COMMANDS


@pytest.fixture
def cache(work: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("NPREWRITE_CACHE_DIR", str(work / "cache"))
    return work / "cache"


def test_the_cache_is_shown_and_cleared(cache: Path, run: Run) -> None:
    files = {
        "modules/a-1.py": 600_000,
        "modules/a-1.json": 500_000,
        "functions/main-2.json": 0,
        "rewritten/a-3.py": 0,
        "graphs/4.so": 70_000,
        "graphs/4.json": 0,
        "native/loop_1.py": 0,
        "native/__pycache__/loop_1.lowered-5.py311.nbi": 0,
        "native/loop_1.c": 0,
        "modules/deep/other.bin": 0,
        "inductor/ab/c.cpp": 0,
        "turns.json": 0,
        "theirs.txt": 0,
    }
    for name, size in files.items():
        (cache / name).parent.mkdir(parents=True, exist_ok=True)
        (cache / name).write_bytes(b"x" * size)
    kinds = """\
  rewritten modules: 3 files, 1.1 MB
  rewritten functions: 2 files, 0.0 kB
  compiled steps: 2 files, 70.0 kB
  native loops: 3 files, 0.0 kB
  what the compiler of steps keeps: 1 file, 0.0 kB
  what was measured: 1 file, 0.0 kB
"""
    assert run("cache").out == f"{cache}: 12 files, 1.2 MB\n{kinds}"
    assert run("cache", "--clear").out == f"{cache}: 12 files, 1.2 MB removed\n{kinds}"
    assert [path.name for path in cache.rglob("*") if path.is_file()] == ["theirs.txt"]
    assert not [*cache.glob("*/*")]
    assert run("cache").out == f"{cache}: 0 files, 0.0 kB\n"


def test_a_cache_that_cannot_be_made(work: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    (work / "file").write_text("")
    monkeypatch.setenv("NPREWRITE_CACHE_DIR", str(work / "file" / "cache"))
    ran = run("cache")
    assert ran.code == 2
    assert ran.err.startswith(f"nprewrite cache: error: {work}/file")


def _complete(shell: str, words: str) -> set[str]:
    """What the shell offers for the last of the words, by the script that the command prints."""
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed")
    folder = Path("bin")
    folder.mkdir(exist_ok=True)
    command = folder / "nprewrite"
    command.write_text(f"#!/bin/sh\nexec '{sys.executable}' -m nprewrite \"$@\"\n")
    command.chmod(0o755)
    program = {"bash": _OF_BASH, "fish": _OF_FISH}[shell].replace("@WORDS@", words)
    environment = {**os.environ, "PATH": f"{folder.resolve()}{os.pathsep}{os.environ['PATH']}"}
    ran = subprocess.run([shell, "-c", program], capture_output=True, text=True, env=environment, check=False)
    assert ran.stderr == ""
    return {line.split("\t")[0] for line in ran.stdout.splitlines()}


# COMP_WORDS as the shell would set it when the last word is being completed.
_OF_BASH = """
eval "$(nprewrite completion bash)"
complete() { true; }
compopt() { COMPREPLY+=(FILES); }
COMP_WORDS=(nprewrite @WORDS@)
[[ "@WORDS@" == *' ' || -z "@WORDS@" ]] && COMP_WORDS+=('')
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
_nprewrite_completion nprewrite "${COMP_WORDS[$COMP_CWORD]}"
printf '%s\\n' "${COMPREPLY[@]}"
"""
_OF_FISH = """
nprewrite completion fish | source
complete -C 'nprewrite @WORDS@'
"""


@pytest.mark.parametrize("shell", ["bash", "fish"])
def test_completion(work: Path, shell: str) -> None:
    (work / "runner.py").write_text("")
    assert set(COMMANDS) <= _complete(shell, "")
    assert "run" in _complete(shell, "run")
    assert _complete(shell, "runn") == {"FILES" if shell == "bash" else "runner.py"}
    assert _complete(shell, "--show") == {"--show-settings"}
    of_run = _complete(shell, "run --")
    assert {"--package", "--level"} <= of_run
    assert "--diff" not in of_run
    assert _complete(shell, "--level ") == {"exact", "rounding", "fast"}
    assert _complete(shell, "cache --c") == {"--clear"}
    assert _complete(shell, "--diff --sh") == {"--show-settings"}
    assert _complete(shell, "completion ") == {"bash", "zsh", "fish"}


def test_completion_for_zsh_loads(run: Run) -> None:
    if shutil.which("zsh") is None:
        pytest.skip("zsh is not installed")
    script = run("completion", "zsh").out
    program = f"autoload -Uz compinit && compinit -D -u\n{script}\nprint $_comps[nprewrite]"
    ran = subprocess.run(["zsh", "-f", "-c", program], capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stderr, ran.stdout) == (0, "", "_nprewrite_completion\n")


def test_the_doctor_finds_what_is_there(cache: Path, run: Run) -> None:
    pytest.importorskip("torch")
    ran = run("doctor")
    lines = {line[8:20].strip(): line for line in ran.out.splitlines()}
    assert ran.code == 0
    assert lines["compiler"].startswith("ok")
    assert "torch.compile compiled a NumPy function" in lines["compile"]
    assert f"{cache}: 0 files" in lines["cache"]
    assert {"nprewrite", "numpy", "OpenMP", "torch", "threads", "CUDA", "numba"} <= set(lines)
    assert ran.out.endswith("rewritten programs run compiled\n")


def test_the_doctor_names_remedies(work: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing on the PATH, nothing installed, no place for a cache."""
    (work / "file").write_text("")
    monkeypatch.setenv("PATH", str(work))
    monkeypatch.setenv("CXX", "no-such-compiler")
    monkeypatch.setenv("NPREWRITE_CACHE_DIR", str(work / "file" / "cache"))

    monkeypatch.setattr(doctor, "version_of", lambda _: None)
    ran = run("doctor")
    assert ran.code == 2
    missing = {line[8:20].strip() for line in ran.out.splitlines() if line.startswith("missing")}
    assert missing == {"numpy", "compiler", "torch"}
    for remedy in ("install g++ or clang++", "pip install nprewrite[torch]", "set NPREWRITE_CACHE_DIR"):
        assert remedy in ran.out
    assert ran.out.endswith("rewritten programs do not run compiled here\n")


def test_the_doctor_says_that_compiling_is_switched_off(
    cache: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(doctor, "_torch", lambda *, compiled: iter(()))
    monkeypatch.setenv("NPREWRITE_DISABLE", "1")
    ran = run("doctor")
    assert ran.code == 2
    assert "missing disabled    NPREWRITE_DISABLE is set: steps run in NumPy\n" in ran.out
    monkeypatch.setenv("NPREWRITE_DISABLE", "0")
    assert "disabled" not in run("doctor").out


def test_the_doctor_finds_a_compiler_in_a_folder_with_spaces(
    work: Path, cache: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = shutil.which("g++")
    if real is None:
        pytest.skip("g++ is not installed")
    folder = work / "my tools"
    folder.mkdir()
    (folder / "g++").symlink_to(real)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setattr(doctor, "_torch", lambda *, compiled: iter(()))
    ran = run("doctor")
    assert f"ok      compiler    {folder}/g++ (" in ran.out
    assert "ok      OpenMP      works, " in ran.out


@pytest.mark.parametrize(
    ("told", "why"),
    [
        ("", "no message"),
        ("Killed\n", "Killed"),
        ("Traceback\n  File\nImportError: no libgomp\n", "ImportError: no libgomp"),
        (
            "a.InductorError: CppCompileError: C++ compile error\n\nCommand:\ng++\n\n"
            'Output:\ncc1plus: not found\n\nSet TORCH_LOGS="+dynamo"\n',
            "a.InductorError: CppCompileError: C++ compile error: cc1plus: not found",
        ),
    ],
)
def test_the_doctor_tells_the_error_of_a_traceback(told: str, why: str) -> None:
    assert doctor._why(told) == why


def test_the_doctor_knows_a_torch_that_is_too_old() -> None:
    assert doctor._of_torch("2.9.1+cu128", "AVX2").mark == "missing"
    assert [doctor._of_torch(each, "AVX2").mark for each in ("2.11.0", "3.0", "2.13.0+cpu")] == ["ok"] * 3


@pytest.mark.parametrize(
    ("name", "program", "found"),
    [
        (
            "torch",
            "raise ImportError('libgomp.so.1 is gone')",
            "its import fails: ImportError: libgomp.so.1 is gone",
        ),
        ("compile", "raise RuntimeError('no cc1plus')", "torch.compile fails: RuntimeError: no cc1plus"),
    ],
)
def test_the_doctor_runs_what_can_fail_elsewhere(
    cache: Path, run: Run, monkeypatch: pytest.MonkeyPatch, name: str, program: str, found: str
) -> None:
    pytest.importorskip("torch")
    monkeypatch.setattr(doctor, f"_{name.upper()}", program)
    if name == "torch":
        monkeypatch.setattr(doctor, "_COMPILE", "")
    ran = run("doctor")
    assert ran.code == 2
    assert found in ran.out


def test_a_compiler_without_openmp(work: Path) -> None:
    compiler = work / "compiler"
    compiler.write_text('#!/bin/sh\ncase "$*" in *-fopenmp*) exit 1;; esac\n')
    compiler.chmod(0o755)
    finding = doctor._openmp(str(compiler))
    assert finding.mark == "note"
    assert "libgomp1" in finding.remedy


@pytest.mark.parametrize("command", ["cache", "completion", "doctor", "run"])
def test_help(command: str) -> None:
    program = (
        f"import sys; from nprewrite.cli import main; code = main(['{command}', '--help'])\n"
        "sys.exit(code or any(name in sys.modules for name in ('numpy', 'torch', 'nprewrite.engine')))"
    )
    environment = {**os.environ, "COLUMNS": "80"}
    ran = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, env=environment, check=False
    )
    assert (ran.returncode, ran.stderr) == (0, "")
    assert f"nprewrite {command}" in ran.stdout
