"""The arrays and numbers that a random program starts with: parameters, constructors, copies, views."""

from __future__ import annotations

from random_scope import COMPLEX, FLOATS, INTEGERS, Scope, Variable
from random_statements import Lines

# Names that the rewriter would choose itself.
_TAKEN = ["loop", "mask", "t", "npr", "x_re", "z_im", "scalar_float64", "results", "t_1", "_run_step", "np_"]
_NAMES = {
    "f": ["x", "y", "u", "w", "a", "h", "p", "q"],
    "i": ["k", "count", "last"],
    "c": ["z", "c", "psi"],
    "b": ["solid", "flags"],
}
_SAME_MEMORY = [
    "{x}",
    "{x}[:]",
    "{x}[...]",
    "{x}[::-1]",
    "{x}.T",
    "{x}.view()",
    "{x}.reshape({x}.shape)",
    "{x}.ravel().reshape({x}.shape)",
    "{x}.squeeze()",
    "np.asarray({x})",
    "np.ascontiguousarray({x})",
    "np.atleast_1d({x})",
    "np.reshape({x}, {x}.shape)",
    "np.transpose({x})",
    "np.real({x})",
    "{x}.real",
    "{x}.swapaxes(0, -1)",
    "np.array({x}, copy=False)",
    "{x}.astype({x}.dtype, copy=False)",
    "np.broadcast_to({x}, {x}.shape)",
    "np.flip({x})",
    "np.vstack([{x}, {x}])[0]",
    "np.conj({x})",
    "+{x}",
    "np.squeeze({x})[...]",
]
SHAPES = {1: "size", 2: "(rows, size)", 3: "(2, rows, size)"}


def arrays(scope: Scope) -> Lines:
    """Make two to four arrays: parameters, and arrays made from them or from sizes."""
    rng = scope.rng
    main = rng.choice([*FLOATS * 3, *COMPLEX, "int64", "int32"])
    others = [main, main, *FLOATS, *INTEGERS, "bool", *COMPLEX[: main[0] == "c"]]
    dtypes = [main, *(rng.choice(others) for _ in range(rng.choice([1, 1, 2, 2, 3])))]
    from_arguments = scope.chance(0.5)
    lines = []
    for index, dtype in enumerate(dtypes):
        kind = Variable("", dtype).kind
        name = scope.fresh(*(_TAKEN if scope.chance(0.04) else _NAMES[kind]))
        parameter = from_arguments and (index == 0 or scope.chance(0.5))
        if not parameter:
            lines.append(f"{name} = {_constructed(scope, dtype)}")
        scope.variables.append(Variable(name, dtype, parameter=parameter))
    if scope.rank > 1 and main in FLOATS and scope.chance(0.3):
        row = scope.fresh("row", "profile")
        model = scope.variables[0]
        value = f"{model.name}[0].copy()" if scope.rank == 2 else f"{model.name}[0, 0].copy()"
        lines.append(f"{row} = {value}")
        scope.variables.append(Variable(row, main, "row"))
    return lines


def _constructed(scope: Scope, dtype: str) -> str:
    models = scope.arrays("ficb")
    if models and scope.chance(0.5 if not models[0].parameter else 1):
        return _from_model(scope, dtype, scope.rng.choice(models))
    shape = SHAPES[scope.rank]
    count = {1: "size", 2: "rows * size", 3: "2 * rows * size"}[scope.rank]
    reshaped = "" if scope.rank == 1 else f".reshape({shape.strip('()')})"
    named = scope.rng.choice([f"np.{dtype}", f"'{dtype}'"])
    choices = {
        "f": [
            f"np.linspace(-1, 1, {count}, dtype={named}){reshaped}",
            f"np.linspace(0, 2, {count}, dtype={named}){reshaped}",
            f"np.zeros({shape}, dtype={named})",
            f"np.full({shape}, 0.5, dtype={named})",
            f"np.arange({count}, dtype={named}){reshaped} / 4",
            f"np.cos(np.arange({count}, dtype={named})){reshaped}",
        ],
        "i": [
            f"np.arange({count}, dtype={named}){reshaped}",
            f"np.zeros({shape}, dtype={named})",
            f"np.full({shape}, 3, dtype={named})",
        ],
        "b": [f"np.zeros({shape}, dtype=bool)", f"np.arange({count}){reshaped} % 3 == 0"],
        "c": [
            f"np.zeros({shape}, dtype={named})",
            f"np.full({shape}, 0.3 - 0.2j, dtype={named})",
            f"np.linspace(-1 - 1j, 1 + 0.5j, {count}, dtype={named}){reshaped}",
            f"np.exp(1j * np.arange({count})){reshaped}.astype({named})",
        ],
    }
    return scope.rng.choice(choices[Variable("", dtype).kind])


def _from_model(scope: Scope, dtype: str, model: Variable) -> str:
    name = model.name
    dtype = "bool" if dtype == "bool" else f"np.{dtype}"
    choices = [
        f"np.zeros_like({name}, dtype={dtype})",
        f"np.zeros({name}.shape, dtype={dtype})",
        f"np.full({name}.shape, 1, dtype={dtype})",
        f"np.ones_like({name}, dtype={dtype})",
    ]
    if model.kind != "c" or dtype.startswith("np.c"):
        choices += [f"{name}.astype({dtype})"] * 2
    if dtype == f"np.{model.dtype}":
        choices += [f"{name}.copy()", f"np.zeros_like({name})", f"{name} + 1", f"{name} * 2"]
        choices += [f"np.array({name})"]
    if dtype == f"np.{model.dtype}" and scope.chance(0.2):
        choices = [each.format(x=name) for each in _SAME_MEMORY]
    return scope.rng.choice(choices)


def numbers(scope: Scope) -> Lines:
    """Up to three scalars: parameters, Python's and NumPy's numbers."""
    lines = []
    for _ in range(scope.rng.choice([0, 0, 1, 1, 2, 3])):
        kinds = "".join(each.kind for each in scope.variables)
        dtype = scope.rng.choice(["float", "float", "float", "int", *(["complex"] if "c" in kinds else [])])
        wanted = {"float": ("rate", "dt", "bound"), "int": ("shift", "level"), "complex": ("offset",)}[dtype]
        name = scope.fresh(*wanted)
        form = scope.rng.choice(["parameter", "parameter", "literal", "numpy"])
        if form != "parameter":
            value = {"float": "0.3", "int": "2", "complex": "0.1 + 0.2j"}[dtype]
            first = scope.rng.choice(scope.variables)
            place = ", ".join(["0"] * (1 if first.shape == "row" else scope.rank))
            picked = f"{first.name}[{place}]" if scope.chance(0.5) else f"{first.name}.mean()"
            wide = {"float": "float32", "int": "int64", "complex": "complex64"}[dtype]
            numpy_value = scope.rng.choice([f"np.{wide}({value})", picked])
            lines.append(f"{name} = {value if form == 'literal' else numpy_value}")
        scope.numbers.append(Variable(name, dtype, "number", parameter=form == "parameter"))
    return lines
