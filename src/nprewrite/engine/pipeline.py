"""The passes in their order, over a module's text."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from nprewrite.base.errors import reported
from nprewrite.engine.deep import with_room
from nprewrite.engine.engine import Run
from nprewrite.engine.outcomes import Decorated, Given, InternalError, Options, Rewriting, faults_of
from nprewrite.engine.parsing import parse
from nprewrite.engine.suppressions import Suppressions
from nprewrite.passes.batch_reduction import BatchReduction
from nprewrite.passes.branchless import Branchless
from nprewrite.passes.chunk_loop import ChunkLoop
from nprewrite.passes.compile_region import CompileRegion
from nprewrite.passes.compile_step import CompileStep
from nprewrite.passes.complex_pairs import ComplexPairs
from nprewrite.passes.contract import RewritePass
from nprewrite.passes.explicit_scalars import ExplicitScalars
from nprewrite.passes.extract_part import ExtractPart
from nprewrite.passes.extract_step import ExtractStep
from nprewrite.passes.float32 import Float32
from nprewrite.passes.fourier_transform import FourierTransform
from nprewrite.passes.inline_call import InlineCall
from nprewrite.passes.loop_distribute import LoopDistribute
from nprewrite.passes.loop_in_graph import LoopInGraph
from nprewrite.passes.mask_positions import MaskPositions
from nprewrite.passes.masked_reduction import MaskedReduction
from nprewrite.passes.masked_store import MaskedStore
from nprewrite.passes.native_loop import NativeLoop
from nprewrite.passes.native_sweep import NativeSweep
from nprewrite.passes.rare_branch import RareBranch
from nprewrite.passes.reassociate import Reassociate
from nprewrite.passes.separate_operand import SeparateOperand
from nprewrite.passes.simplify_call import SimplifyCall
from nprewrite.passes.simplify_store import SimplifyStore
from nprewrite.passes.slice_accumulate import SliceAccumulate
from nprewrite.passes.small_arrays import SmallArrays
from nprewrite.passes.unroll_comprehension import UnrollComprehension
from nprewrite.passes.unroll_loop import UnrollLoop
from nprewrite.passes.vectorize_loop import VectorizeLoop
from nprewrite.passes.written_index import WrittenIndexPass
from nprewrite.source.stars import may_be_rewritten, may_use_numpy
from nprewrite.types.observed import Observed

PASSES: tuple[RewritePass[Any, Any], ...] = (
    InlineCall(),
    WrittenIndexPass(),
    Float32(),
    LoopDistribute(),
    VectorizeLoop(),
    NativeSweep(),
    BatchReduction(),
    RareBranch(),
    SmallArrays(),
    UnrollComprehension(),
    UnrollLoop(),
    ExplicitScalars(),
    SimplifyCall(),
    SimplifyStore(),
    Reassociate(),
    FourierTransform(),
    SeparateOperand(),
    ExtractStep(),
    ExtractPart(),
    CompileRegion(),
    NativeLoop(),
    Branchless(),
    MaskedReduction(),
    MaskedStore(),
    ComplexPairs(),
    SliceAccumulate(),
    ChunkLoop(),
    MaskPositions(),
    CompileStep(),
    LoopInGraph(),
)


EXTRACTING = frozenset(each.code for each in PASSES if each.extracts)
SERVING_OTHERS = frozenset(each.code for each in PASSES if each.serves_others)
_CODES = frozenset(each.code for each in PASSES)


def rewrite_source(
    text: str,
    filename: str,
    options: Options,
    given: Given | None = None,
    only: str | None = None,
    observed: Observed | None = None,
    own: frozenset[str] | None = None,
    held: frozenset[str] = frozenset(),
) -> Rewriting:
    """Run the selected passes over a module's text.

    ``given`` holds argument types seen at a call, by qualified function name; ``only`` limits the passes to
    one function, ``observed`` holds what its expressions were while it ran, and ``own`` the names that stand
    for the module's own functions when it is called; functions that are ``held`` stay as they are. Raises
    ``SourceProblem`` when the text does not parse and ``InternalError`` when a pass fails, or what it makes
    does not compile.
    """
    # Where text is written back, files without NumPy stay as they are: people read them, and import them.
    runs = only is not None or options.decorated is Decorated.ARRAY_CODE
    if not (may_be_rewritten(text) if runs else may_use_numpy(text)):
        parse(text)
        unused = Suppressions(text).unused(options, _CODES) if only is None else ()
        return Rewriting(text, text, tuple(unused))
    run = Run(PASSES, text, filename, options, given or {}, only, observed or {}, own, held)
    with faults_of("rewriting"):
        return with_room(run.rewriting)()


def rewrite_around_faults(text: str, filename: str, options: Options) -> Rewriting:
    """`rewrite_source`; functions in which a pass fails stay as they are, and the outcome says why.

    Raises ``InternalError`` where none can be named.
    """
    held: frozenset[str] = frozenset()
    faults: list[str] = []
    while True:
        try:
            done = rewrite_source(text, filename, options, held=held)
        except InternalError as fault:
            if fault.functions <= held:
                raise
            faults.append(_told(fault, held))
            held |= fault.functions
        else:
            return replace(done, faults=tuple(faults))


def _told(fault: InternalError, held: frozenset[str]) -> str:
    """What runs as written, and why."""
    names = sorted(fault.functions - held)
    words = ["the code outside of functions" if each == "<module>" else f"`{each}`" for each in names]
    runs = "runs" if len(words) == 1 else "run"
    return f"{', '.join(words)} {runs} as written: {reported(fault)}"
