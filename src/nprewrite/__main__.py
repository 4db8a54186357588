"""``python -m nprewrite``: the command line."""

from __future__ import annotations

import sys

from nprewrite.cli import main

if __name__ == "__main__":
    sys.exit(main())
