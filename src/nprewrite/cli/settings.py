"""``--show-settings``: what holds for a path, in the form of ``[tool.nprewrite]``."""

from __future__ import annotations

from collections.abc import Iterable

from nprewrite.config import Configuration


def shown(path: str, configuration: Configuration) -> str:
    """The settings as a TOML table, after the path and the file that they come from."""
    found = configuration
    excluded = ", which excludes it" if found.excludes(path) else ""
    lines = [
        f"# {path}: {found.file or 'no configuration file'}{excluded}",
        "[tool.nprewrite]",
        f'level = "{found.level}"',
        "# select: all passes" if found.select is None else f"select = {_array(sorted(found.select))}",
        f"ignore = {_array(sorted(found.ignore))}",
        f"exclude = {_array(found.exclude.words)}",
        f"packages = {_array(found.packages)}",
        "# verify: never" if found.verify is None else f'verify = "{found.verify}"',
        f'on-fallback = "{found.on_fallback}"',
    ]
    if found.precision is not None:
        lines += [
            f'precision = "{found.precision}"',
            f'accumulate = "{found.accumulate}"',
            f"keep-output-dtype = {str(found.keep_output_dtype).lower()}",
            f"keep-float64 = {_array(found.keep_float64)}",
        ]
    if found.per_file_ignores:
        lines.append("[tool.nprewrite.per-file-ignores]")
        lines += [
            f"{_string(globs.words[0])} = {_array(sorted(codes))}" for globs, codes in found.per_file_ignores
        ]
    return "\n".join(lines)


def _array(words: Iterable[str]) -> str:
    return f"[{', '.join(map(_string, words))}]"


def _string(word: str) -> str:
    """A TOML string, which has the same escapes as JSON for all characters that a pattern can hold."""
    import json

    return json.dumps(word, ensure_ascii=False)
