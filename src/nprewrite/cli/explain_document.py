"""The document of ``nprewrite explain --format json``.

::

    {
      "schema": 1,                    raised when a key changes its meaning or goes away
      "nprewrite": "0.1.0",           the version that wrote it
      "exit": 0,                      the exit status
      "problem": null,                why nothing can be explained; the other keys are missing then
      "path": "a.py",
      "function": "f",                null where the whole file is explained
      "source": "…",                  the file as written
      "rewritten": "…",               the whole text after all passes
      "origins": [1, 2, 4],           for each line of it the line of the source; empty where nothing changed
      "sites": […],                   as in the report of rewriting (nprewrite.cli.json_report), and for each
                                      "meaning": what the reason means in general, or null
      "facts": [                      of the functions that hold a site, or of the one that is asked for
        {
          "function": "f",            "<module>" for the module's own statements
          "lines": [3, 12],           first and last
          "known": [                  names, once for each type that a name takes
            {"name": "x", "line": 4, "type": "float64[2 axes]",
             "suggested": false}      true: an annotation, default or call says so, and a guard looks
          ],
          "same_shape": [["x", "y"]], arrays that are known to have one shape
          "unknown": [                one entry a reason, at the first expression that it keeps unknown
            {"line": 5, "column": 9, "expression": "g(x)", "because": "…",
             "parameter": null,       the parameter whose type at a call would tell
             "others": 2}             further expressions for the same reason
          ]
        }
      ],
      "passes": [                     those that changed something, in order
        {"number": 1, "code": "NPR401", "pass": "extract-step", "diff": "…", "messages": ["…"]}
      ],
      "running": {                    with --call or --cases, else null; the keys above are of the function as
                                      nprewrite.jit rewrites it for these arguments then
        "calls": ["f(3)"],
        "steps": ["…"],               how the loops of each step ran, what they import torch for
        "graphs": [                   one for each compilation; its lines are those of "rewritten"
          {
            "step": "_f_step", "iterations": 8,      of its loop in one call
            "arguments": ["x: float32[any]"],        any: an axis of any length
            "call": 1, "because": "…",               which call it was made in, and why
            "seconds": 3.1,
            "guards": ["y.shape[0] == x.shape[0]"],
            "kernels": [
              {"name": "cpp_fused_add_0", "lines": [12, 13],
               "code": [{"text": "…", "line": 12}]}  empty for a call of a library; line may be null
            ],
            "operations": ["op0", "op1"], "fused": ["op0_op1"],    before and after fusion
            "before": "…", "after": "…"              the compiler's intermediate representation
          }
        ],
        "profile": {                  null where line_profiler is missing; lines are those of "source"
          "seconds": 0.2, "lines": [{"line": 4, "hits": 10, "seconds": 0.1}]
        },
        "bare": {                     as written under torch.compile alone; null where that was not possible
          "graphs": [12, 3],          operations of each graph
          "breaks": [{"place": "a.py:5", "line": 5, "reason": "…"}],
          "recompilations": ["…"]
        },
        "notes": ["…"]
      }
    }

Keys may be added without a new schema number.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from nprewrite.base.version import VERSION
from nprewrite.cli.json_report import site_document

if TYPE_CHECKING:
    from nprewrite.engine.outcomes import Site
    from nprewrite.explaining.explanation import Explanation
    from nprewrite.explaining.known import FunctionFacts
    from nprewrite.explaining.running import Running

SCHEMA = 1


def problem_document(problem: str | None, exit_status: int) -> dict[str, object]:
    """The document that says why there is nothing to explain; without a problem, what others begin with."""
    return {"schema": SCHEMA, "nprewrite": VERSION, "exit": exit_status, "problem": problem}


def document(explanation: Explanation) -> dict[str, object]:
    """The document as described above."""
    return {
        **problem_document(None, 0),
        "path": explanation.path,
        "function": explanation.function,
        "source": explanation.rewriting.source,
        "rewritten": explanation.rewriting.text,
        "origins": list(explanation.rewriting.origins) if explanation.rewriting.changed else [],
        "sites": [_site(site) for site in explanation.sites],
        "facts": [_facts(each) for each in explanation.facts],
        "passes": [
            {
                "number": change.number,
                "code": change.code,
                "pass": change.name,
                "diff": change.diff,
                "messages": [site.message for site in change.sites],
            }
            for change in explanation.changes
        ],
        "running": _running(explanation.running) if explanation.running is not None else None,
    }


def _running(running: Running) -> dict[str, object]:
    return {
        "calls": list(running.calls),
        "steps": list(running.compiled.steps),
        "graphs": [asdict(graph) for graph in running.compiled.graphs],
        "profile": asdict(running.profile) if running.profile is not None else None,
        "bare": asdict(running.bare) if running.bare is not None else None,
        "notes": list(running.notes),
    }


def _site(site: Site) -> dict[str, object]:
    from nprewrite.explaining.meanings import meaning

    return {**site_document(site), "meaning": meaning(site.reason) if site.reason else None}


def _facts(facts: FunctionFacts) -> dict[str, object]:
    told = asdict(facts)
    return {"function": told.pop("name"), **told}
