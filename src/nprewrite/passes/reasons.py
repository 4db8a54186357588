"""The reasons for a refusal, one line each; ``passes/REASONS.md`` says more of each."""

from __future__ import annotations

from nprewrite.passes.contract import Reason

_MASKS = ("NPR101", "NPR102")
_STORES_AND_LOOPS = ("NPR101", "NPR401")
_ALL = ("NPR101", "NPR102", "NPR401")

_TABLE: dict[str, tuple[tuple[str, ...], str]] = {
    "mask-not-bool": (_ALL, "a comparison, or m.astype(bool), selects lanes"),
    "other-mask": (_STORES_AND_LOOPS, "use one mask, bound to one name, on both sides"),
    "not-lanewise": (
        (*_STORES_AND_LOOPS, "NPR403", "NPR404"),
        "compute what depends on other elements before it",
    ),
    "value-out-of-range": (
        (*_STORES_AND_LOOPS, "NPR405", "NPR502"),
        "a value that the array's dtype can hold",
    ),
    "cast-raises": (
        (*_STORES_AND_LOOPS, "NPR403", "NPR405", "NPR406"),
        "A[m] = A[m] + v, or an array of a wider dtype",
    ),
    "shape-unknown": (
        (*_MASKS, "NPR406"),
        "make the mask from the array itself, or the arrays with one shape",
    ),
    "shape-mismatch": ((*_MASKS, "NPR406"), "spell the axes out: m[:, None]"),
    "dtype-unknown": (
        (*_ALL, "NPR304", "NPR405", "NPR406", "NPR407", "NPR408", "NPR409", "NPR501", "NPR502"),
        "annotate it, or pass it through np.asarray(x, dtype=...)",
    ),
    "dtype-unsupported": (
        (*_ALL, "NPR301", "NPR304", "NPR403", "NPR405", "NPR407", "NPR410"),
        "a bool, integer, float or complex dtype up to 64 bits a part; no complex one in native loops",
    ),
    "not-plain-array": ((*_ALL, "NPR501", "NPR407"), "A = np.asarray(A) before it keeps the caller's memory"),
    "not-local": (
        (*_ALL, "NPR405", "NPR407", "NPR502"),
        "bind it to a local name: A = np.asarray(self.A, dtype=...)",
    ),
    "second-index": (_ALL, "one subscript on one array"),
    "may-raise": (
        (*_STORES_AND_LOOPS, "NPR301", "NPR304", "NPR405", "NPR408"),
        "an operation that is defined for every element",
    ),
    "floating-point-flags": (("NPR101",), "put neutral values there: np.where(m, x, 1)"),
    "unknown-call": (
        (
            *_ALL,
            "NPR301",
            "NPR304",
            "NPR403",
            "NPR405",
            "NPR406",
            "NPR407",
            "NPR408",
            "NPR410",
            "NPR502",
            "NPR603",
        ),
        "inline it, use NumPy's functions, or bind its value to a name before it",
    ),
    "selection-escapes": (_ALL, "reduce it at once: x[m].sum()"),
    "reduction-argument": (("NPR102",), "the reduction without arguments"),
    "needs-rounding": (
        (
            "NPR101",
            "NPR102",
            "NPR201",
            "NPR301",
            "NPR304",
            "NPR401",
            "NPR403",
            "NPR405",
            "NPR406",
            "NPR407",
            "NPR408",
            "NPR409",
            "NPR410",
            "NPR601",
            "NPR603",
        ),
        "--level rounding",
    ),
    "needs-fast": (("NPR502",), "--level fast"),
    "tolerance-out-of-reach": (
        ("NPR502",),
        "a tolerance of 1e-06 or more written as a number, or the error among keep_float64",
    ),
    "loop-not-extracted": (_MASKS, "what helps the loop, as NPR401 says"),
    "no-array-form": (("NPR301",), "if, arithmetic, comparisons, and functions of math and NumPy"),
    "nothing-to-split": (("NPR201",), "nothing: pairs would only add copies"),
    "loop-control": (("NPR401", "NPR405", "NPR407", "NPR410", "NPR608"), "a mask instead of the early end"),
    "while-loop": (("NPR401",), "test a number that the body computes from the array"),
    "not-a-range": (("NPR304", "NPR401", "NPR405", "NPR407"), "for n in range(len(b))"),
    "loop-variable-rebound": (("NPR401", "NPR405", "NPR608"), "another name for it"),
    "branch-in-body": (_STORES_AND_LOOPS, "a mask and np.where"),
    "nested-loop": (("NPR401",), "nothing: the inner loop is looked at by itself"),
    "scalar-carried": (
        ("NPR401", "NPR403", "NPR404", "NPR405", "NPR406"),
        "compute it from the loop variable: t = n * dt",
    ),
    "not-array-code": (
        ("NPR401", "NPR406", "NPR409", "NPR603", "NPR608"),
        "keep it in a statement of its own, out of the loop",
    ),
    "random-numbers": ((*_STORES_AND_LOOPS, "NPR603"), "draw them before it"),
    "closure": (
        ("NPR401", "NPR405", "NPR407", "NPR502", "NPR608"),
        "define it before the loop, pass what it needs",
    ),
    "dynamic-scope": (("NPR401", "NPR405", "NPR407"), "plain local names"),
    "aliased-arrays": (("NPR304", "NPR401", "NPR403", "NPR404", "NPR408", "NPR409"), ".copy()"),
    "dtype-changes": ((*_STORES_AND_LOOPS, "NPR405"), "make it with its final dtype"),
    "shape-changes": (("NPR401",), "an array of one size, and a mask"),
    "bound-elsewhere": (("NPR409",), "store into it (u[...] = v), or another name for it"),
    "index-not-literal": (("NPR401", "NPR403"), "numbers written out: u[1:-1]"),
    "unsupported-operation": (
        ("NPR201", "NPR405", "NPR407", "NPR410", "NPR502", "NPR601"),
        "keep it in a statement of its own, out of the loop",
    ),
    "stays-in-numpy": (
        (*_STORES_AND_LOOPS, "NPR603"),
        "keep it in a statement of its own, out of the loop",
    ),
    "body-refused": (("NPR401", "NPR402", "NPR409", "NPR603"), "what helps there"),
    "not-inlinable": (("NPR605",), "one `return` at the end, plain statements, arguments written out"),
    "too-many-statements": (("NPR608",), "nothing: a loop of fewer trips becomes its statements"),
    "name-unset": (("NPR407",), "set it before the loop"),
    "native-missing": (("NPR403", "NPR404", "NPR407", "NPR408", "NPR410"), "pip install nprewrite[native]"),
    "native-instead": (("NPR405",), "nothing: the loop runs through Numba"),
    "loop-carried": (("NPR405", "NPR406"), "nothing, where the order matters; else store into another array"),
    "not-a-scalar-nest": (("NPR405",), "loops over range(...) that store elements and bind numbers"),
    "bounds-unknown": (("NPR405",), "bounds that are sums of loop variables and fixed integers"),
    "lanes-unfit": (("NPR405", "NPR406"), "loops over whole axes, whose ranges do not depend on each other"),
    "index-out-of-range": (("NPR405",), "bounds from the array itself: range(len(x)), n, m = x.shape"),
    "index-not-linear": (
        ("NPR405", "NPR406"),
        "an index that is a sum of one loop variable and fixed integers",
    ),
    "python-sum": (("NPR405",), "np.sum or np.count_nonzero over the range"),
    "loop-variable-live": (("NPR405", "NPR608"), "another name for it after the loop"),
    "factor-not-scalar": (
        ("NPR304",),
        "nothing: (A * weights) @ x is A @ (weights * x) for a row of weights",
    ),
    "mixed-dtypes": (("NPR304",), "factors of one dtype, and Python's numbers to scale them"),
    "stacked-matrices": (("NPR304",), "the product of one matrix of each stack at a time"),
    "name-unclear": (
        (*_ALL, "NPR301", "NPR405", "NPR407", "NPR501", "NPR502"),
        "import numpy as np once, at the top",
    ),
}


def reasons(code: str) -> tuple[Reason, ...]:
    """The reasons that the pass ``code`` may give."""
    return tuple(Reason(name, help) for name, (codes, help) in _TABLE.items() if code in codes)


def reason(code: str) -> Reason:
    """The reason named ``code``."""
    return Reason(code, _TABLE[code][1])
