"""``nprewrite completion``: a script with which a shell completes commands and options."""

from __future__ import annotations

import click

from nprewrite.cli.console import Console
from nprewrite.files.problems import SUCCESS

_HELP = """\
Print a script with which the shell completes commands and options:

\b
  bash   eval "$(nprewrite completion bash)"      in ~/.bashrc
  zsh    eval "$(nprewrite completion zsh)"       in ~/.zshrc
  fish   nprewrite completion fish | source       in ~/.config/fish/config.fish
"""


@click.command("completion", help=_HELP)
@click.argument("shell", type=click.Choice(("bash", "zsh", "fish")))
def command(shell: str) -> int:
    """Print the script for a shell."""
    from click.shell_completion import get_completion_class

    from nprewrite.base.environment import COMPLETION
    from nprewrite.cli.command import GROUP

    made = get_completion_class(shell)
    assert made is not None
    Console().line(made(GROUP, {}, "nprewrite", COMPLETION).source().rstrip())
    return SUCCESS
