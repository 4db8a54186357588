"""The settings of functions that compute in single precision; like all options, without NumPy."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Precision:
    """Computing in float32 and complex64: what stays in double precision.

    - ``accumulate``: the dtype, "float64" or "float32", in which sums, means and products of elements are
      accumulated.
    - ``keep_output_dtype``: results have the dtype that NumPy would give.
    - ``keep_float64``: local names whose values stay in double precision, and what is computed for them.
    """

    accumulate: str = "float64"
    keep_output_dtype: bool = False
    keep_float64: frozenset[str] = frozenset()

    @property
    def arguments(self) -> list[str]:
        """The arguments of ``nprewrite.jit`` that say the same."""
        kept = ", ".join(f'"{name}"' for name in sorted(self.keep_float64))
        return [
            'precision="float32"',
            *([f'accumulate="{self.accumulate}"'] if self.accumulate != "float64" else []),
            *(["keep_output_dtype=True"] if self.keep_output_dtype else []),
            *([f"keep_float64=[{kept}]"] if kept else []),
        ]
