"""Defaults that are computed when the function is defined, and stay what they are."""

import numpy as np
import numpy.typing as npt

import nprewrite
import nprewrite.runtime as npr

WIDTH = 0.25


def wave(x, t, speed=2 * np.pi, width=WIDTH, phase=-np.pi / 4):
    return np.sin(speed * (x - t) + phase) * np.exp(-x * x / width)


@npr.step(
    scalars={"scalar_float64": "float64", "scalar_float64_1": "float64", "scalar_float64_2": "float64"},
    constants={"wave_speed": "float64", "t": "float64", "wave_phase": "float64", "wave_width": "float64"},
    inputs={"x": "float64"},
    out={"result": "float64"},
    once=True,
    compile=True,
)
def _superposed_region(scalar_float64, scalar_float64_1, scalar_float64_2, wave_speed, t, wave_phase, wave_width, x):
    """Lines of `superposed`."""
    first = np.sin(wave_speed * (x - t) + wave_phase) * np.exp(-x * x / wave_width)
    wave_value = np.sin(scalar_float64 * (x - scalar_float64_1) + scalar_float64_2) * np.exp(-x * x / 0.5)
    result = first + wave_value
    return (result,)


@nprewrite.jit
def superposed(x: npt.NDArray[np.float64], t: float):
    wave_speed = 2 * np.pi
    wave_width = WIDTH
    wave_phase = -np.pi / 4
    for once in (region := _superposed_region.over(
        range(1),
        scalars=lambda once: (2 * np.pi, -t, -np.pi / 4),
        wave_speed=wave_speed,
        t=t,
        wave_phase=wave_phase,
        wave_width=wave_width,
        x=x,
    )):
        first = np.sin(wave_speed * (x - t) + wave_phase) * np.exp(-x * x / wave_width)
        wave_t = -t
        wave_speed_1 = 2 * np.pi
        wave_phase_1 = -np.pi / 4
        wave_value = np.sin(wave_speed_1 * (x - wave_t) + wave_phase_1) * np.exp(-x * x / 0.5)
        return first + wave_value
    del wave_phase, wave_speed, wave_width
    (result,) = region.results
    return result


def cases():
    yield "superposed", (np.linspace(-1, 1, 50), 0.3)
