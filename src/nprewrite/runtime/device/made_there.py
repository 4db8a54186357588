"""Makes a step's own arrays on its device: torch.compile puts ``np.zeros(n)`` on the CPU. Imports torch."""

from __future__ import annotations

import builtins
import sys
import types
from collections.abc import Callable
from typing import Any

import numpy as np
import torch

from nprewrite.numpy_api.creation import CREATION
from nprewrite.runtime.api.backend import StepFunction


def making_on(device: torch.device, function: StepFunction) -> StepFunction:
    """The step with a NumPy whose functions make arrays on ``device``."""
    assert isinstance(function, types.FunctionType)
    made = {name for name, made in CREATION.items() if made.step and made.rule not in ("like", "grid")}
    makers = made.intersection(function.__code__.co_names)
    if not makers:
        return function
    numpy = types.ModuleType("numpy_on_device")
    vars(numpy).update({name: getattr(np, name) for name in np.__all__})
    vars(numpy).update({name: _there(getattr(np, name), device) for name in makers})
    # Dynamo looks names up by the name of their module.
    scope = types.ModuleType(f"{__name__}.{function.__name__}_{id(numpy)}")
    sys.modules[scope.__name__] = scope
    own = {"__name__": scope.__name__, "__builtins__": builtins}
    known = {name: numpy if value is np else value for name, value in function.__globals__.items()}
    vars(scope).update(known | own)
    return types.FunctionType(
        function.__code__, vars(scope), function.__name__, function.__defaults__, function.__closure__
    )


def _there(make: Callable[..., Any], device: torch.device) -> Callable[..., Any]:
    def made(*arguments: Any, **options: Any) -> Any:
        return torch.as_tensor(make(*arguments, **options)).to(device).numpy()

    return made
