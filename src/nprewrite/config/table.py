"""``[tool.nprewrite]`` in one declaration: what is read, the JSON Schema and the reference are made from it.

The words of a key are its name in Python with hyphens; what is not set is not there.
"""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from msgspec import UNSET, Meta, UnsetType

from nprewrite.config.settings import Accumulate, LevelName, OnFallback, PrecisionName, Verify


class Table(msgspec.Struct, rename="kebab", forbid_unknown_fields=True, frozen=True):
    """The settings of nprewrite in a pyproject.toml."""

    level: Annotated[LevelName, Meta(description="What a rewrite may change about the results.")] = "rounding"
    select: Annotated[
        tuple[str, ...] | UnsetType,
        Meta(description="Run only these passes: by code, beginning of a code, or name."),
    ] = UNSET
    ignore: Annotated[tuple[str, ...], Meta(description="Run all passes but these.")] = ()
    per_file_ignores: Annotated[
        dict[str, tuple[str, ...]],
        Meta(description="For files that match the pattern, leave these passes out as well."),
    ] = {}
    exclude: Annotated[
        tuple[str, ...],
        Meta(
            description="Leave these paths alone: patterns as in `.gitignore`, relative to the file's folder."
        ),
    ] = ()
    packages: Annotated[
        tuple[str, ...],
        Meta(description="What `nprewrite run` rewrites, in place of the whole project."),
    ] = ()
    verify: Annotated[
        Verify | UnsetType,
        Meta(
            description="Give top-level functions `@nprewrite.jit(verify=...)`: their first call is compared."
        ),
    ] = UNSET
    on_fallback: Annotated[
        OnFallback,
        Meta(description="Whether code that has to run as written warns, or raises `FallbackError`."),
    ] = "warn"
    precision: Annotated[
        PrecisionName | UnsetType,
        Meta(description='Compute in float32 and complex64; needs `level = "fast"`.'),
    ] = UNSET
    accumulate: Annotated[
        Accumulate, Meta(description="With `precision`: the dtype in which sums are accumulated.")
    ] = "float64"
    keep_output_dtype: Annotated[
        bool, Meta(description="With `precision`: results have the dtype that NumPy would give.")
    ] = False
    keep_float64: Annotated[
        tuple[str, ...],
        Meta(description="With `precision`: names inside of functions that stay in float64."),
    ] = ()


FIELDS = {each.encode_name: each for each in msgspec.structs.fields(Table)}
"""The keys, as a file has them."""


def schema() -> dict[str, Any]:
    """The JSON Schema of the table."""
    made = msgspec.json.schema(Table)
    table = made["$defs"]["Table"]
    table["title"] = "[tool.nprewrite]"
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **table}
