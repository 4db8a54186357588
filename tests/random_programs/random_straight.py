"""Long functions of straight-line array code, with a loop here and there."""

from __future__ import annotations

from random_loops import loop, statements
from random_module import Made, module
from random_scope import Scope
from random_setup import arrays, numbers
from random_statements import LANEWISE
from random_whole import WHOLE


def straight(scope: Scope) -> Made:
    """Twenty to sixty statements, one after the other."""
    rng = scope.rng
    body = arrays(scope) + numbers(scope)
    for _ in range(rng.choice([20, 30, 40, 60]) // 4):
        body += statements(scope, rng.choice([LANEWISE, LANEWISE, WHOLE]), 4)
        body += loop(scope, rng.choice([LANEWISE, WHOLE])) if scope.chance(0.03) else []
    names = list(dict.fromkeys(each.name for each in scope.variables))
    return module(scope, [*body, f"return {', '.join(names)}"], annotated=scope.chance(0.8))
