"""The list of programs: the page names each, and they are what the page says of them."""

from __future__ import annotations

import ast
import re

import pytest
from program_files import FOLDER, PATHS, TWINS, Program

PAGE = (FOLDER / "README.md").read_text(encoding="utf-8")
ROWS = dict(re.findall(r"^\| \w+/(\w+) \| .*? \| ([^|]+) \|(?= [^|]+\| [^|]+\|$)", PAGE, re.MULTILINE))

# The loops that have to become fast, each with a twin that must not become wrong.
WITH_TWINS = {
    *("kuramoto_lattice", "kuramoto_naive", "kuramoto_integration", "kmeans_assignment", "masked_means"),
    *("kernel_density", "moving_statistics"),
    *("jacobi_1d", "jacobi_2d", "heat_3d", "wave_2d", "gray_scott", "shallow_water", "cavity"),
    *("recursive_filter", "adi", "scaled_sum", "product_chain", "covariance"),
    *("matmul_scalar", "covariance_scalar", "triangular_update", "histogram_scalar", "pairwise_scalar"),
    *("life_scalar", "convolution_scalar", "floyd_warshall_scalar"),
    *(
        "edit_distance",
        "knapsack",
        "sor",
        "byte_hash",
        "forward_rows",
        "forward_scalar",
        "cholesky_scalar",
        "csr_matvec",
    ),
    *("kalman_filter", "viterbi", "lattice_boltzmann", "runge_kutta_stages"),
}


def test_the_page_names_every_program() -> None:
    assert set(ROWS) == set(PATHS)


def test_there_are_programs_enough() -> None:
    assert len(PATHS) >= 50
    assert sum(kind != "–" for kind in ROWS.values()) >= len(PATHS) / 2
    assert sum(kind == "over scalars" for kind in ROWS.values()) >= 10


@pytest.mark.parametrize("name", PATHS)
def test_a_program_is_a_user_s_text(name: str) -> None:
    text = PATHS[name].read_text(encoding="utf-8")
    tree = ast.parse(text)
    docstring = ast.get_docstring(tree)
    assert docstring is not None
    assert " ".join(docstring.split()) in PAGE
    assert "nprewrite" not in text
    own = [each for each in tree.body if getattr(each, "name", "") != "setup"]
    looping = any(isinstance(node, ast.For | ast.While) for each in own for node in ast.walk(each))
    assert looping == (ROWS[name] != "–")


def test_loops_have_near_twins() -> None:
    assert set(PATHS) >= WITH_TWINS
    named = dict(re.findall(r"^\| (\w+) \| (\w+) \|", PAGE.split("## Near twins")[1], re.MULTILINE))
    del named["twin"]
    assert named == {name: Program.load(path).module.TWIN_OF for name, path in TWINS.items()}
    assert set(named.values()) == WITH_TWINS
