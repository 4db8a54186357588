"""Lowers scalar loops to typed text for Numba that computes what Python and NumPy would, or says why not.

Nothing here runs the user's program or imports Numba: the passes ask whether a loop can be lowered, the
runtime asks for the text.
"""

from nprewrite.lowering.arrays import (
    Argument,
    ArrayArgument,
    Entry,
    GeneratorArgument,
    ListArgument,
    NumberArgument,
    TupleArgument,
)
from nprewrite.lowering.draws import Draws
from nprewrite.lowering.iterations import Carrying, looped
from nprewrite.lowering.lane_pass import LaneView, Pass
from nprewrite.lowering.lanewise_loops import LaneNest, lane_nest
from nprewrite.lowering.list_items import Column, Items
from nprewrite.lowering.lists import HeldList
from nprewrite.lowering.lower import Lowered, lower
from nprewrite.lowering.numbers import (
    BOOL,
    CHARACTER,
    COMPLEX,
    FLOAT,
    INT,
    NONE,
    NUMBERS,
    Number,
    number_of,
    of_dtype,
    of_real_dtype,
)
from nprewrite.lowering.problems import Event, Fault, NotNative, Place
from nprewrite.lowering.reductions import BLOCK, EXTREMES, Reduced, block_loop, of_rows, reduced, reduction_of
from nprewrite.lowering.single_assignment import Iteration, single_assignment
from nprewrite.lowering.tuples import tuple_lengths

__all__ = [
    "BLOCK",
    "BOOL",
    "CHARACTER",
    "COMPLEX",
    "EXTREMES",
    "FLOAT",
    "INT",
    "NONE",
    "NUMBERS",
    "Argument",
    "ArrayArgument",
    "Carrying",
    "Column",
    "Draws",
    "Entry",
    "Event",
    "Fault",
    "GeneratorArgument",
    "HeldList",
    "Items",
    "Iteration",
    "LaneNest",
    "LaneView",
    "ListArgument",
    "Lowered",
    "NotNative",
    "Number",
    "NumberArgument",
    "Pass",
    "Place",
    "Reduced",
    "TupleArgument",
    "block_loop",
    "lane_nest",
    "looped",
    "lower",
    "number_of",
    "of_dtype",
    "of_real_dtype",
    "of_rows",
    "reduced",
    "reduction_of",
    "single_assignment",
    "tuple_lengths",
]
