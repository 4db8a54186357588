"""What the lowering does not follow, or fails at, refuses: nothing of the user's runs meanwhile."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from nprewrite.base.errors import FAULTS, reported
from nprewrite.lowering.problems import NotNative
from nprewrite.runtime.api.refusal import Refused, Unusable


@contextlib.contextmanager
def followed(
    kind: type[Refused], seen: str = "", *, silent: bool = False, passing: bool = False
) -> Iterator[None]:
    """Raise a refusal of this kind in place of ``NotNative``, and ``Unusable`` for a fault."""
    try:
        yield
    except NotNative as problem:
        raise kind(problem.code, problem.message + seen, silent=silent, passing=passing) from problem
    except FAULTS as fault:
        what = f"the lowering fails with {type(fault).__name__}: {fault}"
        raise Unusable("a fault of nprewrite", reported(what)) from fault
