"""What every test finds."""

from __future__ import annotations

import signal


def pytest_configure() -> None:
    """Have Ctrl-C raise, here and (as it is not ignored) in all children: nohup and some CI ignore it."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
