"""The rewriter as a codemod of LibCST, with the options of the command:

python -m libcst.tool codemod -x nprewrite.codemod.NPRewriteCommand FILE
"""

from __future__ import annotations

import argparse
from dataclasses import replace

import click
import libcst as cst
from libcst.codemod import CodemodCommand, CodemodContext, SkipFile

from nprewrite.cli.options import choosing
from nprewrite.config import ConfigurationProblem, Configurations
from nprewrite.engine.outcomes import Decorated, Outcome
from nprewrite.engine.pipeline import rewrite_source
from nprewrite.source.problems import SourceProblem

_CHOICES = click.command("codemod")(choosing(lambda configurations: configurations))


class NPRewriteCommand(CodemodCommand):
    """What ``nprewrite FILE`` does to a file; what it leaves alone becomes a warning.

    ``options`` are those options of the command that choose passes (``level``, ``select``, ...).
    """

    DESCRIPTION = "Rewrite NumPy programs so that their loops of array code run through torch.compile."

    def __init__(self, context: CodemodContext, **options: object) -> None:
        super().__init__(context)
        given = {name: value for name, value in options.items() if value is not None}
        try:
            self._configurations: Configurations = click.Context(_CHOICES).invoke(_CHOICES, **given)
        except click.UsageError as error:
            raise SystemExit(f"nprewrite: error: {error}") from error

    @staticmethod
    def add_args(arg_parser: argparse.ArgumentParser) -> None:
        """Add the options that override a configuration file."""
        for option in _CHOICES.params:
            if isinstance(option, click.Option):
                _add(option, arg_parser)

    def transform_module_impl(self, tree: cst.Module) -> cst.Module:
        """The rewritten module. Raises SkipFile where the file is left out or cannot be rewritten."""
        path = self.context.filename or "-"
        try:
            configuration = self._configurations.of(path)
            if configuration.excludes(path):
                raise SkipFile(f"left out, as {configuration.file} excludes it")
            options = replace(configuration.choices(path).options(), decorated=Decorated.LOOPS)
            rewriting = rewrite_source(tree.code, path, options)
        except (ConfigurationProblem, SourceProblem) as problem:
            raise SkipFile(str(problem)) from problem
        for site in rewriting.sites:
            if site.outcome is not Outcome.REWRITTEN:
                self.warn(f"{path}:{site.line}:{site.column} {site.code} {site.verdict}: {site.message}")
        return cst.parse_module(rewriting.text) if rewriting.changed else tree


def _add(option: click.Option, parser: argparse.ArgumentParser) -> None:
    """Add an option of the command to a parser of LibCST's."""
    if option.is_flag:
        parser.add_argument(*option.opts, action="store_true", default=None, help=option.help)
        return
    parser.add_argument(
        *option.opts,
        action="append" if option.multiple else "store",
        choices=option.type.choices if isinstance(option.type, click.Choice) else None,
        metavar=option.metavar,
        help=option.help,
    )
