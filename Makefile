# make demo, make test, make bench: each makes what it needs, on a fresh machine too.
#
# PYTHON chooses the interpreter (3.11 to 3.13). Where pip's index has no CPU build of torch:
#   PIP_EXTRA_INDEX_URL=https://download.pytorch.org/whl/cpu make demo

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# Every install goes through the constraints, so that no other requirement can replace the pinned torch.
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt

.PHONY: help demo test lint bench clean

help:
	@echo "make demo    rewrite the Mandelbrot program, run it before and after, save mandelbrot.png"
	@echo "make test    lint, type check and run the whole test suite"
	@echo "make bench   measure the Mandelbrot program against its bars"
	@echo "make clean   remove the environment and everything built"

demo: $(VENV)/.run
	$(BIN)/python examples/demo.py

test: lint
	$(BIN)/python -m pytest

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/mypy benchmarks examples/demo.py

bench: $(VENV)/.run
	$(BIN)/python benchmarks/mandelbrot.py

clean:
	rm -rf $(VENV) build dist mandelbrot.png .pytest_cache .mypy_cache .ruff_cache

$(VENV)/.created:
	$(PYTHON) -m venv --clear $(VENV)
	touch $@

$(VENV)/.run: $(VENV)/.created pyproject.toml constraints.txt
	@echo "Installing nprewrite, torch and matplotlib into $(VENV); the first time takes some minutes."
	$(INSTALL) --editable '.[torch,plot]'
	touch $@

$(VENV)/.dev: $(VENV)/.created pyproject.toml constraints.txt
	@echo "Installing nprewrite, torch and the development tools into $(VENV); the first time takes some minutes."
	$(INSTALL) --editable '.[torch,plot,dev]'
	touch $@
