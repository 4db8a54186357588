"""Programs whose function has a loop go on, from its second iteration on, in the rest of the function."""

from __future__ import annotations

import inspect
from typing import Any

import pytest
from program_files import EVERY, Program

from nprewrite.comparison import verify
from nprewrite.decorated import handover
from nprewrite.decorated.handover import watched
from nprewrite.decorated.rest_of_loop import RestOfLoop
from nprewrite.decorated.versions import Settings
from nprewrite.engine.outcomes import Options


@pytest.mark.parametrize("name", EVERY)
def test_the_rest_as_written_gives_the_same(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    program = Program.load(EVERY[name])
    function = getattr(program.module, program.module.ENTRY.partition(".")[0])
    settings = Settings(Options(), False, None, "raise", "warn", wait=True)
    text = EVERY[name].read_text(encoding="utf-8")
    stops = watched(function, text, settings) if inspect.isfunction(function) else None
    if stops is None:
        # Its function has no loop among its statements.
        return
    ran: list[str] = []

    def as_written(asked: Any) -> Any:
        ran.append(name)
        return asked._function

    monkeypatch.setattr(handover, "_WORTH_WAITING_S", 0.0)
    monkeypatch.setattr(RestOfLoop, "gains", lambda asked, elapsed: True)
    monkeypatch.setattr(RestOfLoop, "rewritten", as_written)
    monkeypatch.setattr(RestOfLoop, "ended", lambda asked: None)
    made = program.decorated(lambda plain: lambda *args, **kwargs: stops(*args, **kwargs))
    report = verify(program.original, made, [program.case("small")])
    assert report.same, report
    assert ran
