# make demo   sets everything up in .venv and shows the main job on the recorded games
# make test   sets everything up and runs every check and test, the browser's too
# make site   writes the site of the documentation to site/
# make quick  the checks and a share of the tests, under a minute
# make coverage  runs every test and fails where they run less than the floor in pyproject.toml
# make bench  measures; make fuzz, make golden, make schemas: see CONTRIBUTING.md

PYTHON ?= python3
BIN := .venv/bin
READY := .venv/.ready

.PHONY: demo test check pytest browser bench fuzz golden schemas samples site quick coverage changelog

demo: $(READY)
	$(BIN)/gamelog demo

test: check pytest

$(READY): pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev]'
	touch $@

check: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/pyright --pythonpath $(BIN)/python
	$(BIN)/lint-imports

pytest: $(READY) browser
	$(BIN)/pytest -n auto

# A real Chromium for the pages, installed where the machine lets it be. Set GAMELOG_REQUIRE_BROWSER=1
# to fail without one; else the run says what it did not test.
browser:
	@sh tests/browser/install.sh

bench: $(READY)
	$(BIN)/python -m tests.bench

fuzz: $(READY)
	$(BIN)/python -m tests.fuzz
	$(BIN)/pytest -n auto --grids -m grid

golden: $(READY)
	$(BIN)/python -m gamelog.testing.golden

schemas: $(READY)
	$(BIN)/python -m tests.schemas

samples: $(READY)
	$(BIN)/python -m tests.samples

site: $(READY)
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet
	@echo "open site/index.html"

# The layers below games and archives, the front door, and what reads documents: directories, not chosen tests.
quick: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/pytest -n auto -m "not browser and not packaging" tests/chance tests/front tests/golden tests/record

coverage: $(READY) browser
	$(BIN)/pytest -n auto --cov --cov-report=term

changelog: $(READY)
	$(BIN)/towncrier build --yes --version $(VERSION)
