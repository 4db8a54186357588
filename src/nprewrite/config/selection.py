"""Which passes are meant: by code (NPR401), by the beginning of codes (NPR4), or by name (extract-step)."""

from __future__ import annotations

from collections.abc import Collection, Iterable


class UnknownPass(ValueError):
    """A word that means no pass; ``str()`` names the nearest one."""


def codes_of(words: Iterable[str]) -> frozenset[str]:
    """The words with the codes of those that are names. Raises UnknownPass."""
    return frozenset(map(_code_of, words))


def selected(
    select: Collection[str] | None, ignore: Collection[str]
) -> tuple[frozenset[str] | None, frozenset[str]]:
    """The codes of the passes to run, None for all, and of those to leave out.

    Of two words for a pass the longer one decides, as in ``select = ["NPR401"]``, ``ignore = ["NPR4"]``;
    of two of one length, the one that leaves it out.
    """
    if select is None and not ignore:
        return None, frozenset()
    # The passes, and LibCST with them, are imported only where some are chosen.
    from nprewrite.engine.pipeline import PASSES

    codes = [each.code for each in PASSES]
    chosen = {code: _length(select or (), code) for code in codes}
    left_out = {code: _length(ignore, code) for code in codes}
    return (
        None if select is None else frozenset(code for code in codes if chosen[code]),
        frozenset(code for code in codes if left_out[code] and left_out[code] >= chosen[code]),
    )


def _length(words: Iterable[str], code: str) -> int:
    """The length of the longest word with which the code begins."""
    return max((len(word) for word in words if code.startswith(word)), default=0)


def _code_of(word: str) -> str:
    from nprewrite.engine.pipeline import PASSES

    by_name = {each.name: each.code for each in PASSES}
    if word in by_name:
        return by_name[word]
    if word.startswith("NPR") and any(code.startswith(word) for code in by_name.values()):
        return word
    import difflib

    near = difflib.get_close_matches(word, [*by_name, *by_name.values()], 1, cutoff=0.7)
    hint = f"did you mean {near[0]!r}?" if near else "nprewrite pass lists them"
    raise UnknownPass(f"no pass is called {word!r}; {hint}")
