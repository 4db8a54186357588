"""Programs for which a floating-point warning is an error, or that record which warnings there were."""

from __future__ import annotations

from random_loops import loop, statements
from random_module import Made, indented, module, signature
from random_scope import Scope, Variable
from random_statements import LANEWISE, Lines
from random_whole import WHOLE

_FILTERS = [
    "warnings.simplefilter('error')",
    "warnings.simplefilter('error', RuntimeWarning)",
    "warnings.simplefilter('error', category=RuntimeWarning, append=False)",
    "warnings.filterwarnings('error', message='divide by zero')",
    "warnings.filterwarnings('error', 'invalid value')",
    "warnings.simplefilter('ignore')\nwarnings.filterwarnings('error', 'overflow')",
]
_STATES = [
    "np.errstate(all='raise')",
    "np.errstate(divide='raise')",
    "np.errstate(invalid='raise', divide='ignore')",
    "np.errstate(over='raise', under='ignore')",
    "np.errstate(all='warn')",
    "np.errstate(all='ignore')",
]
_RAISING = [
    "{x} = {x} / {y}",
    "{x} = 1 / {x}",
    "{x} /= {y}",
    "{x} = np.log({x})",
    "{x} = np.sqrt({x})",
    "{x} = np.arcsin({x})",
    "{x} = np.exp(900 * {x})",
    "{x} = {x} * 1e300 * 1e300",
    "{x} = {x} // {y}",
    "{x} = {x} % {y}",
    "{x} = np.power({x}, 0.5)",
    "{x}[{x} > 0] = np.log({x}[{x} > 0] - 0.5)",
    "{x}[...] = np.where({x} > 0, 1 / {x}, 0)",
    "{x} -= {x}.mean() / {y}.sum()",
    "{x} = {x} - np.inf * {y}",
    "for j in range(len({x})):\n    {x}[j] = {x}[j] / {y}[j]",
    "for j in range(len({x})):\n    {x}[j] = np.log({y}[j])",
    "{x}[...] = {x}.astype(np.float32) * 1e38",
    "{x} += {x}.max() / 0",
    "{x} = np.tan({x}) / ({y} - {y})",
]
_CAUGHT = "(RuntimeWarning, FloatingPointError, ZeroDivisionError)"


def errors(scope: Scope) -> Made:
    """Calls of a function whose warnings raise: where they do, with which text, and what is done by then."""
    rng = scope.rng
    kinds = rng.choice(["ff", "ff", "fi", "ii", "fc"])
    dtypes = {"f": ["float64", "float64", "float32"], "i": ["int64", "int32"], "c": ["complex128"]}
    for name, kind in zip("xy", kinds, strict=True):
        scope.variables.append(Variable(name, rng.choice(dtypes[kind]), parameter=True))
    above = _work(scope)
    call = f"work({', '.join(each.name for each in scope.variables)}, trips)"
    attempt = [
        "try:",
        f"    result = {call}",
        f"except {_CAUGHT} as error:",
        "    log.append((type(error).__name__, str(error)))",
    ]
    attempt = [*attempt, *attempt] if scope.chance(0.3) else attempt
    if scope.chance(0.5):
        attempt = [f"with {rng.choice(_STATES)}:", *indented(attempt)]
    if scope.chance(0.25):
        inside = ["warnings.simplefilter('always')", *attempt]
        around = ["with warnings.catch_warnings(record=True) as caught:", *indented(inside)]
        # NumPy's warnings, not those of nprewrite.
        around.append("caught = [each for each in caught if each.category is RuntimeWarning]")
        # What is computed once before a loop warns once: how often it warned is outside of the contract.
        around.append("log += sorted({(each.category.__name__, str(each.message)) for each in caught})")
    else:
        around = ["with warnings.catch_warnings():", *indented([rng.choice(_FILTERS), *attempt])]
    returned = f"return {', '.join(each.name for each in scope.variables)}, result, log"
    body = ["log = []", "result = None", *around, returned]
    return module(scope, body, above=above, annotated=scope.chance(0.8))


def _work(scope: Scope) -> Lines:
    """A function with a loop in which something may warn."""
    rng = scope.rng
    parameters = [*scope.variables, Variable("trips", "int", "number")]
    makers = rng.choice([LANEWISE, WHOLE])
    raising = rng.choice(_RAISING).replace("{x}", "x").replace("{y}", "y")
    if scope.chance(0.6):
        count = rng.choice([0, 1, 2])
        body = [*statements(scope, makers, count), raising]
        rng.shuffle(body)
        lines = ["for n in range(trips):", *indented(body)]
    else:
        lines = [raising, *loop(scope, makers)] if scope.chance(0.5) else [*loop(scope, makers), raising]
    names = ", ".join(each.name for each in scope.variables)
    scope.variables = [each for each in scope.variables if each.parameter]
    return [
        f"def work({signature(parameters, annotated=scope.chance(0.8))}):",
        *indented([*lines, f"return {names}"]),
    ]
