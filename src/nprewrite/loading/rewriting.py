"""One module through the rewriter, or from the store."""

from __future__ import annotations

import ast
import base64
import json
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path

from nprewrite.config import Choices
from nprewrite.files.problems import FileProblem, Problem
from nprewrite.files.source import limited
from nprewrite.loading import store
from nprewrite.loading.store import Entry


def rewritten(path: str, source: bytes, choices: Choices) -> Entry:
    """What rewriting makes of the bytes of the file ``path``. Raises FileProblem."""
    if b"numpy" not in source:
        return Entry()
    limited(source)
    stem, name = Path(path).stem, store.key(source, choices)
    found = store.read(stem, name)
    if found is not None:
        return found
    # The rewriter imports NumPy, and a program may set what NumPy reads when it is imported
    # (OMP_NUM_THREADS).
    make = _here if "numpy" in sys.modules or _begins_with_numpy(source) else _in_another_process
    entry = make(path, source, choices)
    return entry if entry.faults else store.write(stem, name, entry)


def _begins_with_numpy(source: bytes) -> bool:
    """Whether a module imports NumPy before anything that may do more than Python's own library."""
    try:
        body = ast.parse(source).body
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
    data = result.after if result.changed else None
    counts = Counter(site.verdict for site in result.sites)
    return Entry(data, result.origins, counts, faults=result.faults)


def _in_another_process(path: str, source: bytes, choices: Choices) -> Entry:
    """`_here`, in a Python process of its own. Raises FileProblem."""
    import subprocess

    wanted = {
        "path": path,
        "source": base64.b64encode(source).decode(),
        "level": choices.level,
        "select": None if choices.select is None else sorted(choices.select),
        "ignore": sorted(choices.ignore),
        "verify": choices.verify,
        "on_fallback": choices.on_fallback,
        "precision": choices.precision,
        "accumulate": choices.accumulate,
        "keep_output_dtype": choices.keep_output_dtype,
        "keep_float64": choices.keep_float64,
    }
    # Without the working directory on its path, where a file may have the name of a module.
    folder = str(Path(store.__file__).parents[2])
    program = (
        f"import sys; sys.path.append({folder!r}); from nprewrite.loading import rewriting; rewriting.serve()"
    )
    command = [sys.executable, "-P", "-c", program]
    ran = subprocess.run(command, input=json.dumps(wanted).encode(), capture_output=True, check=False)
    if ran.returncode:
        details = ran.stderr.decode(errors="replace")
        raise FileProblem(Problem("the process that rewrites ended early", internal=True, details=details))
    answer = json.loads(ran.stdout)
    if answer["problem"] is not None:
        raise FileProblem(Problem(**answer["problem"]))
    data = None if answer["data"] is None else base64.b64decode(answer["data"])
    return Entry(data, tuple(answer["origins"]), answer["sites"], faults=tuple(answer["faults"]))


def serve() -> None:
    """Answer one request of `_in_another_process` from standard input."""
    wanted = json.load(sys.stdin)
    path, source = wanted.pop("path"), base64.b64decode(wanted.pop("source"))
    wanted["select"] = None if wanted["select"] is None else frozenset(wanted["select"])
    wanted["ignore"] = frozenset(wanted["ignore"])
    wanted["keep_float64"] = tuple(wanted["keep_float64"])
    try:
        entry, problem = _here(path, source, Choices(**wanted)), None
    except FileProblem as error:
        entry, problem = Entry(), vars(error.problem)
    data = None if entry.data is None else base64.b64encode(entry.data).decode()
    answer = {"origins": entry.origins, "sites": entry.sites, "faults": entry.faults}
    json.dump({"data": data, **answer, "problem": problem}, sys.stdout)
