"""The reference kernels in C++ (``cpp/``): NumPy programs written again, from the mathematics.

Arrays are ``numpy.ndarray`` itself, C-contiguous and aligned, float32 or float64 throughout one call, and
never converted: a wrong type or dtype raises TypeError; a wrong number of dimensions, shape, layout or value
raises ValueError. The message names the argument. Numbers are Python's, or NumPy's of the dtype of the
arrays. Results are new arrays. A kernel runs without the interpreter's lock, on as many threads as OpenMP
gives, with the same bits on any number of them; in the main thread, Ctrl-C ends it. No multiplication and
addition are fused.
"""

from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

_Real = TypeVar("_Real", np.float32, np.float64)
_Complex = TypeVar("_Complex", np.complex64, np.complex128)
_Element = TypeVar("_Element", np.float32, np.float64, np.complex64, np.complex128, np.int64)

def mandelbrot(
    x: NDArray[_Real], y: NDArray[_Real], maxiter: int, horizon: float | _Real
) -> tuple[NDArray[np.complexfloating], NDArray[np.int64]]:
    """Iterate z = z*z + c from z = 0, at every point c = x[column] + 1j*y[row].

    Args:
        x: Real parts, shape (columns,).
        y: Imaginary parts, shape (rows,), of the dtype of x.
        maxiter: The number of iterations at most, 0 to 2**31 - 1.
        horizon: A point is inside while abs(z) < horizon; only then it is iterated.

    Returns:
        The last iterates, complex64 or complex128 as x is float32 or float64, shape (rows, columns); and the
        escape times, int64, same shape: the last iteration that found the point inside, and 0 where that is
        the last of all, or none did.
    """

def julia(
    x: NDArray[_Real],
    y: NDArray[_Real],
    c: complex | np.complexfloating,
    maxiter: int,
    horizon: float | _Real,
) -> tuple[NDArray[np.complexfloating], NDArray[np.int64]]:
    """Iterate z = z*z + c from every point z = x[column] + 1j*y[row].

    Args:
        x: Real parts, shape (columns,).
        y: Imaginary parts, shape (rows,), of the dtype of x.
        c: The constant of the set.
        maxiter: The number of iterations at most, 0 to 2**31 - 1.
        horizon: A point is inside while abs(z) < horizon; only then it is iterated.

    Returns:
        The last iterates, complex64 or complex128 as x is float32 or float64, shape (rows, columns); and the
        escape times, int64, same shape: the last iteration that found the point inside, 0 where none did.
    """

def kmeans_assign(points: NDArray[_Real], means: NDArray[_Real]) -> NDArray[np.int64]:
    """Find the nearest mean of every point, in Euclidean distance.

    Args:
        points: Shape (points, dimensions).
        means: Shape (clusters, dimensions), at least one cluster.

    Returns:
        Its row in means, int64, shape (points,): the first of several as near, and where there is one the
        first whose distance is nan, as numpy.argmin has it.
    """

def kmeans_update(
    points: NDArray[_Real], labels: NDArray[np.int64], clusters: int
) -> tuple[NDArray[_Real], NDArray[np.int64]]:
    """Find the mean of the points of every cluster, by compensated sums.

    Args:
        points: Shape (points, dimensions).
        labels: The cluster of each point, shape (points,), from 0 to clusters - 1.
        clusters: How many clusters there are, 0 to 2**31 - 1.

    Returns:
        The means, shape (clusters, dimensions), nan where a cluster has no points; and how many points each
        cluster has, int64, shape (clusters,).
    """

def kuramoto(
    theta: NDArray[_Real], omega: NDArray[_Real], coupling: float | _Real, *, parallel: bool = True
) -> NDArray[_Real]:
    """Find d theta / dt = omega + coupling * sum of sin(theta_neighbour - theta), over the four neighbours.

    No neighbour, no flux: at the edges the sum has fewer terms.

    Args:
        theta: Phases in radians, shape (rows, columns).
        omega: Intrinsic frequencies in radians a unit of time, same shape.
        coupling: The strength of the coupling, in radians a unit of time.
        parallel: On all threads, or on one; the result is the same.

    Returns:
        The rate of change of theta, same shape.
    """

def kuramoto_small_angle(
    theta: NDArray[_Real], omega: NDArray[_Real], coupling: float | _Real, *, parallel: bool = True
) -> NDArray[_Real]:
    """Approximate ``kuramoto`` where differences of phase are small: x for sin(x), which is linear diffusion.

    The error is about coupling * abs(x)**3 / 6 for each neighbour at a difference of x. Arguments and result
    are those of ``kuramoto``.
    """

def jacobi_step(u: NDArray[_Real]) -> NDArray[_Real]:
    """Take one step of Jacobi's iteration for Laplace's equation.

    Args:
        u: Shape (rows, columns).

    Returns:
        The mean of the four neighbours inside, and u itself on the edges; same shape.
    """

def masked_store(
    target: NDArray[_Element], mask: NDArray[np.bool_], values: NDArray[_Element]
) -> NDArray[_Element]:
    """Find what ``target[mask] = values[mask]`` makes of target, in a new array.

    Args:
        target: Any shape; int64 and the complex dtypes too.
        mask: Same shape, bool.
        values: Same shape and dtype as target.

    Returns:
        values where mask is true, else target; same shape.
    """

def complex_multiply_add(
    a: NDArray[_Complex], b: NDArray[_Complex], c: NDArray[_Complex]
) -> NDArray[_Complex]:
    """Compute a*b + c, each part rounded after each operation.

    Args:
        a: Any shape, complex64 or complex128.
        b: Same shape and dtype.
        c: Same shape and dtype.

    Returns:
        Same shape and dtype.
    """

def matrix_sum(matrix: NDArray[np.float32] | NDArray[np.float64]) -> float:
    """Add all elements by compensated summation (Neumaier, 1974).

    Args:
        matrix: Shape (rows, columns).

    Returns:
        The sum, rounded to the dtype of the matrix; 0.0 for no elements.
    """
