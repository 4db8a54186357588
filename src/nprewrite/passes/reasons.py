"""The reasons for refusals, one line each; ``passes/REASONS.md`` says more about them."""

from __future__ import annotations

import ast
from dataclasses import replace

from nprewrite.passes.contract import Deferral, Refusal
from nprewrite.program.function import Function
from nprewrite.types.problems import Problem

_TABLE: dict[str, tuple[str, str]] = {
    "mask-not-bool": (
        "NPR101 NPR102 NPR401",
        "index with a boolean mask: `m.astype(bool)` where m holds zeros and ones",
    ),
    "other-mask": ("NPR101 NPR401", "select with one mask on both sides, and leave it unchanged in between"),
    "not-lanewise": (
        "NPR101 NPR401 NPR403 NPR404",
        "compute what depends on other elements in a statement before this one",
    ),
    "value-out-of-range": (
        "NPR101 NPR401 NPR405 NPR502",
        "store values that the dtype can hold, or use a wider dtype",
    ),
    "cast-raises": (
        "NPR101 NPR401 NPR403 NPR405 NPR406",
        "cast the value to the array's dtype, or use an array of a wider one",
    ),
    "shape-unknown": (
        "NPR101 NPR102 NPR406",
        "compute the mask from the array itself, or create both with one shape",
    ),
    "shape-mismatch": ("NPR101 NPR102 NPR406", "write out the missing axes: `m[:, None]`"),
    "dtype-unknown": (
        "NPR101 NPR102 NPR401 NPR304 NPR405 NPR406 NPR407 NPR408 NPR409 NPR501 NPR502",
        "give it a known type: annotate it, or convert it with `np.asarray(x, dtype=...)`",
    ),
    "dtype-unsupported": (
        "NPR101 NPR102 NPR401 NPR301 NPR304 NPR403 NPR405 NPR407 NPR410",
        "use a bool, integer, float or complex dtype, up to float64 and complex128",
    ),
    "not-plain-array": (
        "NPR101 NPR102 NPR401 NPR501 NPR407",
        "use `A = np.asarray(A)` first, which shares its memory",
    ),
    "not-local": (
        "NPR101 NPR102 NPR401 NPR405 NPR407 NPR502",
        "bind it to a local name first: `A = np.asarray(self.A, dtype=...)`",
    ),
    "second-index": (
        "NPR101 NPR102 NPR401",
        "use one mask as the whole index; bind a part to a name first: `column = A[:, j]`",
    ),
    "may-raise": (
        "NPR101 NPR401 NPR301 NPR304 NPR405 NPR408",
        "use an operation that cannot raise for any element",
    ),
    "floating-point-flags": (
        "NPR101",
        "compute from `np.where(m, x, 1)`, so that no other element can raise",
    ),
    "unknown-call": (
        "NPR101 NPR102 NPR401 NPR301 NPR304 NPR403 NPR405 NPR406 NPR407 NPR408 NPR410 NPR502 NPR603",
        "call it outside of the loop, or write what it computes in place of the call",
    ),
    "selection-escapes": ("NPR101 NPR102 NPR401", "reduce the selection directly: `x[m].sum()`"),
    "reduction-argument": ("NPR102", "call the reduction without arguments"),
    "needs-rounding": (
        "NPR101 NPR102 NPR201 NPR301 NPR304 NPR305 NPR401 NPR403 "
        "NPR405 NPR406 NPR407 NPR408 NPR409 NPR410 NPR601 NPR603",
        "use --level rounding",
    ),
    "needs-fast": ("NPR502", "use --level fast"),
    "tolerance-out-of-reach": (
        "NPR502",
        "write the tolerance as a number of at least 1e-06, or list the error in keep_float64",
    ),
    "loop-not-extracted": ("NPR101 NPR102", "see what is reported for the loop"),
    "no-array-form": ("NPR301", "use only `if`, arithmetic, comparisons, and functions of math and NumPy"),
    "nothing-to-split": ("NPR201", "nothing to do: two real arrays would only add copies"),
    "loop-control": (
        "NPR401 NPR405 NPR407 NPR410 NPR608",
        "move it out of the loop; replace an early exit by a mask",
    ),
    "while-loop": ("NPR401", "compute the number in the body of the loop, and test that"),
    "not-a-range": ("NPR304 NPR401 NPR405 NPR407", "loop over a `range`, and pick the items by its numbers"),
    "loop-variable-rebound": (
        "NPR401 NPR405 NPR608",
        "use a plain name as the loop variable, and do not assign to it",
    ),
    "branch-in-body": ("NPR101 NPR401", "use a mask and `np.where`"),
    "nested-loop": ("NPR401", "nothing to do: the inner loop is reported on its own"),
    "scalar-carried": (
        "NPR401 NPR403 NPR404 NPR405 NPR406",
        "nothing to do: each iteration needs a number of the one before it",
    ),
    "not-array-code": ("NPR401 NPR406 NPR409 NPR603 NPR608", "move it out of the loop"),
    "random-numbers": ("NPR101 NPR401 NPR603", "draw them beforehand, into an array"),
    "closure": (
        "NPR401 NPR405 NPR407 NPR502 NPR608 NPR609",
        "define it before the loop; use array code in place of a comprehension",
    ),
    "dynamic-scope": ("NPR401 NPR405 NPR407", "use plain local variables"),
    "aliased-arrays": ("NPR304 NPR401 NPR403 NPR404 NPR408 NPR409", "use a copy: `x.copy()`"),
    "dtype-changes": ("NPR101 NPR401 NPR405", "create it with its final dtype"),
    "shape-changes": ("NPR401", "keep the array at one size, and use a mask"),
    "bound-elsewhere": ("NPR409", "store into it (`u[...] = v`), or use another name"),
    "index-not-literal": ("NPR401 NPR403", "write the index with literal numbers: `u[1:-1]`"),
    "unsupported-operation": ("NPR201 NPR405 NPR407 NPR410 NPR502 NPR601", "move it out of the loop"),
    "stays-in-numpy": ("NPR101 NPR401 NPR603", "move it out of the loop"),
    "body-refused": ("NPR401 NPR402 NPR409 NPR603", "see what is reported for the step"),
    "not-inlinable": (
        "NPR605",
        "use plain statements with one `return` at the end, and pass each argument by itself",
    ),
    "too-many-statements": ("NPR608 NPR609", "nothing to do: only loops of a few iterations are unrolled"),
    "name-unset": ("NPR407", "give it a value before the loop"),
    "native-missing": ("NPR403 NPR404 NPR407 NPR408 NPR410", "install it: pip install nprewrite[native]"),
    "native-instead": ("NPR405", "nothing to do: the loop runs through Numba"),
    "loop-carried": ("NPR405 NPR406", "store into another array, unless the order of the iterations matters"),
    "not-a-scalar-nest": ("NPR405", "use loops over `range(...)` that only store elements and set numbers"),
    "bounds-unknown": ("NPR405", "use bounds that are sums of loop variables and fixed integers"),
    "lanes-unfit": (
        "NPR405 NPR406",
        "use loops over whole axes, with ranges that do not depend on each other",
    ),
    "index-out-of-range": ("NPR405", "take the bounds from the array itself: `range(len(x))`"),
    "index-not-linear": (
        "NPR405 NPR406",
        "use an index that is a sum of one loop variable and fixed integers",
    ),
    "python-sum": ("NPR405", "use np.sum or np.count_nonzero over the range"),
    "loop-variable-live": ("NPR405 NPR608", "do not read it after the loop"),
    "factor-not-scalar": ("NPR304", "for a row of weights, write `A @ (weights * x)`"),
    "mixed-dtypes": ("NPR304", "use factors of one dtype, and Python numbers to scale them"),
    "stacked-matrices": ("NPR304", "multiply one matrix of each stack at a time"),
    "name-unclear": (
        "NPR101 NPR102 NPR401 NPR301 NPR405 NPR407 NPR501 NPR502",
        "import numpy as np once, at the top of the module, and do not rebind it",
    ),
}
"""For each reason the codes of the passes that may give it, and what usually helps."""

_ELSEWHERE: dict[tuple[str, str], str] = {
    ("value-out-of-range", "NPR502"): "rescale the number, or list what uses it in keep_float64",
    ("unknown-call", "NPR101"): "bind the result of the call to a name first",
    ("unknown-call", "NPR102"): "bind the result of the call to a name first",
    ("unknown-call", "NPR301"): "write what it computes in place of the call",
    ("unknown-call", "NPR502"): "write what it computes in place of the call",
    ("unknown-call", "NPR603"): "write what it computes in place of the call",
    ("shape-unknown", "NPR406"): "create it in the function, or put @nprewrite.jit on the function",
    ("shape-mismatch", "NPR406"): "use slices of one length",
    ("dtype-unsupported", "NPR301"): "use np.vectorize, which gives numbers",
    ("dtype-unsupported", "NPR304"): "use matrices of floats or complex numbers",
    ("dtype-unsupported", "NPR403"): "use a bool, integer, float32 or float64 dtype",
    ("dtype-unsupported", "NPR407"): "use a bool, integer, float32, float64 or complex dtype",
    ("dtype-unsupported", "NPR410"): "use a bool, integer, float32 or float64 dtype",
    ("not-plain-array", "NPR407"): "use an array in its place",
    ("not-plain-array", "NPR501"): "write the list as an array: `np.array([1, 2])`",
    ("not-local", "NPR405"): "pass it as an argument, or bind it to a local name before the loop",
    ("not-local", "NPR407"): "pass it as an argument, or bind it to a local name before the loop",
    ("not-local", "NPR502"): "make it local to the function",
    ("may-raise", "NPR304"): "compute it before the loop",
    ("may-raise", "NPR408"): "read the numbers in every iteration, before anything is stored",
    ("not-lanewise", "NPR403"): "use elementwise operations only",
    ("not-lanewise", "NPR404"): "use elementwise operations only",
    (
        "loop-control",
        "NPR407",
    ): "move it out of the loop; read no name that it sets after an exception",
    ("scalar-carried", "NPR404"): "nothing to do: the loop runs iteration by iteration",
    ("not-array-code", "NPR603"): "nothing to do: it runs as written",
    ("closure", "NPR502"): "use a plain loop, or array code",
    ("aliased-arrays", "NPR304"): "compute it from a copy, before the loop",
    ("index-not-literal", "NPR403"): "use the same slice in each iteration",
    ("unsupported-operation", "NPR502"): "split it into plain statements",
    ("stays-in-numpy", "NPR101"): "nothing to do: it runs in NumPy",
    ("stays-in-numpy", "NPR603"): "nothing to do: it runs in NumPy",
}
"""What would help with the sites of a pass, if it differs from what helps elsewhere."""


def reasons(code: str) -> dict[str, str]:
    """The reasons that the pass ``code`` may give, each with what would help."""
    return {name: advice(name, code) for name, (codes, _) in _TABLE.items() if code in codes.split()}


def advice(reason: str, code: str) -> str:
    """What would help with a site of the pass ``code`` that it refuses for this reason."""
    return _ELSEWHERE.get((reason, code), _TABLE[reason][1])


def declared(problem: Problem, code: str, otherwise: str) -> Problem:
    """The problem with the reason ``otherwise`` where the pass ``code`` does not have its own."""
    codes, _ = _TABLE.get(problem.code, ("", ""))
    return problem if code in codes.split() else replace(problem, code=otherwise)


def stays(problem: Problem, function: Function, at: ast.expr | ast.stmt | None = None) -> Refusal | Deferral:
    """A deferral where the types of a call would tell, else a refusal."""
    if problem.parameter is not None and function.can_defer:
        return Deferral.of(problem, function)
    return refused(problem, at=at)


def refused(problem: Problem, at: ast.expr | ast.stmt | None = None) -> Refusal:
    """A problem as a refusal."""
    return Refusal(problem.code, problem.message, at, problem.help)
