"""A process that uses nprewrite keeps freed memory, so that the next array needs no new pages."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

FAULTS = """
import resource
import numpy as np

{first}

def faults():
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt

u = np.ones((400, 400))
for _ in range(5):
    u = eval("u * 0.5 + u * u - 1.0")
before = faults()
for _ in range(200):
    u = eval("u * 0.5 + u * u - 1.0")
print(faults() - before)
"""
DECORATED = """import nprewrite

@nprewrite.jit
def function(x):
    return x + 1
"""
glibc = pytest.mark.skipif(
    not sys.platform.startswith("linux") or not os.confstr("CS_GNU_LIBC_VERSION"), reason="needs glibc"
)


def faults_of(command: list[str], **environment: str) -> int:
    plain = {name: value for name, value in os.environ.items() if not name.startswith("MALLOC_")}
    done = subprocess.run(command, capture_output=True, text=True, env=plain | environment, check=True)
    return int(done.stdout)


@pytest.fixture
def script(tmp_path: Path) -> Path:
    script = tmp_path / "script.py"
    script.write_text(FAULTS.format(first=""))
    return script


@glibc
def test_arrays_that_come_and_go_need_no_new_pages(script: Path, tmp_path: Path) -> None:
    decorated = tmp_path / "decorated.py"
    decorated.write_text(FAULTS.format(first=DECORATED))
    run = [sys.executable, "-m", "nprewrite", "run", "--quiet"]
    usual = faults_of([sys.executable, str(script)])
    assert usual > 10_000
    assert faults_of([*run, str(script)]) < usual / 10
    assert faults_of([sys.executable, str(decorated)]) < usual / 10


@glibc
def test_what_the_user_has_set_stays(script: Path) -> None:
    run = [sys.executable, "-m", "nprewrite", "run", "--quiet", str(script)]
    assert faults_of(run, MALLOC_MMAP_THRESHOLD_="131072") > 10_000
    assert faults_of(run, NPREWRITE_DISABLE="1") > 10_000
