"""Loops over elements whose bounds and rates are attributes of a class."""

from __future__ import annotations

from nprewrite.engine.outcomes import Decorated, Options
from nprewrite.engine.pipeline import rewrite_source

PROGRAM = """
import numpy as np


class Settings:
    steps = 300
    rate = 0.1

    @staticmethod
    def twice(x):
        return 2 * x


def infections():
    s = np.zeros(Settings.steps)
    for k in range(Settings.steps - 1):
        s[k + 1] = s[k]
        if np.random.rand() < Settings.rate:
            s[k + 1] += 1
    return s


def other(Settings):
    s = np.zeros(3)
    for k in range(2):
        s[k + 1] = s[k] + Settings["steps"]
    return s
"""


def test_a_call_shows_what_a_class_holds() -> None:
    made = rewrite_source(PROGRAM, "model.py", Options(decorated=Decorated.ARRAY_CODE))
    assert "@nprewrite.jit\ndef infections():" in made.text
    deferred = [site.message for site in made.sites if site.code == "NPR407"]
    assert "the attributes of `Settings` are not known" in " ".join(deferred)
