# make demo, make test, make bench: each makes what it needs, on a fresh machine too.
#
# PYTHON chooses the interpreter (3.11 to 3.14). Where pip's index has no CPU build of torch:
#   PIP_EXTRA_INDEX_URL=https://download.pytorch.org/whl/cpu make demo

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# Every install goes through the constraints, so that no other requirement can replace the pinned torch.
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt
# Where PYTHONDONTWRITEBYTECODE is set, every process would compile the modules of nprewrite anew.
COMPILE := $(BIN)/python -m compileall -q src

# What nprewrite-reference is built from: when it changes, the installation is stale.
KERNELS := $(wildcard cpp/*.toml cpp/*.pyi cpp/CMakeLists.txt cpp/bindings/* cpp/include/nprewrite/*)

.PHONY: help demo test test-gpu gpu-bench lint docs kernels sanitize verify hunt bench nests seeds programs programs-small start startup corpus lengths clean

help:
	@echo "make demo    rewrite the Mandelbrot program, run it before and after, save mandelbrot.png"
	@echo "make test    lint, check types, build the documentation, test the C++ kernels (also under sanitizers) and run the whole test suite"
	@echo "make docs    build the documentation into build/site, and check its links"
	@echo "make test-gpu  run the tests that need a CUDA device"
	@echo "make gpu-bench  measure k-means, Mandelbrot and Kuramoto on a CUDA device against NumPy on its host (some 20 minutes)"
	@echo "make verify  compare the examples before and after rewriting, and with the C++ reference kernels"
	@echo "make hunt    random programs before and after rewriting, and wrong rewrites that verify must catch (long)"
	@echo "make bench   measure the Mandelbrot, Kuramoto and k-means programs, beside C++"
	@echo "make nests   measure loops over every index beside array code and Numba written by hand"
	@echo "make programs  measure every program of tests/programs (hours)"
	@echo "make seeds   print every figure of the documents that this project starts from, beside ours"
	@echo "make programs-small  compile all of them at a small size, and compare their answers"
	@echo "make start   measure how long programs wait for compiled code, beside Numba (some two hours)"
	@echo "make startup  measure what starting the command costs"
	@echo "make corpus  rewrite every file of numpy, scipy, scikit-image, statsmodels, networkx and astropy, write nothing (some minutes)"
	@echo "make lengths  measure what rewriting costs over the length of a program, up to 5,000 statements (some minutes)"
	@echo "make clean   remove the environment and everything built"

demo: $(VENV)/.run
	$(BIN)/python examples/demo.py

test: lint kernels sanitize
	$(BIN)/python -m pytest -n 2 --dist loadfile

test-gpu: $(VENV)/.dev
	$(BIN)/python -m pytest -m gpu

kernels: $(VENV)/.dev
	$(call test-kernels,build/kernels,-DNPREWRITE_SANITIZE=OFF)

sanitize: $(VENV)/.dev
	$(call test-kernels,build/sanitize,-DNPREWRITE_SANITIZE=ON)

VERIFIED := mandelbrot mandelbrot_double julia julia_single kmeans kuramoto

define test-kernels
$(BIN)/cmake -S cpp -B $(1) $(2) -DCMAKE_COMPILE_WARNING_AS_ERROR=ON
$(BIN)/cmake --build $(1) --parallel 4
$(BIN)/ctest --test-dir $(1) --output-on-failure --no-tests=error
endef

lint: $(VENV)/.dev docs
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/mypy benchmarks docs examples/demo.py
	$(BIN)/check-jsonschema --builtin-schema vendor.github-workflows .github/workflows/*.yml
	$(BIN)/check-jsonschema --builtin-schema vendor.github-issue-forms .github/ISSUE_TEMPLATE/bug.yml
	$(BIN)/check-jsonschema --builtin-schema vendor.citation-file-format CITATION.cff

# Fails where a link leads nowhere.
docs: $(VENV)/.dev
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet

verify: $(VENV)/.run
	@for name in $(VERIFIED); do $(BIN)/nprewrite verify examples/$$name.py --cases examples/verify_cases/$$name.py --reference || exit $$?; done

hunt: $(VENV)/.dev
	$(BIN)/python tests/random_programs/hunt.py --seeds 0:1000 --workers 2
	$(BIN)/python tests/random_programs/hunt.py --seeds 0:2000 --verify
	$(BIN)/python tests/random_programs/hunt.py --mutants
	$(BIN)/python tests/random_programs/hunt.py --seeds 0:200 --forms arrays,held,masks --compiled --workers 2
	$(BIN)/python tests/random_programs/hunt.py --seeds 0:200 --forms elements --native --workers 2

bench: $(VENV)/.run
	$(BIN)/python benchmarks/mandelbrot.py
	$(BIN)/python benchmarks/kuramoto.py
	$(BIN)/python benchmarks/kmeans.py
	$(BIN)/python benchmarks/precision.py
	$(BIN)/python benchmarks/eight_calls.py

gpu-bench: $(VENV)/.run
	mkdir -p build
	$(BIN)/python benchmarks/gpu.py --json build/gpu.json --markdown build/gpu.md

seeds: $(VENV)/.run
	mkdir -p build
	$(BIN)/python benchmarks/seeds.py --json build/seeds.json

programs: $(VENV)/.run
	mkdir -p build
	$(BIN)/python benchmarks/programs.py --json build/programs.json --png build/programs.png

programs-small: $(VENV)/.run
	$(BIN)/python benchmarks/programs.py --small

nests: $(VENV)/.dev
	$(BIN)/python benchmarks/nests.py

start: $(VENV)/.dev
	mkdir -p build
	$(BIN)/python benchmarks/start.py --markdown build/start.md
	$(BIN)/python benchmarks/start.py --storm --rounds 5

startup: $(VENV)/.run
	$(BIN)/python benchmarks/startup.py

lengths: $(VENV)/.run
	$(BIN)/python benchmarks/lengths.py

# In an environment of their own: nothing of them belongs to the programs that are measured.
corpus: $(VENV)/.run
	mkdir -p build
	$(PYTHON) -m venv build/corpora
	build/corpora/bin/python -m pip install --quiet --disable-pip-version-check numpy scipy scikit-image statsmodels networkx astropy
	$(BIN)/python benchmarks/corpus.py build/corpora/lib/python3*/site-packages --json build/corpus.json

clean:
	rm -rf $(VENV) build dist mandelbrot.png .pytest_cache .mypy_cache .ruff_cache

$(VENV)/.created:
	$(PYTHON) -m venv --clear $(VENV)
	touch $@

$(VENV)/.run: $(VENV)/.created $(VENV)/.reference pyproject.toml constraints.txt
	@echo "Installing nprewrite, torch, Numba and matplotlib into $(VENV); the first time takes some minutes."
	$(INSTALL) --editable '.[torch,native,plot]'
	$(COMPILE)
	touch $@

$(VENV)/.dev: $(VENV)/.created $(VENV)/.reference pyproject.toml constraints.txt
	@echo "Installing nprewrite, torch and the development tools into $(VENV); the first time takes some minutes."
	$(INSTALL) --editable '.[torch,plot,dev]'
	$(COMPILE)
	touch $@

# The C++ kernels with which answers are compared; without a compiler there are none, and `verify --reference` says so.
$(VENV)/.reference: $(VENV)/.created $(KERNELS)
	@if command -v c++ >/dev/null; then echo "Building the C++ reference kernels."; $(INSTALL) ./cpp; \
	else echo "There is no C++ compiler: the reference kernels are left out."; fi
	touch $@
