"""Fourier transforms by the library that torch has them from.

    np.fft.ifft2(k * np.fft.fft2(u))      npr.fft.ifft2(k * npr.fft.fft2(u))

Why: NumPy's transforms are several times slower, and most of the time of spectral methods.

Safety: rounding, measured against the largest element of a result, as that of NumPy's own transforms is.
The runtime calls NumPy for everything but plain arrays, and where that is faster (``runtime/fft.py``).
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from nprewrite.base.syntax import walk
from nprewrite.numpy_api.linear_algebra import TRANSFORMS
from nprewrite.passes.contract import Change, ProvedPass
from nprewrite.passes.level import Level
from nprewrite.program.function import Function
from nprewrite.program.steps import RUNTIME, RUNTIME_ALIAS
from nprewrite.source.edits import Replace
from nprewrite.source.names import own_expressions
from nprewrite.source.nodes import expression

_MODULES = {"numpy.fft": "fft", "scipy.fft": "scipy_fft"}
"""The modules whose functions the runtime has, and its own of the same functions."""


class FourierTransform(ProvedPass[ast.Call]):
    """NPR305."""

    code = "NPR305"
    name = "fourier-transform"
    summary = "Fourier transforms by the library that torch has them from"
    level = Level.ROUNDING

    def match(self, function: Function) -> Iterator[ast.Call]:
        """Calls of transforms, those inside of others too."""
        if function.step is not None:
            return
        for statement in function.statements():
            for part in own_expressions(statement):
                for each in walk(part):
                    if isinstance(each, ast.Call) and self._is_transform(each.func, function):
                        yield each

    def node(self, site: ast.Call) -> ast.expr:
        """The call."""
        return site

    def rewrite(self, site: ast.Call, proof: ast.Call, function: Function) -> Change:
        """The runtime's function of the same name."""
        names = function.names
        runtime = names.alias_of(RUNTIME) or names.free(RUNTIME_ALIAS)
        owner, _, name = (function.dotted(site.func) or "").rpartition(".")
        edit = Replace(site.func, (expression(f"{runtime}.{_MODULES[owner]}.{name}"),))
        return Change((edit,), message=f"`{ast.unparse(site.func)}` by a faster library", imports=(RUNTIME,))

    def _is_transform(self, called: ast.expr, function: Function) -> bool:
        # The runtime's functions count as NumPy's everywhere else.
        runtime = function.names.alias_of(RUNTIME)
        if runtime is not None and ast.unparse(called).startswith(f"{runtime}."):
            return False
        owner, _, name = (function.dotted(called) or "").rpartition(".")
        return owner in _MODULES and name in TRANSFORMS
