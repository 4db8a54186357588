"""Which folders of a project hold no code of the project: environments, caches, build output."""

from __future__ import annotations

import os
from pathlib import Path

# The directories that ruff leaves out too.
EXCLUDED = frozenset(
    {
        *{".bzr", ".git", ".git-rewrite", ".hg", ".svn"},
        *{".direnv", ".nox", ".pyenv", ".tox", ".venv", "node_modules", "site-packages", "venv"},
        *{".ipynb_checkpoints", ".mypy_cache", ".pytest_cache", ".pytype", ".ruff_cache", "__pycache__"},
        *{".eggs", ".pants.d", ".vscode", "__pypackages__", "_build", "buck-out", "build", "dist"},
    }
)
_ENVIRONMENT_MARKS = ("pyvenv.cfg", "conda-meta")
_ROOT_MARKS = ("pyproject.toml", "setup.py", "setup.cfg", ".git", ".hg")


def foreign(folder: str) -> bool:
    """Whether an existing folder holds no code of the project."""
    if os.path.basename(folder) in EXCLUDED:
        return True
    return any(os.path.exists(os.path.join(folder, mark)) for mark in _ENVIRONMENT_MARKS)


def project_of(folder: str) -> str:
    """The root of the project of the absolute ``folder``; the folder itself where no root is marked."""
    above = (folder, *map(str, Path(folder).parents))
    marked = (each for each in above if any(os.path.exists(os.path.join(each, m)) for m in _ROOT_MARKS))
    return next(marked, folder)


def same_file(first: str, second: str) -> bool:
    """Whether two paths lead to one file that exists."""
    try:
        return os.path.samefile(first, second)
    except OSError:
        return False


def belongs(path: str, root: str) -> bool:
    """Whether the file ``path`` lies in the project at the absolute ``root``, outside of foreign folders."""
    folder = os.path.dirname(os.path.realpath(path))
    while folder != root:
        parent = os.path.dirname(folder)
        if parent == folder or foreign(folder):
            return False
        folder = parent
    return True
