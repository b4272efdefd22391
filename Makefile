# HeyDPE: `make help` lists what there is.
SHELL := /bin/bash
.DEFAULT_GOAL := help
.PHONY: help run test check format bench soak offline-proof lock clean
PYTHON := .venv/bin/python
unexport PYTHONDONTWRITEBYTECODE # else each of the processes that are started compiles every module again

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  make %-14s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

run: ## start everything and print the address (PORT, default 8000); Ctrl-C stops it
	@scripts/install.sh run
	@exec $(PYTHON) -m heydpe.run --with-parent

test: ## install what the tests need and run all but the long ones, a process a core (ARGS="tests/pure -x" for some)
	@scripts/install.sh dev
	@exec $(PYTHON) -m pytest $(or $(ARGS),-n logical --maxprocesses 4 --dist loadfile)

check: ## format, lint, types, import contract, migrations, deployment settings
	@scripts/install.sh dev
	@scripts/check.sh

format: ## write the format that `check` asks for
	@scripts/install.sh dev
	@.venv/bin/ruff format . && .venv/bin/ruff check --fix .

bench: ## measure every figure the project claims, into docs/benchmarks/
	@scripts/install.sh bench
	@exec $(PYTHON) -m benchmarks

soak: ## kills, also under a browser, a minute without Redis, 10,000 pages, then all tests, the long ones and whole samples (hours), into docs/benchmarks/
	@scripts/install.sh dev
	@$(PYTHON) -m benchmarks soak
	@HEYDPE_SOAK=1 exec $(PYTHON) -m pytest --ignore=tests/soak $(ARGS)

offline-proof: ## run and test once more where there is no network at all
	@scripts/install.sh dev
	@scripts/offline_proof.sh

lock: ## pin the versions in requirements*.in again, with hashes
	@scripts/lock.sh

clean: ## remove what can be made again; the data in var/ stays
	@rm -rf .venv .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache staticfiles
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +
