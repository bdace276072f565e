# Two commands do everything: make demo, make test. Both set up .venv first.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: help setup torch demo test quick docs lock clean

help:  ## what there is
	@grep -E '^[a-z]+:.*##' Makefile | sed 's/:.*## /\t/' | expand -t 10

setup: .venv/ready  ## a virtual environment with everything pinned

.venv/ready: pyproject.toml requirements.lock
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "privstamp needs Python 3.11 or newer; try: make PYTHON=python3.12 $(MAKECMDGOALS)")'
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --editable .
	touch $@

torch: .venv/torch  ## the heavy extras too, so that their tests run

.venv/torch: .venv/ready requirements-torch.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check $(shell grep '^torch==' requirements-torch.txt) \
	&& $(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements-torch.txt \
	&& touch $@ || echo "torch cannot be had here: tests of the heavy extras will be skipped"

demo: setup  ## privatise a sample note and show what happened
	$(BIN)/privstamp assets pull
	$(BIN)/privstamp demo

test: setup $(if $(CI),.venv/torch)  ## every check: style, types, tests
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python -m pytest -n auto --dist loadgroup

quick: setup  ## the tests that take seconds
	$(BIN)/python -m pytest -n auto --dist loadgroup -m "not slow and not download"

docs: setup  ## rewrite the generated pages of docs/
	$(BIN)/python docs/generate.py

lock: setup  ## refresh requirements.lock from pyproject.toml
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-annotate --no-emit-index-url --extra dev --extra encoder --extra endpoint --extra evals --extra faiss --extra hub --extra lm --extra plots pyproject.toml -o requirements.lock

clean:  ## remove the environment and caches
	rm -rf .venv .mypy_cache .pytest_cache .ruff_cache .hypothesis dist build
