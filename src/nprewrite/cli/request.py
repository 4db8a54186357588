"""What a command line of ``nprewrite rewrite`` asks for."""

from __future__ import annotations

from dataclasses import dataclass

from nprewrite.config import Configurations
from nprewrite.config.settings import Globs


@dataclass(frozen=True)
class Request:
    """A checked command line; its pass codes are known ones."""

    paths: tuple[str, ...]
    output: str | None
    diff: bool
    check: bool
    format: str
    statistics: bool
    quiet: bool
    exit_zero: bool
    exclude: Globs
    stdin_filename: str | None
    configurations: Configurations
    show_settings: bool
    print_between_passes: bool
    stop_after: str | None
    observe: str | None
    timeout: float

    @property
    def reads_standard_input(self) -> bool:
        """Whether the one input is standard input."""
        return self.paths == ("-",)

    @property
    def writes_text_to_standard_output(self) -> bool:
        """Whether the rewritten text goes to standard output."""
        if self.diff or self.check:
            return False
        return self.output == "-" or (self.output is None and self.reads_standard_input)
