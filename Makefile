# make demo   sets everything up in .venv and shows the main job on the recorded games
# make test   sets everything up and runs every check and test, the browser's too
# make site   writes the site of the documentation to site/
# make quick  the checks but pyright, and the tests of the layers that all else stands on: under a minute on two processors
# make coverage  runs every test and fails where they run less than the floor in pyproject.toml
# make bench  measures; make fuzz, make golden, make schemas: see CONTRIBUTING.md

PYTHON ?= python3
BIN := .venv/bin
# Whoever has done his part takes from the others', and what a file's tests share is made once.
PYTEST := $(BIN)/pytest -n auto --dist worksteal
# Programs that have one thread each.
BESIDE := $(MAKE) --no-print-directory -j4
READY := .venv/.ready

.PHONY: demo test check ruff mypy pyright imports pytest browser bench fuzz golden schemas samples site quick layers coverage changelog

demo: $(READY)
	$(BIN)/gamelog demo

test: check pytest

$(READY): pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev]'
	touch $@

check: $(READY)
	@$(BESIDE) ruff mypy pyright imports

ruff: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

mypy: $(READY)
	$(BIN)/mypy

pyright: $(READY)
	$(BIN)/pyright --pythonpath $(BIN)/python

imports: $(READY)
	$(BIN)/lint-imports

pytest: $(READY) browser
	$(PYTEST)

# A real Chromium for the pages, installed where the machine lets it be. Set GAMELOG_REQUIRE_BROWSER=1
# to fail without one; else the run says what it did not test.
browser:
	@sh tests/browser/install.sh

bench: $(READY)
	$(BIN)/python -m tests.bench

fuzz: $(READY)
	$(BIN)/python -m tests.fuzz
	$(PYTEST) --grids -m grid

golden: $(READY)
	$(BIN)/python -m gamelog.testing.golden

schemas: $(READY)
	$(BIN)/python -m tests.schemas

samples: $(READY)
	$(BIN)/python -m tests.samples

site: $(READY)
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet
	@echo "open site/index.html"

quick: $(READY)
	@$(BESIDE) ruff mypy imports layers

# The layers below games and archives, the front door, and what reads documents: directories, not chosen tests.
layers: $(READY)
	$(PYTEST) -m "not browser and not packaging" tests/chance tests/front tests/golden tests/record

coverage: $(READY) browser
	$(PYTEST) --cov --cov-report=term

changelog: $(READY)
	$(BIN)/towncrier build --yes --version $(VERSION)
