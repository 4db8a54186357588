"""``python -m nprewrite.numpy_api [NAME...]`` prints what is known about all functions, or about some."""

from __future__ import annotations

import sys

from nprewrite.numpy_api.page import text

sys.stdout.write(text(sys.argv[1:]))
