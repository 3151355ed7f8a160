# Everything a fresh machine needs is Python 3.11+ and make: `make demo`, then `make test`.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
READY  := $(VENV)/.ready

.PHONY: demo test check lint types docs bench setup model clean

demo: setup model ## set everything up and show a search over the sample notes
	@$(BIN)/python examples/demo.py

test: setup model ## run all tests
	$(BIN)/python -m pytest -n auto

check: lint types test ## everything that must be green before a commit

lint: setup
	$(BIN)/ruff check src tests bench examples

types: setup
	$(BIN)/mypy

docs: setup ## write docs/cli.md, docs/config.md and docs/mcp-reference.md anew from their tables
	$(BIN)/python -m scrubjay.cli.reference > docs/cli.md
	$(BIN)/python -m scrubjay.cli.reference config > docs/config.md
	$(BIN)/python -m scrubjay.mcp.reference > docs/mcp-reference.md

bench: setup ## measure; results go to bench/results/
	$(BIN)/pip install -q -e '.[bench]'
	$(BIN)/python bench/run.py

setup: $(READY)

$(READY): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit("scrubjay needs Python 3.11 or newer; this is " + sys.version.split()[0]) if sys.version_info < (3, 11) else None'
	@$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); echo 'Python could not make an environment: install its venv module (on Debian and Ubuntu: apt-get install python3-venv).'; exit 1; }
	@# a current pip, because the commands that an old one writes import `re`: a sixth of a search by words
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade pip
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev]'
	@$(BIN)/python -m compileall -q src || true
	@touch $(READY)

model: setup ## the default embedding model (fetched once, checked by its hash)
	@$(BIN)/kb models pull --quiet

clean:
	rm -rf $(VENV) .demo .mypy_cache .pytest_cache .ruff_cache
