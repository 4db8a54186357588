"""Every private name of torch with which arrays are computed on a device: no other module here uses one.

Tried with torch 2.13.0. Each is loaded when it is first asked for. The comments say which public way would
replace it.
"""

from __future__ import annotations

from nprewrite.runtime.api.importing import named_objects

NUMPY = "torch._numpy"
_NAMES = {
    # The array API (`array_api_compat.torch`), where that has NumPy's functions and its rules for dtypes.
    "numpy": NUMPY,
    # torch.get_default_device, at ten times the cost.
    "function_modes": "torch._C:_len_torch_function_stack",
    "pop_mode_temporarily": "torch.overrides:_pop_mode_temporarily",
    # torch.utils.data workers and `torch.cuda.init` only raise: nothing asks whether a fork broke CUDA.
    "is_in_bad_fork": "torch.cuda:_is_in_bad_fork",
    # torch.compile(mode=...), which takes no other options beside it.
    "list_mode_options": "torch._inductor:list_mode_options",
    # None: only torch's log tells that a graph was not made.
    "counters": "torch._dynamo.utils:counters",
}

__getattr__ = named_objects(__name__, _NAMES)
