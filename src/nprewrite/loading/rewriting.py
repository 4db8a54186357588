"""One module through the rewriter, or from the store."""

from __future__ import annotations

import ast
import contextlib
import pickle
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path

from nprewrite.base.environment import disabled, waits
from nprewrite.base.errors import OF_SYNTAX, unheard
from nprewrite.base.syntax import text_tree
from nprewrite.base.worker import Worker, read_tasks
from nprewrite.config import Choices
from nprewrite.files.problems import FileProblem, Problem
from nprewrite.files.source import decode, limited
from nprewrite.loading import store
from nprewrite.loading.decorating import only_decorated
from nprewrite.loading.store import Asked, Entry
from nprewrite.source.stars import may_be_rewritten, may_use_numpy, only_gathers, stars_of

_worker = Worker(__name__)
_asked: set[str] = set()
"""The entries that this process has had another one make."""


def rewritten(path: str, source: bytes, choices: Choices) -> Entry:
    """What rewriting makes of the bytes of the file ``path``. Raises FileProblem."""
    if not may_be_rewritten(source.decode("latin-1")):
        return Entry()
    limited(source)
    text = decode(source).text
    if only_gathers(text):
        return Entry()
    stars = stars_of(text, path)
    stem, name = Path(path).stem, store.key(source, choices, stars)
    found = store.read(stem, name)
    if found is not None:
        return found
    # The rewriter imports NumPy, and a program may set what NumPy reads when it is imported
    # (OMP_NUM_THREADS).
    has_numpy = "numpy" in sys.modules or _begins_with_numpy(source)
    is_patient = has_numpy or not may_use_numpy(text)
    if is_patient and _is_left_to_another(path, source, choices, stem, name):
        # To find the functions that may compute takes NumPy, too.
        return Entry(is_awaited=has_numpy)
    make = _here if has_numpy else _in_another_process
    return _kept(stem, name, make(path, source, choices))


def _kept(stem: str, name: str, entry: Entry) -> Entry:
    """The entry, which the store keeps; faults are to be told each time."""
    return entry if entry.faults else store.write(stem, name, entry)


def _is_left_to_another(path: str, source: bytes, choices: Choices, stem: str, name: str) -> bool:
    """Have another process rewrite the file, unless one has been asked.

    Whatever stood in its way is met and told by the next process of the user's, which does it itself.
    """
    if name in _asked:
        return True
    if waits() or disabled() or not choices.leave_it_to_calls:
        return False
    asked = store.asked(stem, name)
    if asked is not Asked.NO:
        return asked is Asked.YES
    with contextlib.suppress(OSError):
        store.ask(stem, name)
        _asked.add(name)
        _worker.ask(pickle.dumps((stem, name, (path, source, choices))))
    return name in _asked


def main() -> None:
    """Rewrite the files on standard input, for the store."""
    for stem, name, asked in read_tasks(lambda: pickle.load(sys.stdin.buffer)):
        with contextlib.suppress(FileProblem):
            if not _kept(stem, name, _here(*asked)).faults:
                continue
        store.ask(stem, name, failed=True)


def _begins_with_numpy(source: bytes) -> bool:
    """Whether a module imports NumPy before anything that may do more than Python's own library."""
    try:
        body = text_tree(source).body
    except (SyntaxError, ValueError):
        return False
    for node in body:
        match node:
            case ast.Expr(ast.Constant()):
                continue
            case ast.Import(names):
                modules = [each.name.partition(".")[0] for each in names]
            case ast.ImportFrom(module=str(name), level=0):
                modules = [name.partition(".")[0]]
            case _:
                return False
        for module in modules:
            if module not in sys.stdlib_module_names:
                return module == "numpy"
    return False


def _here(path: str, source: bytes, choices: Choices) -> Entry:
    from nprewrite.engine.outcomes import Decorated
    from nprewrite.files.work import Settings, rewrite_data

    options = replace(choices.options(), decorated=Decorated.ARRAY_CODE)
    result = rewrite_data(path, source, Settings(options, around_faults=True))
    if result.problem is not None:
        raise FileProblem(result.problem)
    counts = Counter(site.verdict for site in result.sites)
    if not result.changed:
        return Entry(None, result.origins, counts, faults=result.faults)
    made = Entry(result.after, result.origins, counts, faults=result.faults)
    return _without_text(made, source) if choices.leave_it_to_calls else made


@unheard(*OF_SYNTAX)
def _without_text(entry: Entry, source: bytes) -> Entry:
    """The entry without a text of its own where all that changes is that functions get the decorator."""
    assert entry.data is not None
    decorated = only_decorated(text_tree(source), text_tree(entry.data))
    return replace(entry, data=None, origins=(), decorated=decorated) if decorated else entry


def _in_another_process(path: str, source: bytes, choices: Choices) -> Entry:
    """`_here`, in a Python process of its own. Raises FileProblem."""
    import subprocess

    # Without the working directory on its path, where a file may have the name of a module.
    folder = str(Path(store.__file__).parents[2])
    program = (
        f"import sys; sys.path.append({folder!r}); from nprewrite.loading import rewriting; rewriting.serve()"
    )
    command = [sys.executable, "-P", "-c", program]
    asked = pickle.dumps((path, source, choices))
    ran = subprocess.run(command, input=asked, capture_output=True, check=False)
    if ran.returncode:
        details = ran.stderr.decode(errors="replace")
        raise FileProblem(Problem("the process that rewrites ended early", internal=True, details=details))
    answer: Entry | Problem = pickle.loads(ran.stdout)
    if isinstance(answer, Problem):
        raise FileProblem(answer)
    return answer


def serve() -> None:
    """Answer one request of `_in_another_process` from standard input."""
    answer: Entry | Problem
    try:
        answer = _here(*pickle.load(sys.stdin.buffer))
    except FileProblem as error:
        answer = error.problem
    pickle.dump(answer, sys.stdout.buffer)
