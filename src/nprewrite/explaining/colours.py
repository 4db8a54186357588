"""Program text in the colours of its syntax, as HTML."""

from __future__ import annotations


def coloured(text: str, language: str = "python") -> list[str]:
    """The lines of the text, escaped; each is whole, with what goes over several lines coloured in each."""
    from pygments import highlight
    from pygments.formatters import HtmlFormatter
    from pygments.lexers import get_lexer_by_name

    lines = text.splitlines()
    lexer = get_lexer_by_name(language, stripnl=False, ensurenl=True)
    shown: str = highlight("\n".join(lines), lexer, HtmlFormatter(nowrap=True))
    return shown.split("\n")[: len(lines)]
