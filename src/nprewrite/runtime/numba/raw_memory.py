"""Python's own functions for memory that compiled loops make and Python frees, or the other way round."""

from __future__ import annotations

import ctypes

resize = ctypes.pythonapi.PyMem_RawRealloc
resize.argtypes, resize.restype = [ctypes.c_void_p, ctypes.c_size_t], ctypes.c_void_p
free = ctypes.pythonapi.PyMem_RawFree
free.argtypes, free.restype = [ctypes.c_void_p], None
