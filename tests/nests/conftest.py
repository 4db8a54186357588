"""The catalogue's comparison of two calls, for the tests of nests."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "catalogue"))
