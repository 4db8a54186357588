"""What another file does with the lists that it is given."""

from __future__ import annotations

from typing import Any


def add(bodies: list[Any], body: Any) -> None:
    bodies.append(body)


def extend(world: Any, body: Any) -> None:
    world.bodies.append(body)
