"""Every private name of torch with which steps are compiled, loaded and explained; no other module has one.

Tried with torch 2.13.0. Each is loaded when it is first asked for, so that loading a package imports no
compiler. The comments say which public way would replace a name.
"""

from __future__ import annotations

from nprewrite.runtime.api.importing import named_objects

_NAMES = {
    # None: the options of torch.compile take graph passes of this class only ("post_grad_custom_post_pass").
    "CustomGraphPass": "torch._inductor.custom_graph_pass:CustomGraphPass",
    "get_hash_for_files": "torch._inductor.custom_graph_pass:get_hash_for_files",
    # None: an operation that Inductor stores to memory, and fuses with what comes before. It does not fuse
    # those of torch.library.custom_op.
    "realize": "torch._inductor.test_operators:torch.ops._inductor_test.realize.default",
    # torch.fx.subgraph_rewriter, had it patterns for chains of views of any length.
    "generalized_scatter": "torch._inductor.fx_passes.reinplace:_generalized_scatter",
    "canonicalize_view_scatter_ops": "torch._inductor.fx_passes.reinplace:canonicalize_view_scatter_ops",
    "graph_call_function": "torch._inductor.fx_passes.reinplace:graph_call_function",
    "is_view_op": "torch.fx.passes.reinplace:_is_view_op",
    # torch.OpOverload and torch.compiler's own errors, once they have public names.
    "OpOverload": "torch._ops:OpOverload",
    "Unsupported": "torch._dynamo.exc:Unsupported",
    "TorchRuntimeError": "torch._dynamo.exc:TorchRuntimeError",
    # torch.export with torch.export.Dim.AUTO, for a step that is exported and not traced.
    "maybe_mark_dynamic": "torch._dynamo:maybe_mark_dynamic",
    # torch.compiler has no public times yet.
    "compilation_time_metrics": "torch._dynamo.utils:compilation_time_metrics",
    # torch._inductor.aoti_compile_and_package, had its packages kernels that take NumPy's memory.
    "AsyncCompile": "torch._inductor.async_compile:AsyncCompile",
    "codecache": "torch._inductor.codecache",
    "compile_fx": "torch._inductor.compile_fx:compile_fx",
    "compile_fx_inner": "torch._inductor.compile_fx:compile_fx_inner",
    "detect_fake_mode": "torch._guards:detect_fake_mode",
    "PythonPrinter": "torch.utils._sympy.printers:PythonPrinter",
    # The device "meta", had its tensors strides as those of the CPU.
    "FakeTensorMode": "torch._subclasses.fake_tensor:FakeTensorMode",
    # torch.fx.node.map_arg.
    "tree_map_only": "torch.utils._pytree:tree_map_only",
    "unset_fake_temporarily": "torch._subclasses.fake_tensor:unset_fake_temporarily",
    # torch.empty_strided and torch.as_strided, at several times the cost of a call.
    "empty_strided_cpu": "torch._C:_dynamo.guards._empty_strided_cpu",
    "reinterpret_tensor": "torch._C:_dynamo.guards._reinterpret_tensor",
    # `nprewrite explain`: TORCH_LOGS and TORCH_COMPILE_DEBUG write the same to terminals and files.
    "inductor_config": "torch._inductor.config",
    "ir": "torch._inductor.ir",
    "loop_body": "torch._inductor.loop_body",
    "CSE": "torch._inductor.codegen.common:CSE",
    "V": "torch._inductor.virtualized:V",
    "set_logs": "torch._logging:set_logs",
}

DEBUG_LOGGER = "torch._inductor.debug"
"""The logger that prints the path of a trace. torch.compiler has no public setting for that."""


def dynamic_axes(tensor: object) -> frozenset[int]:
    """The axes that ``maybe_mark_dynamic`` has marked."""
    return frozenset(getattr(tensor, "_dynamo_weak_dynamic_indices", ()))


__getattr__ = named_objects(__name__, _NAMES)
