# Everything a developer or an operator of one machine does. `make help` lists the targets.
# Needs Python 3.11 or newer, make and git; all else is installed into .venv from the locks.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMPS := $(VENV)/stamps
UV := $(BIN)/uv
# -n for pytest: how many processes share the tests. Two more than two cores, as many tests wait for servers.
JOBS ?= 4
ARGS ?=

.DEFAULT_GOAL := help
.PHONY: help setup run test test-compiled proof lint format openapi messages bench demo compiled pure lock clean

help: ## list all targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-13s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

# uv installs several times faster than pip; where it cannot be had or cannot work, pip does the same from the same lock.
# `--no-deps -e .` is a second step because an editable install has no hash.
define install
	@with() { "$$@" --require-hashes -r $(1) && "$$@" --no-deps --no-build-isolation -e .; }; \
	if [ -x $(UV) ] && with $(UV) pip install -q --python $(BIN)/python; then exit 0; fi; \
	echo "Installing with pip; this takes a minute ..."; \
	with $(BIN)/python -m pip install -q
endef

$(STAMPS)/venv:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Emerald needs Python 3.11 or newer; this is " + sys.version.split()[0] + ". Say which to use: make PYTHON=python3.12")'
	$(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install -q 'uv>=0.13,<0.14' || echo "uv cannot be had here; pip will do, more slowly"
	@mkdir -p $(STAMPS) && touch $@

$(STAMPS)/run: requirements-run.lock pyproject.toml setup.py | $(STAMPS)/venv
	@echo "Installing what Emerald needs to run ..."
	$(call install,requirements-run.lock)
	@touch $@

$(STAMPS)/dev: requirements.lock pyproject.toml setup.py | $(STAMPS)/venv
	@echo "Installing what Emerald needs to run and to be tested ..."
	$(call install,requirements.lock)
	@touch $@ $(STAMPS)/run

$(STAMPS)/bench: requirements-bench.lock $(STAMPS)/dev
	@echo "Installing OpenSpiel, to compare with ..."
	$(call install,requirements-bench.lock)
	@touch $@

setup: $(STAMPS)/dev ## make .venv with everything for development

run: $(STAMPS)/run ## serve API, workers and scheduler in one process, mails in the inbox at /dev/inbox
	$(BIN)/emerald serve $(ARGS)

demo: $(STAMPS)/run ## play a whole game against the server that `make run` started, every mail shown
	$(BIN)/emerald demo $(ARGS)

test: $(STAMPS)/dev ## run the whole suite on real PostgreSQL, Redis, SMTP and a Chromium that it starts itself
	$(BIN)/python -m pytest -n $(JOBS) --dist loadgroup -m "not proof" $(ARGS)

proof: $(STAMPS)/dev ## run the long proofs: fault storm, big leak crawl, pages in every light (minutes)
	$(BIN)/python -m pytest -m proof --timeout 3600 $(ARGS)

test-compiled: compiled ## run the engine's tests on the compiled engine, then go back to plain Python
	$(BIN)/python -m pytest -n $(JOBS) $(ARGS) tests/engine; status=$$?; $(MAKE) -s pure; exit $$status

lint: $(STAMPS)/dev ## check style, types, layers and locks
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	@! grep -n '://' requirements*.lock || { echo "a lock names the host it came from; use make lock"; exit 1; }

format: $(STAMPS)/dev ## put the code into its one form
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

openapi: $(STAMPS)/dev ## write openapi.yaml anew from the code
	$(BIN)/emerald openapi --out openapi.yaml

messages: $(STAMPS)/dev ## bring the catalogues of translations up to date with what the code says
	$(BIN)/python tools/messages.py

bench: $(STAMPS)/bench ## random games a second beside OpenSpiel's maedn and backgammon; pages beside the API
	$(BIN)/python -m bench.engine_speed $(ARGS)
	$(BIN)/python -m bench.web_speed $(filter --write,$(ARGS))

compiled: $(STAMPS)/dev ## compile the engine in place with mypyc (see setup.py); `make pure` undoes it
	EMERALD_MYPYC=1 $(BIN)/python setup.py -q build_ext --inplace

pure: ## remove the compiled engine, back to plain Python
	rm -rf build engine/*.so engine/bots/*.so *__mypyc*.so

LOCK := $(UV) pip compile -q --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header --no-annotate pyproject.toml

lock: $(STAMPS)/venv ## write the locks anew from pyproject.toml (UPGRADE=1: take new versions)
	$(LOCK) $(if $(UPGRADE),--upgrade) --group dev -o requirements.lock
	$(LOCK) $(if $(UPGRADE),--upgrade) --group build -c requirements.lock -o requirements-run.lock
	$(LOCK) $(if $(UPGRADE),--upgrade) --group dev --group bench -c requirements.lock -o requirements-bench.lock

clean: pure ## remove .venv, caches and builds; the database and mails in var/ stay
	rm -rf $(VENV) build dist *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
