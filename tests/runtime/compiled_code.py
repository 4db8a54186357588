"""A function of arrays compiled with the options of steps, and the code that is made of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np


def compiled(function: Callable[..., Any], *arrays: np.ndarray) -> tuple[np.ndarray, str]:
    """What the compiled function gives, and the text of its program."""
    import torch
    from torch._inductor.utils import run_and_get_code

    from nprewrite.runtime.torch.graph import WHOLE_OPTIONS

    def step(*tensors: Any) -> Any:
        return torch.as_tensor(function(*[each.numpy() for each in tensors]))

    made = torch.compile(step, fullgraph=True, options=WHOLE_OPTIONS)
    result, codes = run_and_get_code(made, *map(torch.from_numpy, arrays))
    return result.numpy(), "\n".join(codes)
