"""A name stands for whether a test holds, where a call in it is behind an `or`, or an `else` follows."""

import numpy as np
import numpy.typing as npt

import nprewrite
import nprewrite.runtime as npr


def near(x, i):
    total, weight = 0.0, 1.0
    for k in range(3):
        total += weight * x[i + k]
        weight *= 0.5
    return total


@npr.step(
    inputs={"mask": "bool", "value": "float64"},
    carried={"near_value": "float64", "near_weight": "float64"},
    given=("value",),
    once=True,
    compile=True,
)
def _chosen_step(mask, value, near_value, near_weight):
    """The array statements of an iteration of the loop in `chosen`."""
    near_value = np.where(mask, near_value + near_weight * value, near_value)
    near_weight = np.where(mask, near_weight * 0.5, near_weight)
    return near_value, near_weight


@npr.step(
    inputs={"mask_4": "bool", "value_1": "float64"},
    carried={"near_value_1": "float64", "near_weight_1": "float64"},
    given=("value_1",),
    once=True,
    compile=True,
)
def _chosen_step_1(mask_4, value_1, near_value_1, near_weight_1):
    """The array statements of an iteration of the loop in `chosen`."""
    near_value_1 = np.where(mask_4, near_value_1 + near_weight_1 * value_1, near_value_1)
    near_weight_1 = np.where(mask_4, near_weight_1 * 0.5, near_weight_1)
    return near_value_1, near_weight_1


@npr.step(
    inputs={"x": "float64"},
    out={"holds": "bool", "mask": "bool"},
    once=True,
    compile=True,
)
def _chosen_region(x):
    """Lines of `chosen`."""
    holds = np.full(x.shape[0] - 3, True, dtype=np.bool)
    mask = ~(x[:-3] > 0.9)
    return holds, mask


@npr.step(
    inputs={"x": "float64"},
    out={"holds_1": "bool", "mask_4": "bool"},
    once=True,
    compile=True,
)
def _chosen_region_1(x):
    """Lines of `chosen`."""
    holds_1 = np.zeros(x.shape[0] - 3, dtype=np.bool)
    mask_4 = (x[:-3] > 0.25) & (x[:-3] < 0.75)
    return holds_1, mask_4


@nprewrite.jit
def chosen(x: npt.NDArray[np.float64], least: float):
    n = 0
    if npr.quiet() and npr.are_arrays(np.float64, 1, x) and x.shape[0] >= 4:
        with np.errstate(all="ignore"):
            for once in (region := _chosen_region.over(range(1), x=x)):
                holds = np.full(x.shape[0] - 3, True, dtype=np.bool)
                mask = ~(x[:-3] > 0.9)
            if region.finished:
                (holds, mask) = region.results
            del region
            near_value = np.zeros(x.shape[0] - 3)
            near_weight = np.full(x.shape[0] - 3, 1.0, dtype=np.float64)
            with _chosen_step.running(
                mask=mask,
                near_value=near_value,
                near_weight=near_weight,
            ) as run:
                for near_k in range(3):
                    run.store()
                    value = x[near_k:near_k + x.shape[0] - 3]
                    if run.advance(value=value):
                        (near_value, near_weight) = run.results
                    else:
                        near_value = np.where(mask, near_value + near_weight * value, near_value)
                        near_weight = np.where(mask, near_weight * 0.5, near_weight)
                    del value
            mask_2 = mask & ~(near_value < least)
            del mask
            holds = np.where(mask_2, False, holds)
            del mask_2
            mask_3 = holds
            n = n + int(np.count_nonzero(mask_3))
            del mask_3
            for once_1 in (region_1 := _chosen_region_1.over(range(1), x=x)):
                holds_1 = np.zeros(x.shape[0] - 3, dtype=np.bool)
                mask_4 = (x[:-3] > 0.25) & (x[:-3] < 0.75)
            if region_1.finished:
                (holds_1, mask_4) = region_1.results
            del region_1
            near_value_1 = np.zeros(x.shape[0] - 3)
            near_weight_1 = np.full(x.shape[0] - 3, 1.0, dtype=np.float64)
            with _chosen_step_1.running(
                mask_4=mask_4,
                near_value_1=near_value_1,
                near_weight_1=near_weight_1,
            ) as run_1:
                for near_k_1 in range(3):
                    run_1.store()
                    value_1 = x[near_k_1:near_k_1 + x.shape[0] - 3]
                    if run_1.advance(value_1=value_1):
                        (near_value_1, near_weight_1) = run_1.results
                    else:
                        near_value_1 = np.where(mask_4, near_value_1 + near_weight_1 * value_1, near_value_1)
                        near_weight_1 = np.where(mask_4, near_weight_1 * 0.5, near_weight_1)
                    del value_1
            mask_5 = mask_4 & (near_value_1 > least)
            del mask_4
            holds_1 = np.where(mask_5, True, holds_1)
            del mask_5
            mask_6 = holds_1
            n = n + 4 * int(np.count_nonzero(mask_6))
            mask_7 = ~mask_6
            del mask_6
            n = n + 8 * int(np.count_nonzero(mask_7))
            del mask_7
    else:
        for i in range(len(x) - 3):
            holds = True
            if not (x[i] > 0.9):
                near_value = 0.0
                near_weight = 1.0
                for near_k in range(3):
                    near_value += near_weight * x[i + near_k]
                    near_weight *= 0.5
                if not (near_value < least):
                    holds = False
            if holds:
                n += 1
            holds_1 = False
            if x[i] > 0.25 and x[i] < 0.75:
                near_value_1 = 0.0
                near_weight_1 = 1.0
                for near_k_1 in range(3):
                    near_value_1 += near_weight_1 * x[i + near_k_1]
                    near_weight_1 *= 0.5
                if near_value_1 > least:
                    holds_1 = True
            if holds_1:
                n += 4
            else:
                n += 8
    return n


def cases():
    yield "chosen", (np.sin(np.arange(40.0)) ** 2, 0.8)
