"""What the classes of a program's objects allow."""

from __future__ import annotations


def is_frozen(kind: type) -> bool:
    """Whether it is a frozen data class, whose own ``__setattr__`` does nothing but raise."""
    return bool(getattr(vars(kind).get("__dataclass_params__"), "frozen", False))
