# Each target sets up .venv and what it needs by itself; all are safe to rerun.
PY ?= python3
BIN := .venv/bin

.PHONY: setup dev browser run test check bench faults soak clean

setup: .venv/.runtime
dev: .venv/.dev

.venv/.runtime: pyproject.toml scripts/setup
	@PY=$(PY) scripts/setup runtime
	@touch $@

.venv/.dev: pyproject.toml scripts/setup
	@PY=$(PY) scripts/setup dev
	@touch .venv/.runtime $@

browser:
	@scripts/browser

run: setup
	@$(BIN)/companion demo-or-run

check: dev
	@scripts/check

test: dev browser
	@$(BIN)/python -m pytest

bench: dev
	@$(BIN)/python -m tests.bench

clean:
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis
