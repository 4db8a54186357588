"""What every test finds."""

from __future__ import annotations

import signal

from nprewrite.runtime.choosing import budget


def pytest_configure() -> None:
    """Have signals handled, here and in all children: nohup and some CI have them ignored."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    if signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
        signal.signal(signal.SIGHUP, signal.SIG_DFL)
    # On a busy machine a compiler takes longer than a user is made to wait; a test waits for it.
    budget.SECONDS = 600.0
