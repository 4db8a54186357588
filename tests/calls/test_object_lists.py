"""Lists of objects: bodies, agents, particles."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import births
import numpy as np
import pytest

import nprewrite

N = 4000
ATTRIBUTES = ("number", "mass", "seen", "position", "velocity", "force", "alive", "state", "charge")


class Body:
    def __init__(self, number: int) -> None:
        self.number, self.mass, self.seen = number, 1.0 + 0.25 * number, 0
        self.position = np.array([0.5 * number, 1.0 - number, 0.125 * number**2])
        self.velocity = np.array([0.0, 0.25, -0.5])
        self.force = np.zeros(3)
        self.alive, self.state = True, "well"
        self.charge: Any = None
        self.mate: Any = None

    def push(self, dt: float) -> None:
        self.velocity += dt * self.force / self.mass
        self.position += dt * self.velocity

    def attract(self, other: Body) -> None:
        d = other.position - self.position
        self.force = self.force + other.mass * d / (np.dot(d, d) + 0.5) ** 1.5

    def wander(self, world: World) -> None:
        if world.time < 0:
            return
        self.seen += int(self.mass) % 3 + 1
        world.counts[self.seen % 8] += world.gain

    def fall_ill(self, chance: float) -> None:
        if self.state == "well" and chance > 0.75:
            self.state = "ill"
            self.seen += 1

    def __lt__(self, other: Body) -> bool:
        return self.number < other.number


class Comparing(Body):
    def __eq__(self, other: object) -> bool:
        return isinstance(other, Body) and self.seen == other.seen

    __hash__ = None  # type: ignore[assignment]


class Watched(Body):
    count = 0

    @property  # type: ignore[override]
    def mass(self) -> float:
        return self._mass + 0.125

    @mass.setter
    def mass(self, value: float) -> None:
        self._mass = value
        Watched.count += 1


class Slotted:
    __slots__ = ("mass", "seen")

    def __init__(self, number: int) -> None:
        self.mass, self.seen = 1.0 + number, 0


class World:
    def __init__(self, bodies: list[Any]) -> None:
        self.bodies, self.time, self.history = bodies, 0.0, list[Any]()
        self.bad, self.counts, self.gain = N + 20, np.zeros(8), 0.5
        self.lowest, self.best = 1e9, np.zeros(3)
        self.leader = bodies[0] if bodies else None
        self.spare: Any = Heavy(99)

    def attract(self) -> None:
        """The force on each."""
        for a in self.bodies:
            a.force = np.zeros(3)
            for b in self.bodies:
                if a is b:
                    continue
                a.attract(b)

    def step(self, dt: float) -> None:
        self.attract()
        for b in self.bodies:
            b.push(dt)
        self.time += dt

    def run(self, n: int) -> float:
        for _ in range(n):
            self.step(0.01)
        return self.time

    def energy(self, n: int) -> float:
        total = 0.0
        for _ in range(n):
            for i, a in enumerate(self.bodies):
                total += 0.5 * a.mass * np.sum(a.velocity**2)
                for b in self.bodies[i + 1 :]:
                    total -= a.mass * b.mass / np.linalg.norm(a.position - b.position)
        return total

    def by_place(self, n: int) -> int:
        found = 0
        for k in range(n):
            for i in range(len(self.bodies)):
                a = self.bodies[i]
                for j in range(i + 1, len(self.bodies)):
                    b = self.bodies[j]
                    if a.mass * k > b.mass * self.bodies[-1].seen:
                        a.seen += 1
                        b.alive = not b.alive
                        found += b.alive
        return found

    def states(self, n: int) -> int:
        ill = 0
        for k in range(n):
            for b in self.bodies:
                b.fall_ill((k * 7 + b.number) % 11 / 10)
                if b.state == "ill" and k % 5 == b.number % 5:
                    b.state = "over" if k % 2 else "well"
                if b.state in ("ill", "over"):
                    ill += 1
        return ill

    def kinds_of_numbers(self, n: int) -> Any:
        for k in range(n):
            for b in self.bodies:
                if b.charge is None or b.charge < 5:
                    b.charge = k + b.number
                if k == 7 * b.number:
                    b.seen = 0.5
                if k > N - 50:
                    b.charge = np.float64(b.mass) * 2
        return self.time

    def backwards(self, n: int) -> float:
        last = 0.5
        for k in range(n):
            for b in reversed(self.bodies):
                b.mass = 0.5 * b.mass + 0.25 * last
                last = b.mass
            for b in reversed(self.bodies[1:4]):
                b.seen = (b.seen * 3 + k) % 17
                last += 0.001 * b.seen
        return last

    def counted(self, n: int) -> int:
        total = 0
        for k in range(n):
            for b in self.bodies:
                b.seen = (b.seen * 5 + b.number + k) % 13
            total += sum([b.seen for b in self.bodies]) + max(b.number for b in self.bodies)
        return total

    def returned(self, n: int) -> Any:
        for k in range(n):
            for b in self.bodies:
                b.seen += 1
                if b.seen * b.mass > 4000:
                    return k, b.mass
        return None

    def raising(self, n: int) -> float:
        for k in range(n):
            for b in self.bodies:
                b.mass += 1 / (self.bad - k - b.number)
                b.seen += 1
        return self.time

    def parts(self, n: int) -> float:
        for k in range(n):
            for b in self.bodies[1:-1]:
                b.mass *= 1.0 + 1e-6 * k
            for b in self.bodies[-2:]:
                b.seen += k
            for b in self.bodies[:2]:
                b.seen -= 1
        return self.bodies[1].mass

    def leading(self, n: int) -> int:
        for k in range(n):
            self.leader.seen += k
            for b in self.bodies:
                b.seen = (b.seen * 3 + b.number) % 1001
        return self.leader.seen

    def drawn(self, n: int) -> int:
        np.random.seed(3)
        for _ in range(n):
            for _ in self.bodies:
                one = self.bodies[np.random.randint(len(self.bodies))]
                one.seen += 1
        return np.random.randint(1000)

    def through_names(self, n: int) -> float:
        for k in range(n):
            for b in self.bodies:
                v = b.velocity
                v[1] = v[1] * 0.5 + k
                turned(b.position, k)
        return self.time

    def changed_and_bound(self, n: int) -> float:
        for _ in range(n):
            for b in self.bodies:
                b.force += 0.75
                b.force = b.force % 3.0
        return self.time

    def kept_array(self, n: int) -> float:
        for k in range(n):
            for b in self.bodies:
                b.force += 0.01 * ((k * 7 + b.number) % 5 - 2)
                if b.force[0] < self.lowest:
                    self.lowest, self.best = b.force[0], b.force
        self.best[1] += 5.0
        return self.lowest

    def shared_with_another(self, n: int) -> float:
        for _ in range(n):
            for b in self.bodies:
                b.force = np.asarray(self.best)
                b.mass += b.force[0]
            self.best[0] += 1e-3
        return self.time

    def part_of_the_old(self, n: int) -> float:
        total = 0.0
        for _ in range(n):
            for b in self.bodies:
                old = b.force[:]
                b.force = b.force + 1.0
                total += b.force[1] - old[0]
        return total

    def led(self, n: int) -> float:
        for k in range(n):
            for b in self.bodies:
                b.mass += self.leader.mass * 1e-6 + k
                b.position[k % 3] += self.leader.position[0] * 1e-6
        return self.leader.mass

    def one_array_with_the_world(self, n: int) -> float:
        self.best = self.bodies[1].position
        for k in range(n):
            self.best = self.best * 1.0 + 0.125 if k == n - 1 else self.best
            for b in self.bodies:
                b.position += 0.001
                b.mass += self.best[1] * 1e-6
        return self.time

    def wandering(self, n: int) -> float:
        for _ in range(n):
            for b in self.bodies:
                b.wander(self)
        return float(self.counts[3])

    def dying(self, n: int) -> int:
        for k in range(8):
            for _ in range(n // 4):
                for a in self.bodies:
                    a.push(1e-6)
                    for b in self.bodies:
                        if a is not b and (a.seen + b.seen + k) % 5 < 3:
                            a.seen += 1
            self.bodies = [b for b in self.bodies if b.seen % 5 != 1]
            child = Body(k + 10)
            self.bodies.append(child)
        return len(self.bodies)

    def gaining_another(self, n: int) -> int:
        for k in range(n):
            for b in self.bodies:
                b.push(0.01)
            if k == n // 2:
                self.give_birth(k)
        return self.bodies[-1].seen

    def give_birth(self, k: int) -> None:
        self.bodies.append(Heavy(k))

    def gaining_through_a_name(self, n: int) -> int:
        add = self.bodies.append
        for k in range(n):
            for b in self.bodies:
                b.push(0.01)
            if k == n // 2:
                add(Heavy(k))
        return self.bodies[-1].seen

    def gaining_one_or_another(self, n: int) -> int:
        for k in range(n):
            for b in self.bodies:
                b.push(0.01)
            if k == n // 2:
                child: Body = Body(k)
                if k > 3:
                    child = self.spare
                self.bodies.append(child)
        return self.bodies[-1].seen

    def gaining_by_condition(self, n: int) -> int:
        for k in range(n):
            for b in self.bodies:
                b.push(0.01)
            if k == n // 2:
                self.bodies.append(Body(k) if k < 3 else self.spare)
        return self.bodies[-1].seen

    def gaining_of_a_pair(self, n: int) -> int:
        for k in range(n):
            for b in self.bodies:
                b.push(0.01)
            if k == n // 2:
                child, _ = self.spare, Body(1)
                self.bodies.append(child)
        return self.bodies[-1].seen

    def gaining_in_place(self, n: int) -> int:
        found = self.bodies
        for k in range(n):
            for b in self.bodies:
                b.push(0.01)
            if k == n // 2:
                found[0], found[1] = self.spare, found[0]
        return self.bodies[0].seen

    def gaining_a_slice(self, n: int) -> int:
        found = self.bodies
        for k in range(n):
            for b in self.bodies:
                b.push(0.01)
            if k == n // 2:
                found[:3] = [self.spare]
        return self.bodies[0].seen

    def gaining_more(self, n: int) -> int:
        found = self.bodies
        for k in range(n):
            for b in self.bodies:
                b.push(0.01)
            if k == n // 2:
                found += [self.spare] if k else []
        return self.bodies[-1].seen

    def gaining_by_a_function(self, n: int) -> int:
        for k in range(n):
            for b in self.bodies:
                b.push(0.01)
            if k == n // 2:
                list(map(self.bodies.append, [self.spare]))
        return self.bodies[-1].seen

    def gaining_in_another_file(self, n: int) -> int:
        for k in range(n):
            for b in self.bodies:
                b.push(0.01)
            if k == n // 2:
                births.add(self.bodies, Heavy(k))
        return self.bodies[-1].seen

    def gaining_as_a_world(self, n: int) -> int:
        for k in range(n):
            for b in self.bodies:
                b.push(0.01)
            if k == n // 2:
                births.extend(self, Heavy(k))
        return self.bodies[-1].seen

    def gaining_under_another_name(self, n: int) -> int:
        others = self.bodies
        for k in range(n):
            for b in others:
                b.push(0.01)
            if k == n // 2:
                adopted(self.bodies, k)
        return self.bodies[-1].seen

    def with_another_leader(self, n: int) -> int:
        for k in range(n):
            self.leader.push(0.01)
            if k == n // 2:
                Usurper(k, self)
        return self.leader.seen

    def kept(self, n: int) -> Any:
        for k in range(n):
            for b in self.bodies:
                b.seen += k
                if b.seen > 7_000_000:
                    self.history.append(b)
        return len(self.history)

    def named_afterwards(self, n: int) -> Any:
        for k in range(n):
            for b in self.bodies:
                b.seen += k
        return b.number, b is self.bodies[-1]

    def shared_arrays(self, n: int) -> Any:
        for k in range(n):
            for a in self.bodies:
                for b in self.bodies:
                    if a is not b and k == a.number:
                        a.force = b.force
                a.force += 1.0
        return self.time

    def old_array(self, n: int) -> float:
        total = 0.0
        for _ in range(n):
            for b in self.bodies:
                old = b.force
                b.force = b.force + 1.0
                total += old[0]
        return total

    def of_another_length(self, n: int) -> float:
        for k in range(n):
            for b in self.bodies:
                b.force = np.zeros(4) if k == n - 1 else np.ones(3)
        return self.time

    def compared(self, n: int) -> int:
        found = 0
        for k in range(n):
            for a in self.bodies:
                for b in self.bodies:
                    if a != b:
                        found += 1
                    if a == b:
                        a.seen += k % 2
        return found

    def ordered(self, n: int) -> int:
        found = 0
        for _ in range(n):
            for a in self.bodies:
                for b in self.bodies:
                    found += a < b
        return found

    def growing(self, n: int) -> int:
        for k in range(n):
            for b in self.bodies:
                b.seen += k
            if k % 1000 == 0:
                self.bodies.append(Body(k))
        return len(self.bodies)


def adopted(bodies: list[Any], k: int) -> None:
    bodies.append(Heavy(k))


def turned(x: Any, k: int) -> None:
    if k % 7 == 0:
        x[0] = -x[0]
    x[1] = x[1] * 0.999


def masses(bodies: list[Any], n: int) -> float:
    total = 0.0
    for k in range(n):
        for b in bodies:
            b.mass = b.mass * 0.999 + 0.001 * k
            total += b.mass
        for b in bodies:
            b.position[k % 3] += b.mass
    return total


COMPILED = (
    World.backwards,
    World.dying,
    World.wandering,
    *(World.run, World.energy, World.by_place, World.states, World.kinds_of_numbers),
    *(
        World.drawn,
        World.through_names,
        World.changed_and_bound,
        World.counted,
        World.returned,
        World.raising,
        World.parts,
        World.compared,
    ),
)
AS_WRITTEN = (
    World.one_array_with_the_world,
    *(World.gaining_another, World.gaining_through_a_name, World.gaining_under_another_name),
    *(World.gaining_one_or_another, World.gaining_by_condition, World.gaining_of_a_pair),
    *(World.gaining_in_place, World.gaining_a_slice, World.gaining_more, World.gaining_by_a_function),
    *(World.gaining_in_another_file, World.gaining_as_a_world, World.with_another_leader),
    *(World.kept, World.named_afterwards, World.shared_arrays, World.old_array, World.of_another_length),
    *(
        World.shared_with_another,
        World.kept_array,
        World.part_of_the_old,
        World.ordered,
        World.growing,
        World.leading,
        World.led,
    ),
)


def bodies() -> list[Any]:
    return [Body(k) for k in range(6)]


def of_one_array() -> list[Any]:
    made = bodies()
    made[1].force = made[4].force
    return made


def of_views() -> list[Any]:
    made, positions = bodies(), np.ones((6, 3))
    for k, each in enumerate(made):
        each.position = positions[k]
    return made


class Heavy(Body):
    def push(self, dt: float) -> None:
        super().push(0.5 * dt)
        self.seen += 1


class Usurper(Heavy):
    def __init__(self, number: int, world: World) -> None:
        super().__init__(number)
        world.leader = self


def without_an_attribute() -> list[Any]:
    made = bodies()
    del made[3].mass
    return made


def with_others(**values: Any) -> list[Any]:
    made = bodies()
    one = made[2]
    one.force, one.position = values.get("force", one.force), values.get("position", one.position)
    one.velocity, one.mass = values.get("velocity", one.velocity), values.get("mass", one.mass)
    one.state = values.get("state", one.state)
    return made


OTHERS: dict[str, Callable[[], list[Any]]] = {
    "one of them twice": lambda: (made := bodies()) + made[2:3],
    "two with one array": of_one_array,
    "views of one array": of_views,
    "one of a subclass": lambda: [*bodies(), Comparing(7)],
    "all of a subclass": lambda: [Comparing(k) for k in range(5)],
    "one that asks its base": lambda: [Heavy(k) for k in range(4)],
    "properties": lambda: [*map(Watched, range(4))],
    "one without an attribute": without_an_attribute,
    "none": list,
    "one": lambda: [Body(3)],
    "a vector of another length": lambda: with_others(force=np.zeros(2)),
    "a vector of integers": lambda: with_others(position=np.arange(3)),
    "a number for a vector": lambda: with_others(velocity=1.5),
    "a string": lambda: with_others(mass="heavy"),
    "an unknown state": lambda: with_others(state="away"),
    "a state that is none": lambda: with_others(state=None),
    "another kind of number": lambda: with_others(mass=np.float32(1.5)),
    "slots": lambda: [*map(Slotted, range(4))],
}


@pytest.mark.parametrize("function", COMPILED)
def test_loops_over_objects_run_compiled(function: Callable[..., Any]) -> None:
    pytest.importorskip("numba")
    decorated: Any = nprewrite.jit(function)
    for _ in range(7):
        assert _outcome(decorated, bodies) == _as_written(function, bodies)
    assert "x compiled" in str(decorated.report())


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("function", AS_WRITTEN)
def test_loops_that_need_the_objects_themselves(function: Callable[..., Any]) -> None:
    decorated: Any = nprewrite.jit(function)
    for _ in range(6):
        assert _outcome(decorated, bodies) == _as_written(function, bodies)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", OTHERS)
@pytest.mark.parametrize("function", [World.run, World.compared, World.states, World.counted])
def test_lists_that_hold_something_else_at_a_later_call(function: Callable[..., Any], name: str) -> None:
    decorated: Any = nprewrite.jit(function)
    for make in [bodies] * 5 + [OTHERS[name]] * 4 + [bodies]:
        assert _outcome(decorated, make) == _as_written(function, make)


def test_a_loop_that_raises_leaves_what_it_has_done() -> None:
    pytest.importorskip("numba")
    decorated: Any = nprewrite.jit(World.raising)
    for bad in (N + 20, N + 20, N + 20, N + 20, N - 3, 17):
        before, after = _as_written(World.raising, bodies, bad), _outcome(decorated, bodies, bad)
        assert after == before
        assert ("ZeroDivisionError" in before) == (bad < N)
    assert "x compiled" in str(decorated.report())


def test_a_list_may_be_an_argument() -> None:
    pytest.importorskip("numba")
    decorated: Any = nprewrite.jit(masses)
    for _ in range(6):
        before, after = bodies(), bodies()
        assert decorated(after, N) == masses(before, N)
        assert [_held(each) for each in after] == [_held(each) for each in before]
    assert "x compiled" in str(decorated.report())


def test_arrays_that_change_in_place_stay_the_same() -> None:
    pytest.importorskip("numba")
    decorated: Any = nprewrite.jit(World.run)
    for _ in range(6):
        world = World(bodies())
        before = [(each.position, each.force) for each in world.bodies]
        decorated(world, N)
        for each, (position, force) in zip(world.bodies, before, strict=True):
            assert each.position is position
            assert each.force is not force
    assert "x compiled" in str(decorated.report())


@cache
def _as_written(function: Callable[..., Any], make: Callable[[], list[Any]], bad: int = N + 20) -> str:
    """The outcome of the function itself, which takes a second in some: it is the same at each call."""
    return _outcome(function, make, bad)


def _outcome(function: Callable[..., Any], make: Callable[[], list[Any]], bad: int = N + 20) -> str:
    """What a call gives or raises, and what the objects hold then."""
    world = World(make())
    world.bad = bad
    arrays = [getattr(each, "force", None) for each in world.bodies]
    result: Any = None
    try:
        result = function(world, N)
    except (ArithmeticError, AttributeError, NameError, TypeError, ValueError) as error:
        result = type(error), str(error)
    held = [*map(_held, world.bodies)]
    return repr((result, world.time, len(world.history), held, arrays))


def _held(each: Any) -> str:
    if isinstance(each, Slotted):
        return repr((each.mass, each.seen))
    values = [(name, getattr(each, name, None)) for name in ATTRIBUTES]
    return repr([(name, type(value), value) for name, value in values])
