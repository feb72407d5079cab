# Each target sets up .venv and what it needs by itself; all are safe to rerun and ask nothing.
PY ?= python3
BIN := .venv/bin
ARGS ?=
export OPENBLAS_NUM_THREADS ?= 1
# Where no bytecode is kept each of the tests' hundreds of program starts compiles the whole program anew.
export PYTHONDONTWRITEBYTECODE =

.PHONY: setup dev browser run test check bench faults soak hall lock release nets clean

setup: .venv/.runtime
dev: .venv/.dev

.venv/.runtime: pyproject.toml requirements/runtime.txt scripts/setup
	@PY=$(PY) scripts/setup runtime
	@touch $@

.venv/.dev: pyproject.toml requirements/dev.txt scripts/setup
	@PY=$(PY) scripts/setup dev
	@touch .venv/.runtime $@

browser:
	@scripts/browser

run: setup
	@exec $(BIN)/companion run $(ARGS)

check: dev
	@scripts/check

# One worker more than there are cores: many tests wait for a browser, a broker or a clock. The tests of a file stay
# together, because they share their program and their browser.
WORKERS ?= $(shell expr $$(nproc 2>/dev/null || echo 1) + 1)
test: dev browser
	-@scripts/mosquitto
	@$(BIN)/python -m pytest -n $(WORKERS) --dist loadfile $(ARGS)

# Peers to measure beside, where there is a wheel for this machine; without one the table says so.
.venv/.bench: .venv/.dev
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-input --editable '.[dev,bench]' \
		|| echo "The peer engines could not be installed: their rows stay empty." >&2
	@touch $@

bench: dev .venv/.bench
	@$(BIN)/python -m tests.bench $(ARGS)

faults: dev
	@$(BIN)/python -m tests.faults $(ARGS)

soak: dev
	@$(BIN)/python -m tests.soak $(ARGS)

# A hall on this machine with simulated tables; ARGS="--tables 20 --port 8100".
hall: dev
	@scripts/mosquitto
	@exec $(BIN)/python -m tests.hall_show $(ARGS)

# Newer packages, pinned with the digests of their files.
lock:
	@scripts/lock

# What a release carries, the card's ZIP among it; ARGS=--publish hands it out.
release: check
	@scripts/release $(ARGS)

# Every net from seeds; ARGS="--out DIR --photos DIR --renderer DIR ...", see vision/training/README.md.
nets: dev
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-input --editable '.[dev,train]'
	@$(BIN)/python -m vision.training.recipe $(ARGS)

clean:
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
