"""``python -m nprewrite.config``: the JSON Schema of ``[tool.nprewrite]``."""

from __future__ import annotations

import json

from nprewrite.config.table import schema

if __name__ == "__main__":
    print(json.dumps(schema(), indent=2))
