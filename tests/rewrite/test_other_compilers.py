"""Functions that Numba, JAX and others compile stay as they are: their compilers read the code."""

from __future__ import annotations

import textwrap

import pytest

from nprewrite.engine.outcomes import Options, Outcome, Rewriting
from nprewrite.engine.pipeline import rewrite_source

LOOP = """\
    x = np.linspace(0.0, 1.0, 1000)
    for n in range(maxiter):
        m = x > 0.5
        x[m] = x[m] * 0.9
    return x
"""
DECAY = f"def decay(maxiter):\n{LOOP}"


def rewritten(text: str) -> Rewriting:
    return rewrite_source("import numpy as np\n" + text, "program.py", Options())


@pytest.mark.parametrize(
    "text",
    [
        f"from numba import njit\n\n\n@njit\n{DECAY}",
        f"import numba as nb\n\n\n@nb.jit(nopython=True)\n{DECAY}",
        f"import numba.cuda\n\n\n@numba.cuda.jit\n{DECAY}",
        f"from numba import vectorize as v\n\n\n@v(['f8(f8)'])\n{DECAY}",
        f"import functools, jax\n\n\n@functools.partial(jax.jit, static_argnums=0)\n{DECAY}",
        f"import torch\n\n\n@torch.compile\n{DECAY}",
        f"import tensorflow as tf\n\n\n@tf.function\n{DECAY}",
        f"from .accelerated import njit\n\n\n@njit(cache=True)\n{DECAY}",
        f"try:\n    from numba import jit as fast\nexcept ImportError:\n    fast = None\n\n\n@fast\n{DECAY}",
        f"import numba\n\nfast = numba.vectorize(target='cpu')\n\n\n@fast\n{DECAY}",
        f"import numba\n\n\n{DECAY}\n\nfast = numba.cfunc('f8(f8)')(decay)\n",
        f"from numba import njit\n\n\n{DECAY}\n\ndef later():\n    return njit(decay)(3)\n",
        f"from numba.experimental import jitclass\n\n\n@jitclass\nclass A:\n{textwrap.indent(DECAY, '    ')}",
        f"import numba\n\n\n@numba.njit\ndef outer():\n{textwrap.indent(DECAY, '    ')}    return decay(3)\n",
    ],
)
def test_what_another_compiler_takes_stays(text: str) -> None:
    done = rewritten(text)
    assert not done.changed
    (site,) = done.sites
    assert (site.code, site.verdict) == ("NPR003", "refused[compiled-elsewhere]")
    assert site.message.startswith("`decay` is compiled by ")


@pytest.mark.parametrize(
    "text",
    [
        f"import numba\n\n\n{DECAY}",
        f"import torch\n\n\n@torch.no_grad()\n{DECAY}",
        f"import functools\n\n\n@functools.cache\n{DECAY}",
        f"import nprewrite\n\n\n@nprewrite.jit\n{DECAY}",
        f"from nprewrite import jit\n\n\n@jit\n{DECAY}",
        f"from numba import njit\n\n\n@njit\ndef one(x):\n    return x\n\n\n{DECAY}",
        f"from numba import njit\n\n\n@njit\ndef one(x):\n    return x\n\n\ny = one(3)\n\n\n{DECAY}",
        f"import numba\n\n\nclass A:\n    def decay(self): ...\n\n\nnumba.njit(A.decay)\n\n\n{DECAY}",
    ],
)
def test_the_other_functions_are_rewritten(text: str) -> None:
    done = rewritten(text)
    assert "_decay_step" in done.text
    assert all(site.outcome is Outcome.REWRITTEN for site in done.sites)
