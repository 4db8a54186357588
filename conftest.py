"""What every test finds."""

from __future__ import annotations

import signal

from nprewrite.runtime import budget


def pytest_configure() -> None:
    """Have Ctrl-C raise, here and (as it is not ignored) in all children: nohup and some CI ignore it."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    # On a busy machine a compiler takes longer than a user is made to wait; a test waits for it.
    budget.SECONDS = 600.0
