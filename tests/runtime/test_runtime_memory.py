"""The memory of compiled results: huge pages where the user has not said otherwise."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

pytest.importorskip("torch")

PROGRAM = """
import os
from nprewrite.runtime.torch.package import _torch_names

_torch_names()
print(os.environ["THP_MEM_ALLOC_ENABLE"])
"""


@pytest.mark.parametrize(("asked", "expected"), [(None, "1"), ("0", "0")])
def test_huge_pages_are_asked_for(asked: str | None, expected: str) -> None:
    environment = {name: value for name, value in os.environ.items() if name != "THP_MEM_ALLOC_ENABLE"}
    environment |= {"THP_MEM_ALLOC_ENABLE": asked} if asked is not None else {}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], env=environment, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == expected
