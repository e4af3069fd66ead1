# `make` sets up and runs the default study; `make help` lists the rest.

PYTHON ?= python3
CORES ?= all
SECONDS ?= 600
SEED ?= 1
TARGETS ?=
VENV := .venv
STAGES ?= all
KILLS ?= 30
CHECKS ?= disk kills slurm
SHOW ?= -s
BIN := $(VENV)/bin
READY := $(VENV)/.ready
SNAKEMAKE := $(BIN)/snakemake --cores $(CORES)

.DEFAULT_GOAL := study
.PHONY: study report pictures setup smoke check test test-browser test-cluster fuzz audit lint format lock clean benchmark help

study: $(READY) ## set up and run the default study (a quarter of an hour on two cores)
	$(SNAKEMAKE)

report: study ## the study, then Snakemake's own report of it, in results/report/report.html
	$(BIN)/snakemake --report results/report/report.html

pictures: $(READY) ## make the README's pictures from the default study (Chromium must be installed)
	$(SNAKEMAKE) results/report/explorer.png results/attribution/glove_reviews/concentration.png
	cp results/report/explorer.png results/attribution/glove_reviews/concentration.png docs/images/

setup: $(READY) ## make the environment in .venv from the pinned requirements

$(READY): requirements.lock
	$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else "biasorigin needs Python 3.11 or newer; found " + sys.version.split()[0] + ". Name another one: make PYTHON=python3.12")'
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check uv
	$(BIN)/uv pip install --quiet --compile-bytecode --python $(BIN)/python --require-hashes -r requirements.lock
	touch $@

smoke: $(READY) ## run the whole workflow on a tiny made-up corpus, without any download
	$(SNAKEMAKE) --configfile config/smoke.yaml --directory results/smoke

test: $(READY) ## set up and run all tests
	$(BIN)/python -m pytest -n 2 --dist loadfile --no-loadscope-reorder

test-browser: $(READY) ## test the explorer page in a real browser (Chromium must be installed)
	$(BIN)/python -m pytest -p no:cacheprovider tests/browser/check_explorer.py

test-cluster: $(READY) ## kills, a full disk, a real Slurm on this machine (root; apt-get install slurm-wlm munge)
	STAGES="$(STAGES)" KILLS=$(KILLS) $(BIN)/python -m pytest -p no:cacheprovider $(SHOW) $(CHECKS:%=tests/cluster/check_%.py)

check: $(READY) ## are the results of the last run whole, finite and consistent?
	$(BIN)/python -m pytest -p no:cacheprovider tests/artefact/check_results.py

fuzz: $(READY) ## give the readers broken input for SECONDS (600); with atheris in .venv guided by coverage
	$(BIN)/python tests/fuzz/fuzz.py --seconds $(SECONDS) --seed $(SEED) --targets $(TARGETS)

audit: $(READY) ## look the pinned requirements up among known vulnerabilities (needs the network)
	$(BIN)/python tests/check_audit.py

lint: $(READY) ## check style, formatting and the workflow itself
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/snakefmt --check Snakefile workflow/rules
	$(BIN)/python tests/check_lint.py

format: $(READY) ## put every file into the project's format
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(BIN)/snakefmt Snakefile workflow/rules

lock: $(READY) ## pin the newest versions that work together, with hashes
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-emit-index-url \
		--no-annotate --all-extras pyproject.toml -o requirements.lock --upgrade
	$(BIN)/python envs/generate.py

benchmark: $(READY) ## compare with the peers, side by side (long; not part of the tests)
	for script in benchmarks/*.py; do $(BIN)/python $$script || exit 1; done

clean: ## remove everything that a run made (sources are kept)
	find results -mindepth 1 -maxdepth 1 ! -name README.md ! -name sources -exec rm -rf {} +
	rm -rf .snakemake

help: ## list these targets
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/  make \1\t\2/' | expand -t 20
