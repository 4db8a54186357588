"""Makes libraries of lowered loops, which are loaded without Numba. Importing this module imports Numba.

Numba compiles the loop and a function around it that takes what ctypes passes: arrays as objects, of which it
reads where the elements are, and numbers. LLVM's code goes through the linker; nothing of Numba's own runtime
is left in it but memory, for which the functions below stand.
"""

from __future__ import annotations

import ast
import subprocess
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm
import numba
import numpy as np
from numba.core import types
from numba.core.errors import NumbaError
from numba.extending import intrinsic
from numba.np import arrayobj, numpy_support

from nprewrite.base.processes import cxx_compilers
from nprewrite.base.syntax import text_tree
from nprewrite.runtime.api.importing import import_whole
from nprewrite.runtime.numba.libraries import COMPLEX, ENTRY, NONE, NoLibrary, save, save_reason
from nprewrite.runtime.torch.jobs import LoopJob

_OPTIONS = {"error_model": "numpy", "no_cpython_wrapper": True, "no_cfunc_wrapper": True}
# Where an object of NumPy's has its elements, its lengths and its strides: the ABI of all its versions.
_DATA, _LENGTHS, _STRIDES = 2, 4, 5

_MEMORY = """
declare ptr @malloc(i64)
declare void @free(ptr)

define weak ptr @NRT_MemInfo_alloc_aligned(i64 %size, i32 %align) {
    %room = add i64 %size, 128
    %base = call ptr @malloc(i64 %room)
    %none = icmp eq ptr %base, null
    br i1 %none, label %out, label %made
made:
    %number = ptrtoint ptr %base to i64
    %after = add i64 %number, 127
    %place = and i64 %after, -64
    %data = inttoptr i64 %place to ptr
    store { i64, ptr, ptr, ptr, i64, ptr } { i64 1, ptr null, ptr null, ptr null, i64 0, ptr null }, ptr %base
    %field = getelementptr i8, ptr %base, i64 24
    store ptr %data, ptr %field
    br label %out
out:
    ret ptr %base
}

define weak void @NRT_MemInfo_call_dtor(ptr %memory) {
    call void @free(ptr %memory)
    ret void
}
"""
"""Arrays that a loop makes: the head of 48 bytes that Numba's code reads, and aligned elements after it."""


def _array_of(pointer: Any, kind: Any, *, rows: bool) -> Any:
    """The array of the type ``kind`` that an object of NumPy's is; with ``rows`` the last stride is known."""
    array = kind.instance_type

    def written(context, builder, signature, arguments):  # type: ignore[no-untyped-def]
        word = context.get_value_type(types.intp)
        head = builder.bitcast(arguments[0], word.as_pointer())
        element = context.get_data_type(array.dtype)

        def words(base: Any, places: Iterable[int]) -> list[Any]:
            return [builder.load(builder.gep(base, [word(each)])) for each in places]

        data, *axes = words(head, (_DATA, _LENGTHS, _STRIDES))
        lengths, strides = (
            words(builder.inttoptr(each, word.as_pointer()), range(array.ndim)) for each in axes
        )
        if rows:
            strides = [*strides[:-1], word(context.get_abi_sizeof(element))]
        made = arrayobj.make_array(array)(context, builder)
        arrayobj.populate_array(
            made,
            data=builder.inttoptr(data, element.as_pointer()),
            shape=lengths,
            strides=strides,
            itemsize=word(context.get_abi_sizeof(element)),
            meminfo=None,
        )
        return made._getvalue()

    return array(pointer, kind), written


@intrinsic
def _as_array(context, pointer, kind):  # type: ignore[no-untyped-def]
    return _array_of(pointer, kind, rows=False)


@intrinsic
def _as_rows(context, pointer, kind):  # type: ignore[no-untyped-def]
    return _array_of(pointer, kind, rows=True)


def make(job: LoopJob) -> None:
    """Write the library of the function ``lowered`` for such arguments, or the reason why there can be none.

    Raises ``OSError``.
    """
    path = Path(job.path)
    try:
        save(_linked(_object(job.source, job.kinds)), path)
    except NoLibrary as problem:
        save_reason(problem, path)
    except NumbaError as error:
        save_reason(NoLibrary(f"{type(error).__name__}: {str(error).strip().splitlines()[0]}"), path)


def _object(source: str, kinds: Sequence[str]) -> bytes:
    import_whole("nprewrite.runtime.numba.kernels")
    types_of = {f"kind{k}": _type(each) for k, each in enumerate(kinds) if each != NONE}
    module = {"__name__": "nprewrite_native", "as_array": _as_array, "as_rows": _as_rows, **types_of}
    exec(compile(_entry(source, kinds), "<lowered>", "exec"), module)
    entry = numba.njit(**_OPTIONS)(module["lowered"])
    entry.compile(tuple([passed for each in types_of.values() for passed in _passed(each)]))
    (compiled,) = entry.overloads.values()
    try:
        return _machine_code(compiled.library.get_llvm_str(), compiled.fndesc.llvm_func_name)
    except RuntimeError as error:
        raise NoLibrary(f"LLVM says {str(error).splitlines()[0]}") from error


def _entry(source: str, kinds: Sequence[str]) -> ast.Module:
    """The text with ``lowered`` made a function of what ctypes passes, which is no ``None``."""
    tree = text_tree(source)
    # A reduction has functions of its own above it.
    function = next(
        each for each in tree.body if isinstance(each, ast.FunctionDef) and each.name == "lowered"
    )
    function.decorator_list = []
    given = []
    for k, (parameter, kind) in enumerate(zip(function.args.args, kinds, strict=True)):
        name = parameter.arg
        if kind == NONE:
            given.append(f"{name} = None")
        elif "," in kind:
            made = "as_rows" if kind.split(",")[2] == "R" else "as_array"
            given.append(f"{name} = {made}(object{k}, kind{k})")
            parameter.arg = f"object{k}"
        elif kind in COMPLEX:
            given.append(f"{name} = np.{kind}(complex(real{k}, imag{k}))")
            parameter.arg = f"real{k}"
    passed = zip(function.args.args, kinds, strict=True)
    function.args.args = [part for k, (each, kind) in enumerate(passed) for part in _parts(each, kind, k)]
    function.body = [*text_tree("\n".join(given)).body, *function.body]
    return tree


def _parts(parameter: ast.arg, kind: str, k: int) -> list[ast.arg]:
    if kind == NONE:
        return []
    return [parameter, ast.copy_location(ast.arg(f"imag{k}"), parameter)] if kind in COMPLEX else [parameter]


def _passed(kind: Any) -> tuple[Any, ...]:
    """Numba's types of what ctypes passes for an argument of this type."""
    if isinstance(kind, types.Complex):
        return types.float64, types.float64
    return (types.voidptr if isinstance(kind, types.Array) else kind,)


def _type(kind: str) -> Any:
    """Numba's type of an argument: ``float64`` is a number, ``float64,2,C`` an array."""
    dtype, *array = kind.split(",")
    element = numpy_support.from_dtype(np.dtype(dtype))
    if not array:
        return element
    array_of: Any = types.Array
    layout = array[1].replace("R", "A")
    return array_of(element, int(array[0]), layout, aligned="packed" not in array)


def _machine_code(text: str, name: str) -> bytes:
    """The object file of a module of LLVM's, in which ``name`` is the function to call."""
    module = llvm.parse_assembly(text)
    module.get_function(name).name = ENTRY
    module.link_in(llvm.parse_assembly(_MEMORY))
    module.verify()
    machine = llvm.Target.from_triple(llvm.get_process_triple()).create_target_machine(
        cpu=llvm.get_host_cpu_name(),
        features=llvm.get_host_cpu_features().flatten(),
        opt=3,
        reloc="pic",
        codemodel="default",
    )
    made: bytes = machine.emit_object(module)
    return made


def _linked(code: bytes) -> bytes:
    linker = next(cxx_compilers(), None)
    if linker is None:
        raise NoLibrary("there is no C++ compiler to link it")
    with tempfile.TemporaryDirectory(prefix="nprewrite-") as folder:
        before, after = Path(folder, "loop.o"), Path(folder, "loop.so")
        before.write_bytes(code)
        said = subprocess.run(
            [linker, "-shared", "-o", str(after), str(before), "-lm"], capture_output=True, text=True
        )
        if said.returncode:
            raise NoLibrary(f"{linker} says {said.stderr.strip().splitlines()[-1:]}")
        return after.read_bytes()
