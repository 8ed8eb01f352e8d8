# make demo   sets everything up in .venv and shows the main job on the recorded games
# make test   sets everything up and runs every check and test, the browser's too
# make site   writes the site of the documentation to site/
# make quick  the checks except pyright, and the tests of the lowest layers: under a minute on two processors
# make coverage  runs every test and fails if they cover less than the floor in pyproject.toml
# make bench  measures; make fuzz, make golden, make schemas: see CONTRIBUTING.md

PYTHON ?= python3
BIN := $(if $(filter Windows_NT,$(OS)),.venv/Scripts,.venv/bin)
# Versions that the tests have run with. `make test CONSTRAINTS=` takes the newest that pyproject.toml admits.
CONSTRAINTS ?= constraints.txt
# A worker that has finished takes tests from others; what the tests of a file share is made once.
PYTEST := $(BIN)/pytest -n auto --dist worksteal --durations=40 --durations-min=5
# Programs that have one thread each.
BESIDE := $(MAKE) --no-print-directory -j4
READY := .venv/.ready
# Without bytecode every command that a test starts would compile all its modules again: half of its time.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: demo test check ruff mypy pyright imports pytest browser bench fuzz golden schemas samples pictures site quick layers coverage constraints changelog

demo: $(READY)
	$(BIN)/gamelog demo

test: check pytest

$(READY): pyproject.toml $(CONSTRAINTS)
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check $(addprefix -c ,$(CONSTRAINTS)) -e '.[dev]'
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

# A real Chromium for the pages, installed if the machine allows it. Set GAMELOG_REQUIRE_BROWSER=1
# to fail without one; otherwise the run says what it did not test.
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

pictures: $(READY) browser
	$(BIN)/python -m tests.vocabulary
	$(BIN)/python -m tests.pictures

site: $(READY)
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet
	@echo "open site/index.html"

quick: $(READY)
	@$(BESIDE) ruff mypy imports layers

# The layers below games and archives, the front door, and the golden playthroughs: folders, not single tests.
layers: $(READY)
	$(PYTEST) -m "not browser and not packaging" tests/chance tests/front tests/golden tests/record

coverage: $(READY) browser
	$(PYTEST) --cov --cov-report=term

# Writes the versions that are installed now to constraints.txt: run it after the tests have passed with them.
constraints: $(READY)
	$(BIN)/python -m pip freeze --exclude-editable > constraints.txt

changelog: $(READY)
	$(BIN)/towncrier build --yes --version $(VERSION)
