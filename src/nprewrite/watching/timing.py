"""The process that runs a program and times functions of it, as written or as nprewrite makes them."""

from __future__ import annotations

import atexit
import functools
import pickle
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nprewrite.verification.messages import private_channel
from nprewrite.verification.script import Script, enter
from nprewrite.verification.wrapping import Functions, run_wrapped

if TYPE_CHECKING:
    from nprewrite.config import Configurations
    from nprewrite.engine.outcomes import Options

TIMES = "times"

Key = tuple[str, str]
"""The absolute path and the qualified name of a function."""


@dataclass(frozen=True)
class Order:
    """What to run, the functions to time, and the folder for the times.

    With ``decorated`` these functions get the decorator, with these options; with ``rewritten`` the program
    runs as ``nprewrite run`` runs it, and no function is timed.
    """

    script: Script
    functions: Functions
    folder: str
    decorated: Options | None = None
    rewritten: Configurations | None = None


Times = tuple[float, dict[Key, float]]
"""The seconds of the program, and those of each function with all that it calls."""


def main(order_path: str) -> None:
    """Run the program; this process ends as the program's own would have."""
    private_channel()
    order: Order = pickle.loads(Path(order_path).read_bytes())
    told = Path(order.folder).absolute() / TIMES
    times: defaultdict[Key, float] = defaultdict(float)
    started = time.perf_counter()

    def tell() -> None:
        # In plain types: this module is not `__main__` by then.
        told.write_bytes(pickle.dumps((time.perf_counter() - started, dict(times))))

    atexit.register(tell)
    enter(order.script)
    if order.rewritten is not None:
        _run_rewritten(order.script, order.rewritten)
    else:
        run_wrapped(order.script, order.functions, _timing(times, order.decorated))


def _timing(
    times: defaultdict[Key, float], decorated: Options | None
) -> Callable[[str, str, Callable[..., Any]], Any]:
    running: Counter[Key] = Counter()

    def wrap(path: str, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        key, timed = (path, name), _decorated(function, decorated)

        @functools.wraps(function)
        def call(*args: Any, **kwargs: Any) -> Any:
            if running[key]:
                return timed(*args, **kwargs)
            running[key] += 1
            started = time.perf_counter()
            try:
                return timed(*args, **kwargs)
            finally:
                times[key] += time.perf_counter() - started
                running[key] -= 1

        return call

    return wrap


def _decorated(function: Callable[..., Any], options: Options | None) -> Callable[..., Any]:
    if options is None:
        return function
    from nprewrite.decorated.jitted import Jitted
    from nprewrite.decorated.versions import Settings

    return Jitted(function, Settings(options, False, None, "raise", options.on_fallback))


def _run_rewritten(script: Script, configurations: Configurations) -> None:
    from nprewrite.loading.program import Program, run

    run(Program(script.name, script.is_module, script.argv[1:], None, configurations))


if __name__ == "__main__":
    main(sys.argv[1])
