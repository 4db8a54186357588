"""A hook of MkDocs: the pages that are made from the sources, so that they say what the sources say.

The command line from its click commands, the settings from the configuration, the passes and the reasons
from the catalogue `passes/`, NumPy's functions from their records, and other files as they are.
"""

from __future__ import annotations

import dataclasses
import inspect
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "src"))

from nprewrite.cli.command import COMMANDS, GROUP  # noqa: E402 (the source tree, not an older installation)
from nprewrite.config import settings  # noqa: E402
from nprewrite.config.table import FIELDS, schema  # noqa: E402
from nprewrite.engine.pipeline import PASSES  # noqa: E402
from nprewrite.numpy_api import page as numpy_page  # noqa: E402

_CATALOGUE = "reference/passes"
_CHOICES = {
    "level": settings.LEVELS,
    "verify": settings.VERIFY,
    "on_fallback": settings.ON_FALLBACK,
    "precision": settings.PRECISIONS,
    "accumulate": settings.ACCUMULATE,
}


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Put the pages of the passes into the navigation, where `mkdocs.yml` has only their index."""
    for section in config.nav or ():
        for at, entry in enumerate(section.get("Reference", ())):
            if entry == {"Passes": f"{_CATALOGUE}/README.md"}:
                listed = [
                    {f"{each.code} {each.name}": f"{_CATALOGUE}/{each.name}/README.md"} for each in _sorted()
                ]
                section["Reference"][at] = {
                    "Passes": [
                        f"{_CATALOGUE}/README.md",
                        {"Reasons to refuse": f"{_CATALOGUE}/REASONS.md"},
                        *listed,
                    ]
                }
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the generated pages to those of `docs/`."""
    code = f"{str(config.repo_url).rstrip('/')}/blob/main"
    for path, text in pages(code):
        files.append(File.generated(config, path, content=text))
    return files


def pages(code: str) -> Iterator[tuple[str, str]]:
    """Path and text of each page; ``code`` is the address of the files of the repository."""
    yield "reference/cli.md", command_line()
    yield "reference/configuration.md", configuration()
    yield "reference/numpy.md", numpy_page.text([])
    yield f"{_CATALOGUE}/README.md", passes()
    yield f"{_CATALOGUE}/REASONS.md", _read("passes/REASONS.md")
    for each in PASSES:
        text = _read(f"passes/{each.name}/README.md")
        yield f"{_CATALOGUE}/{each.name}/README.md", _of_catalogue(text, f"{code}/passes/{each.name}")
    yield "measured/programs.md", _read("benchmarks/PROGRAMS.md")
    yield "measured/real.md", _read("benchmarks/REAL.md")
    yield "changelog.md", _read("CHANGELOG.md")


def command_line() -> str:
    """All commands with their options, as `--help` tells them."""
    parts = ["# Command line", *_help_of(GROUP, "nprewrite")]
    context = click.Context(GROUP)
    for name in COMMANDS:
        command = GROUP.get_command(context, name)
        if command is None:
            raise PluginError(f"the command {name} is listed, and cannot be found")
        parts += [f"## nprewrite {name}", *_help_of(command, f"nprewrite {name}")]
    return "\n\n".join(parts) + "\n"


def _help_of(command: click.Command, name: str) -> Iterator[str]:
    """The usage, the texts, and a table of the options."""
    context = click.Context(command, info_name=name)
    yield f"```\n{' '.join([name, *command.collect_usage_pieces(context)])}\n```"
    yield _prose(command.help or "")
    rows = [row for each in command.get_params(context) if (row := _row(each, context))]
    if rows:
        yield "\n".join(["| option | what it does |", "|---|---|", *rows])
    for block in _blocks(command.epilog or ""):
        yield f"```text\n{block}\n```"
    if isinstance(command, click.Group):
        for each in command.list_commands(context):
            inner = command.get_command(context, each)
            if inner is not None and each not in COMMANDS:
                yield f"### {name} {each}"
                yield from _help_of(inner, f"{name} {each}")


def _row(parameter: click.Parameter, context: click.Context) -> str | None:
    record = parameter.get_help_record(context)
    if record is None or not record[1]:
        return None
    names, words = (part.replace("|", "\\|") for part in record)
    return f"| `{names}` | {_prose(words)} |"


def _prose(text: str) -> str:
    """Text of a help as Markdown: what stands in brackets or stars is no markup."""
    plain = inspect.cleandoc(text).replace("\b\n", "")
    return re.sub(r"([*_<\[\]])", r"\\\1", plain)


def _blocks(epilog: str) -> list[str]:
    return [each.strip("\n") for each in inspect.cleandoc(epilog).split("\b\n") if each.strip()]


def configuration() -> str:
    """The keys of `[tool.nprewrite]`, with the defaults that the code has."""
    keys = {each.name: each for each in dataclasses.fields(settings.Configuration) if each.name != "file"}
    described = schema()["properties"]
    rows = [
        f"| `{key}` | {_values(field.name, keys[field.name])} | {described[key]['description']} |"
        for key, field in FIELDS.items()
    ]
    table = "\n".join(["| key | values | what it does |", "|---|---|---|", *rows])
    return _read("docs/reference/configuration.txt").replace("{{ settings }}", table)


def _values(name: str, field: dataclasses.Field[Any]) -> str:
    """The words that a key takes, the default in bold, or the type of its value."""
    if name in _CHOICES:
        return ", ".join(f'**"{each}"**' if each == field.default else f'"{each}"' for each in _CHOICES[name])
    if field.type == "bool":
        return f"true or false (**{str(field.default).lower()}**)"
    if name == "per_file_ignores":
        return "patterns and lists of passes"
    return "list of passes" if name in ("select", "ignore") else "list of strings"


def passes() -> str:
    """The index of the catalogue: the passes by code, each with a link to its page."""
    rows = [
        f"| {each.code} | [{each.name}]({each.name}/README.md) | {each.level.name.lower()} | {each.summary} |"
        for each in _sorted()
    ]
    table = "\n".join(["| code | pass | level | what it does |", "|---|---|---|---|", *rows])
    return _read("docs/reference/passes.txt").replace("{{ passes }}", table)


def _sorted() -> list[Any]:
    return sorted(PASSES, key=lambda each: each.code)


def _of_catalogue(text: str, folder: str) -> str:
    """A page whose links to programs lead to the repository, and in whose words `A[m][0]` is no link."""
    linked = re.sub(r"\]\(((?:rewrites|refusals)/[^)]+)\)", rf"]({folder}/\1)", text)
    return re.sub(r"(`[^`]*`)|\]\[", lambda found: found[1] or r"]\[", linked)


def _read(path: str) -> str:
    return (ROOT / path).read_text(encoding="utf-8")
