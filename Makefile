# Two commands do everything: make demo, make test. Both set up .venv first.
PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check

.PHONY: help setup torch engines demo test quick mutants docs serve-docs pins golden proofs labels lock sbom clean

help:  ## what there is
	@grep -E '^[a-z-]+:.*##' Makefile | sed 's/:.*## /\t/' | expand -t 12

setup: .venv/ready  ## a virtual environment with everything pinned

.venv/ready: pyproject.toml requirements.lock
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "privstamp needs Python 3.11 or newer; try: make PYTHON=python3.12 $(MAKECMDGOALS)")'
	$(PYTHON) -m venv .venv
	$(PIP) --require-hashes -r requirements.lock
	$(PIP) --no-deps --no-build-isolation --editable .
	touch $@

torch: .venv/torch  ## the heavy extras too, so that their tests run

.venv/torch: .venv/ready requirements-torch.lock
	$(PIP) --no-deps --require-hashes -r requirements-torch.lock \
	&& touch $@ || echo "torch cannot be had here: tests of the heavy extras will be skipped"

engines: .venv/engines  ## Spark and Ray too, so that batch's tests on them run (Spark needs a JVM)

.venv/engines: .venv/ready requirements-engines.lock
	$(PIP) --no-deps --require-hashes -r requirements-engines.lock \
	&& touch $@ || echo "Spark and Ray cannot be had here: batch's tests on them will be skipped"

demo: setup  ## privatise a sample note and show what happened
	$(BIN)/privstamp assets pull
	$(BIN)/privstamp demo

test: setup $(if $(CI),.venv/torch .venv/engines)  ## every check: style, types, tests
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python -m pytest -n auto --dist loadgroup

quick: setup  ## the tests that take seconds
	$(BIN)/python -m pytest -n auto --dist loadgroup -m "not slow and not download"

mutants: setup  ## lines broken on purpose: the audit refutes each, and passes the sound ones
	$(BIN)/privstamp audit --self-test --repeat 200

docs: setup  ## rewrite generated pages and pictures of docs/ and build the site: build/site/index.html
	$(BIN)/python docs/generate.py
	$(BIN)/python docs/pictures.py
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet --strict

serve-docs: setup  ## show the site on this machine, anew after each change
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs serve --dev-addr 127.0.0.1:8000 --watch src/privstamp

pins: setup  ## after a change to word lists, tables or presets: hashes and keep rates of what they derive
	$(BIN)/python benchmarks/pins.py

golden:  ## after a change that is meant to change releases, laws or figures; says what it changed
	PYTHONPATH=src:tests $(BIN)/python -m golden.net

proofs:  ## after a change to code that proofs cover: says which to reread, and writes their hashes
	PYTHONPATH=src:tests $(BIN)/python -m proofs

labels: setup  ## after a change to detectors or importance: how steady labels are
	$(BIN)/python benchmarks/label_loss.py

EXTRAS := $(addprefix --extra ,batch datasets encoder endpoint evals faiss gateway hub keyring lm plots polars postgres)
COMPILE := $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --no-header --no-annotate --no-emit-index-url

lock: setup  ## refresh the locks and constraints.txt from pyproject.toml
	$(COMPILE) --generate-hashes --extra dev $(EXTRAS) pyproject.toml -o requirements.lock
	$(COMPILE) --generate-hashes --extra ray --extra spark --constraints requirements.lock pyproject.toml -o requirements-engines.lock
	$(COMPILE) $(EXTRAS) pyproject.toml -o constraints.txt

sbom: setup  ## dist/sbom.json (CycloneDX) and dist/licences.md: what an installation is made of
	mkdir -p dist
	$(BIN)/cyclonedx-py environment --output-reproducible --pyproject pyproject.toml --output-file dist/sbom.json .venv
	$(BIN)/pip-licenses --python $(BIN)/python --format markdown --order license --output-file dist/licences.md

clean:  ## remove the environment and caches
	rm -rf .venv .mypy_cache .pytest_cache .ruff_cache .hypothesis dist build
