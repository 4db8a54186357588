"""``nprewrite completion``: a script with which a shell completes commands and options."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from nprewrite.cli import arguments as rewrite_arguments
from nprewrite.cli import run as run_arguments
from nprewrite.cli.console import Console
from nprewrite.config.settings import ACCUMULATE, LEVELS, ON_FALLBACK, PRECISIONS, VERIFY
from nprewrite.files.problems import SUCCESS

_DESCRIPTION = """\
Print a script with which the shell completes commands and options:
  bash   eval "$(nprewrite completion bash)"      in ~/.bashrc
  zsh    eval "$(nprewrite completion zsh)"       in ~/.zshrc
  fish   nprewrite completion fish | source       in ~/.config/fish/config.fish"""

_BASH = """\
_nprewrite() {
    local word="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD-1]}"
    local words=""
    case "$before" in
@VALUES@
    esac
    if [[ -z "$words" ]]; then
        if [[ "$word" == -* ]]; then
            case "${COMP_WORDS[1]}" in
@OPTIONS@
            esac
        elif [[ $COMP_CWORD -eq 1 ]]; then
            words="@COMMANDS@"
        fi
    fi
    COMPREPLY=($(compgen -W "$words" -- "$word"))
    if [[ "$word" != -* ]]; then
        COMPREPLY+=($(compgen -f -- "$word"))
    fi
}
complete -o filenames -F _nprewrite nprewrite
"""

# zsh runs scripts of bash.
_ZSH = "autoload -U +X bashcompinit && bashcompinit\n" + _BASH

_VALUES = {
    "--level": LEVELS,
    "--format": rewrite_arguments.FORMATS,
    "--verify": VERIFY,
    "--on-fallback": ON_FALLBACK,
    "--precision": PRECISIONS,
    "--accumulate": ACCUMULATE,
}


def run(arguments: Sequence[str]) -> int:
    """Print the script for a shell; the exit status."""
    parser = argparse.ArgumentParser(
        prog="nprewrite completion",
        description=_DESCRIPTION,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("shell", choices=("bash", "zsh", "fish"))
    shell: str = parser.parse_args(arguments).shell
    text = {"bash": lambda: _bash(_BASH), "zsh": lambda: _bash(_ZSH), "fish": _fish}[shell]()
    Console().line(text.rstrip())
    return SUCCESS


def _options() -> dict[str, list[str]]:
    """The options of each command, as their parsers have them; ``*`` are those of rewriting."""
    from nprewrite.cli import bench as bench_arguments
    from nprewrite.cli import explain as explain_arguments
    from nprewrite.cli import verify as verify_arguments

    parsers = {
        "*": rewrite_arguments.make_parser(),
        "run": run_arguments.make_parser(),
        "verify": verify_arguments.make_parser(),
        "explain": explain_arguments.make_parser(),
        "bench": bench_arguments.make_parser(),
    }
    found = {
        name: [word for action in each._actions for word in action.option_strings]
        for name, each in parsers.items()
    }
    return {"cache": ["--clear", "--help"], **found}


def _bash(script: str) -> str:
    from nprewrite.cli.command import COMMANDS

    values = [f'        {option}) words="{" ".join(words)}" ;;' for option, words in _VALUES.items()]
    options = _options()
    last = options.pop("*")
    cases = [f'                {name}) words="{" ".join(words)}" ;;' for name, words in options.items()]
    cases.append(f'                *) words="{" ".join(last)}" ;;')
    filled = script.replace("@VALUES@", "\n".join(values)).replace("@OPTIONS@", "\n".join(cases))
    return filled.replace("@COMMANDS@", " ".join(COMMANDS))


def _fish() -> str:
    from nprewrite.cli.command import COMMANDS

    lines = [f"complete -c nprewrite -n __fish_use_subcommand -a '{' '.join(COMMANDS)}'"]
    options = _options()
    others = " ".join(COMMANDS)
    for name, words in options.items():
        where = f"__fish_seen_subcommand_from {name if name != '*' else others}"
        condition = where if name != "*" else f"not {where}"
        for word in words:
            if word.startswith("--"):
                values = f" -x -a '{' '.join(_VALUES[word])}'" if word in _VALUES else ""
                lines.append(f"complete -c nprewrite -n '{condition}' -l {word[2:]}{values}")
    return "\n".join(lines)
