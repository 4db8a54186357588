"""The rewriter as a codemod of LibCST, with the options of the command:

python -m libcst.tool codemod -x nprewrite.codemod.NPRewriteCommand FILE
"""

from __future__ import annotations

import argparse

import libcst as cst
from libcst.codemod import CodemodCommand, CodemodContext, SkipFile

from nprewrite.cli.arguments import add_choices, chosen
from nprewrite.config import ConfigurationProblem, Configurations
from nprewrite.engine.outcomes import Outcome
from nprewrite.engine.pipeline import rewrite_source
from nprewrite.source.problems import SourceProblem


class NPRewriteCommand(CodemodCommand):
    """What ``nprewrite FILE`` does to a file; what it leaves alone becomes a warning.

    ``options`` are those options of the command that choose passes (``level``, ``select``, ...).
    """

    DESCRIPTION = "Rewrite NumPy programs so that their loops of array code run through torch.compile."

    def __init__(self, context: CodemodContext, **options: object) -> None:
        super().__init__(context)
        parser = argparse.ArgumentParser()
        self.add_args(parser)
        given = argparse.Namespace(**{**vars(parser.parse_args([])), **options})
        self._configurations = Configurations(chosen(parser, given), given.config, given.isolated)

    @staticmethod
    def add_args(arg_parser: argparse.ArgumentParser) -> None:
        """Add the options that override a configuration file."""
        add_choices(arg_parser)

    def transform_module_impl(self, tree: cst.Module) -> cst.Module:
        """The rewritten module. Raises SkipFile where the file is left out or cannot be rewritten."""
        path = self.context.filename or "-"
        try:
            configuration = self._configurations.of(path)
            if configuration.excludes(path):
                raise SkipFile(f"left out, as {configuration.file} excludes it")
            rewriting = rewrite_source(tree.code, path, configuration.choices(path).options(None))
        except (ConfigurationProblem, SourceProblem) as problem:
            raise SkipFile(str(problem)) from problem
        for site in rewriting.sites:
            if site.outcome is not Outcome.REWRITTEN:
                self.warn(f"{path}:{site.line}:{site.column} {site.code} {site.verdict}: {site.message}")
        return cst.parse_module(rewriting.text) if rewriting.changed else tree
