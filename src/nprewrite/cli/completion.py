"""``nprewrite completion``: a script with which a shell completes commands and options."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence

from nprewrite.cli.console import Console
from nprewrite.files.problems import SUCCESS

_DESCRIPTION = """\
Print a script with which the shell completes commands and options:
  bash   eval "$(nprewrite completion bash)"      in ~/.bashrc
  zsh    eval "$(nprewrite completion zsh)"       in ~/.zshrc
  fish   nprewrite completion fish | source       in ~/.config/fish/config.fish"""

_SHELLS = ("bash", "zsh", "fish")

# File names are separated by line ends, so that those with spaces stay whole.
_BASH = """\
_nprewrite() {
    local word="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD-1]}" words=""
    case "${COMP_WORDS[1]} $before" in
@VALUES@
    esac
    if [[ -n "$words" ]]; then
        COMPREPLY=($(compgen -W "$words" -- "$word"))
        return
    fi
    if [[ "$word" == -* ]]; then
        case "${COMP_WORDS[1]}" in
@OPTIONS@
        esac
        COMPREPLY=($(compgen -W "$words" -- "$word"))
        return
    fi
    if [[ $COMP_CWORD -eq 1 ]]; then
        words="@COMMANDS@"
    fi
    COMPREPLY=($(compgen -W "$words" -- "$word"))
    local IFS=$'\n'
    COMPREPLY+=($(compgen -f -- "$word"))
}
complete -o filenames -F _nprewrite nprewrite
"""

# zsh also runs bash's completion scripts.
_ZSH = """\
(( $+functions[compdef] )) || { autoload -U +X compinit && compinit }
autoload -U +X bashcompinit && bashcompinit
"""

_Options = Mapping[str, Sequence[str]]
"""Options, each with the words that may follow it."""


def run(arguments: Sequence[str]) -> int:
    """Print the script for a shell; the exit status."""
    parser = argparse.ArgumentParser(
        prog="nprewrite completion",
        description=_DESCRIPTION,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("shell", choices=_SHELLS)
    shell: str = parser.parse_args(arguments).shell
    text = {"bash": _bash, "zsh": lambda: _ZSH + _bash(), "fish": _fish}[shell]()
    Console().line(text.rstrip())
    return SUCCESS


def _options() -> tuple[dict[str, _Options], _Options]:
    """The options of each command other than rewriting, and those of rewriting, from their parsers."""
    from nprewrite.cli import arguments, bench, explain, verify
    from nprewrite.cli import run as running

    others: dict[str, _Options] = {name: {"--help": ()} for name in arguments.COMMANDS if name != "rewrite"}
    others["cache"] = {"--clear": (), "--help": ()}
    others |= {
        "run": _of(running.make_parser()),
        "verify": _of(verify.make_parser()),
        "explain": _of(explain.make_parser()),
        "bench": _of(bench.make_parser()),
    }
    return others, _of(arguments.make_parser())


def _of(parser: argparse.ArgumentParser) -> _Options:
    return {word: tuple(each.choices or ()) for each in parser._actions for word in each.option_strings}


def _bash() -> str:
    others, rewriting = _options()
    values = [_case('"completion completion"', _SHELLS)]
    for name, options in others.items():
        values += [_case(f'"{name} {word}"', following) for word, following in _valued(options)]
    # A command line that does not begin with another command is one of rewriting.
    values += [_case(f'*" {word}"', following) for word, following in _valued(rewriting)]
    cases = [f"    {_case(*each)}" for each in [*others.items(), ("*", rewriting)]]
    filled = _BASH.replace("@VALUES@", "\n".join(values))
    filled = filled.replace("@OPTIONS@", "\n".join(cases))
    return filled.replace("@COMMANDS@", " ".join([*others, "rewrite"]))


def _valued(options: _Options) -> Iterator[tuple[str, Sequence[str]]]:
    return ((word, following) for word, following in options.items() if following)


def _case(pattern: str, words: Sequence[str] | _Options) -> str:
    return f'        {pattern}) words="{" ".join(words)}" ;;'


def _fish() -> str:
    others, rewriting = _options()
    commands = " ".join([*others, "rewrite"])
    elsewhere = f"not __fish_seen_subcommand_from {' '.join(others)}"
    lines = [
        f"complete -c nprewrite -n __fish_use_subcommand -a '{commands}'",
        f"complete -c nprewrite -n '__fish_seen_subcommand_from completion' -x -a '{' '.join(_SHELLS)}'",
    ]
    for name, options in others.items():
        lines += _fish_lines(f"__fish_seen_subcommand_from {name}", options)
    return "\n".join([*lines, *_fish_lines(elsewhere, rewriting)])


def _fish_lines(condition: str, options: _Options) -> Iterator[str]:
    """A line for each long option, under the condition on which it is one."""
    for word, following in options.items():
        if word.startswith("--"):
            values = f" -x -a '{' '.join(following)}'" if following else ""
            yield f"complete -c nprewrite -n '{condition}' -l {word[2:]}{values}"
