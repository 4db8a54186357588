"""The reasons for a refusal, one line each; ``passes/REASONS.md`` says more of each."""

from __future__ import annotations

from nprewrite.passes.contract import Reason

_STORES = ("NPR101", "NPR102")
_ALL = ("NPR101", "NPR102", "NPR401")

_TABLE: dict[str, tuple[tuple[str, ...], str]] = {
    "mask-not-bool": (_STORES, "a comparison, or m.astype(bool), selects lanes"),
    "other-mask": (_STORES, "use one mask, bound to one name, on both sides"),
    "not-lanewise": (("NPR101", "NPR402"), "compute what depends on other elements before the store"),
    "value-out-of-range": (("NPR101",), "a value that the array's dtype can hold"),
    "cast-raises": (("NPR101",), "A[m] = A[m] + v, or an array of a wider dtype"),
    "shape-unknown": (_STORES, "make the mask from the array itself, or the arrays with one shape"),
    "shape-mismatch": (_STORES, "spell the axes out: m[:, None]"),
    "dtype-unknown": (_ALL, "annotate it, or pass it through np.asarray(x, dtype=...)"),
    "dtype-unsupported": (_ALL, "a bool, integer, float or complex dtype up to 64 bits a part"),
    "not-plain-array": (_ALL, "A = np.asarray(A) before it keeps the caller's memory"),
    "not-local": (_ALL, "bind it to a local name: A = np.asarray(self.A, dtype=...)"),
    "second-index": (_STORES, "one subscript on one array"),
    "may-raise": (("NPR101", "NPR401"), "an operation that is defined for every element"),
    "floating-point-flags": (_STORES, "put neutral values there: np.where(m, x, 1)"),
    "unknown-call": (_ALL, "inline it, or use NumPy's functions"),
    "selection-escapes": (("NPR102",), "reduce it at once: x[m].sum()"),
    "reduction-argument": (("NPR102",), "the reduction without arguments"),
    "needs-rounding": (("NPR102", "NPR201", "NPR601"), "--level rounding"),
    "loop-not-extracted": (_STORES, "what helps the loop, as NPR401 says"),
    "complex-view": (("NPR201",), "assign the whole: z = z + 1"),
    "nothing-to-split": (("NPR201",), "nothing: pairs would only add copies"),
    "loop-control": (("NPR401",), "a mask instead of the early end"),
    "while-loop": (("NPR401",), "for n in range(limit) with a mask"),
    "not-a-range": (("NPR401",), "for n in range(len(b))"),
    "loop-variable-rebound": (("NPR401",), "another name for it"),
    "branch-in-body": (("NPR401",), "a mask and np.where"),
    "nested-loop": (("NPR401",), "nothing: the inner loop is looked at by itself"),
    "scalar-carried": (("NPR401",), "compute it from the loop variable: t = n * dt"),
    "not-array-code": (("NPR401",), "take it out of the loop"),
    "random-numbers": (("NPR401",), "draw them before the loop"),
    "closure": (("NPR401",), "define it before the loop, pass what it needs"),
    "dynamic-scope": (("NPR401",), "plain local names"),
    "aliased-arrays": (("NPR401",), ".copy()"),
    "dtype-changes": (("NPR401", "NPR201"), "make it with its final dtype"),
    "shape-changes": (("NPR401",), "an array of the final size"),
    "unsupported-operation": (("NPR401", "NPR601"), "take it out of the loop"),
    "body-refused": (("NPR401", "NPR402"), "what helps that statement"),
    "name-unclear": (_ALL, "import numpy as np once, at the top"),
}


def reasons(code: str) -> tuple[Reason, ...]:
    """The reasons that the pass ``code`` may give."""
    return tuple(Reason(name, help) for name, (codes, help) in _TABLE.items() if code in codes)


def reason(code: str) -> Reason:
    """The reason named ``code``."""
    return Reason(code, _TABLE[code][1])
