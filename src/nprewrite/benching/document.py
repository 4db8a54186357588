"""The measurements as one JSON document.

::

    {
      "schema": 1,                    raised when a key changes its meaning or goes away
      "nprewrite": "0.1.0",           the version that wrote the document
      "exit": 0,                      the exit status
      "machine": {"cpu": "…", "cores": "2", "system": "…", "python": "…", "numpy": "…", "torch": "…"},
      "file": "waves.py",
      "notes": [],                    sentences about the whole: what was left out
      "problem": null,                why it could not go on
      "crossings": ["…"],             with --sizes: from which size on a side is faster, in words
      "measurements": [
        {
          "index": 0,                 the call's place among the calls
          "function": "simulate", "case": "simulate(np.ones(n), 50)",
          "size": 1000,               with --sizes: n; else null
          "asked": null,              with --threads: their number; else null
          "threads": 2,               what compiled code ran on
          "import_torch": 0.9,        seconds; null without torch
          "rounds": 16,               in which the sides took turns
          "calls": 1,                 each time is the mean of so many calls
          "ran": ["compiled"],        how the rewritten function ran once it was steady
          "verdict": "Faster: …",     what the figures come to; null with a problem
          "problem": "",              why there are no figures
          "sides": {                  "as written", "rewritten"; with --peers "torch.compile", "Numba", "JAX"
            "rewritten": {
              "cold": [10.8, 0.02],   seconds of the calls until steady, empty caches; of the original one
              "warm": [3.2, 0.02],    the same with full caches; empty of peers
              "steady":   {"median": 0.02, "lower": 0.02, "upper": 0.03, "count": 16},    seconds
              "speed_up": {"median": 14.8, "lower": 14.2, "upper": 15.7, "count": 16},    null of the original
              "break_even": {"cold": 38, "warm": 12},    calls; null: never
              "memory": 1048576,      bytes that a call needs at its peak; null where not known
              "why": "",              of a peer: why it has no figures
              "note": ""              of a peer: what else is to be known
            }
          }
        }
      ]
    }

Keys may be added without a new schema number.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from nprewrite.base.version import VERSION
from nprewrite.benching.machine import machine
from nprewrite.benching.measurement import Measurement
from nprewrite.benching.road import Outcome
from nprewrite.benching.table import by_call
from nprewrite.benching.verdict import crossing_words, verdict

SCHEMA = 1


def document(outcome: Outcome, file: str) -> dict[str, Any]:
    """The document described above."""
    sized = [each for each in outcome.measurements if each.size is not None]
    return {
        "schema": SCHEMA,
        "nprewrite": VERSION,
        "exit": outcome.exit_status,
        "machine": machine(),
        "file": file,
        "notes": outcome.notes,
        "problem": outcome.problem,
        "crossings": [words for calls in by_call(sized) for words in crossing_words(calls)],
        "measurements": [_measurement(each) for each in outcome.measurements],
    }


def _measurement(measured: Measurement) -> dict[str, Any]:
    told = asdict(measured)
    for name, side in measured.sides.items():
        cold, warm = measured.break_even(name, side.cold), measured.break_even(name, side.warm)
        told["sides"][name]["break_even"] = {"cold": cold, "warm": warm}
    return {**told, "verdict": None if measured.problem else " ".join(verdict(measured))}
