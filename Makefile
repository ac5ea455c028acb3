# `make run` and `make test` are the two commands; `make help` names the rest.

PYTHON ?= python3
NPM ?= $(shell node -e 'process.exit(parseInt(process.versions.node) < 18 ? 1 : 0)' 2>/dev/null && command -v npm)
PYTEST_ARGS ?=
CLOCK ?=
DAY ?= $(shell date -u +%F)
BENCH_ARGS ?=

VENV := .venv
PY := $(VENV)/bin/python
PIP := $(PY) -m pip --disable-pip-version-check --quiet install --require-hashes
COMPILE := $(PY) -m uv pip compile --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header --quiet
RUN_NPM := PATH="$(CURDIR)/$(VENV)/bin:$$PATH" $(or $(strip $(NPM)),npm)
TESTING := env -u DATA_DIR -u PORT -u SANDBOX_PORT $(PY)
# Seconds that the default run may cost, of all its processes.
CPU_BUDGET := 800
PYTEST = $(TESTING) $(if $(CLOCK),-m tests.clock --at $(CLOCK),-m pytest) --cpu-budget=$(CPU_BUDGET) $(PYTEST_ARGS)
ROTATION = $(PY) -m tests.rotation --day $(DAY)
BUILDING := DJANGO_SETTINGS_MODULE=portal.config.build_settings
# npm names a package by its version, which package.json has not. The same packages make the same file.
SBOM := $(VENV)/sbom
VERSION = $(shell sed -n 's/^version = "\([^"]*\)".*/\1/p' pyproject.toml)
define WITHOUT_MOMENT
import json, sys
document = json.load(sys.stdin)
del document["serialNumber"], document["metadata"]["timestamp"]
print(json.dumps(document, indent=1, sort_keys=True))
endef
export WITHOUT_MOMENT
# A lock file has hashes and no addresses, also none of those who ask for money.
define WITHOUT_FUNDING
import json, pathlib, sys
for path in map(pathlib.Path, sys.argv[1:]):
    document = json.loads(path.read_text())
    for package in document["packages"].values():
        package.pop("funding", None)
    path.write_text(json.dumps(document, indent=2, ensure_ascii=False) + "\n")
endef
export WITHOUT_FUNDING
# Two makes at once take turns at installing.
ALONE := $(if $(shell command -v flock),flock Makefile)

# What was installed is remembered by the content of the files that it was installed from.
content = $(shell cat $(1) 2>/dev/null | cksum | tr ' ' '-')
tree = $(shell find $(1) -path static/build -prune -o -type f -exec cksum {} + | sort | cksum | tr ' ' '-')
# The newest content alone, so that going back to an earlier one installs again.
remember = rm -f $(1)-[0-9]* && touch $@
INSTALLED := $(VENV)/installed-$(call content,requirements.txt)
INSTALLED_DEV := $(VENV)/installed-dev-$(call content,requirements-dev.txt)
PACKAGES := node_modules/.installed-$(call content,package.json package-lock.json)
BENCH_PACKAGES := bench/node_modules/.installed-$(call content,bench/package.json bench/package-lock.json)
LIGHTHOUSE := tests/browser/lighthouse
BROWSER_PACKAGES := $(LIGHTHOUSE)/node_modules/.installed-$(call content,$(LIGHTHOUSE)/package.json $(LIGHTHOUSE)/package-lock.json)
ASSETS := $(VENV)/assets-$(call tree,static package.json package-lock.json requirements.txt portal/config/settings.py)
MESSAGES := $(VENV)/messages-$(call content,portal/*/locale/*/LC_MESSAGES/django.po)

.PHONY: help run sample-off test test-all test-rotation test-services test-clock lint ci bench bench-smoke bench-sandbox bench-import bench-lists bench-recordings bench-calendar bench-dashboard bench-report bench-webhooks bench-scale bench-trail bench-sync bench-beside-jobs bench-walks bench-clients bench-workbooks bench-clicks bench-design pictures fonts setup installed installed-dev installed-bench installed-browser sbom lock messages clean
.NOTPARALLEL:
.DELETE_ON_ERROR:

help: ## Names every command
	@grep -hE '^[a-z-]+:.*##' Makefile | sed -E 's/:.*## /\t/' | expand -t 15

run: setup ## Starts the demonstration; PORT, SANDBOX_PORT and DATA_DIR choose where
	@exec $(PY) -m portal.config.demo

sample-off: setup ## Takes the sample colleagues, and what they made, out of a demonstration that runs
	@exec $(PY) -m portal.config.demo remove-sample

test: setup ## Runs the tests, each promise once; PYTEST_ARGS narrows them, CLOCK names another moment
	@$(ALONE) $(MAKE) --no-print-directory installed-dev installed-browser
	$(PYTEST)

test-all: setup ## Runs the deep tests too: more cases, more processes, every story in the browser
	@$(ALONE) $(MAKE) --no-print-directory installed-dev installed-browser
	$(PYTEST) --all

test-rotation: setup ## Runs the deep tests of what was changed lately, a fifth of the rest by DAY, and a story on a service of today
	@$(ALONE) $(MAKE) --no-print-directory installed-dev installed-browser
	@files=$$($(ROTATION)) && { [ -z "$$files" ] || $(PYTEST) $$files; }
	@story=$$($(ROTATION) --story) && SANDBOX_PROFILE=current $(PYTEST) $$story

test-services: setup ## Runs what can differ on the DATABASE_URL, REDIS_URL and CELERY_BROKER_URL given, and a fifth of the deep tests
	@$(ALONE) $(MAKE) --no-print-directory installed-dev
	@files=$$($(ROTATION) --turn) && $(PYTEST) --services --also="$$files"

test-clock: setup ## Runs all tests at the turns of years, months and clocks
	@$(ALONE) $(MAKE) --no-print-directory installed-dev installed-browser
	$(TESTING) -m tests.clock --all $(PYTEST_ARGS)

lint: setup ## Checks style, types, imports, templates, migrations and settings
	@$(ALONE) $(MAKE) --no-print-directory installed-dev
	$(PY) -m ruff check
	$(PY) -m ruff format --check --quiet
	$(PY) -m mypy
	$(PY) -m mypy --config-file portal/sandbox/mypy.ini portal/sandbox
	$(VENV)/bin/lint-imports
	$(PY) -m djlint templates --lint --quiet
	$(BUILDING) $(PY) manage.py makemigrations --check --dry-run
	SANDBOX_DATABASE_URL=sqlite:// DJANGO_SETTINGS_MODULE=portal.sandbox.settings $(PY) manage.py makemigrations --check --dry-run
	$(BUILDING) $(PY) manage.py check --deploy --fail-level WARNING

ci: ## Does what must pass before a change is taken; DAY repeats the rotation of a day
	@DAY=$(DAY) .ci/run

bench: setup ## Runs all benches, one after the other, and prints one table of figures and aims; BENCH_ARGS names some
	@$(ALONE) $(MAKE) --no-print-directory installed-dev installed-bench
	@PATH="$(CURDIR)/$(VENV)/bin:$$PATH" $(PY) -m bench $(BENCH_ARGS)

bench-smoke: setup ## Runs the benches of DAY in seconds, to see that they work
	@$(ALONE) $(MAKE) --no-print-directory installed-dev installed-bench
	@PATH="$(CURDIR)/$(VENV)/bin:$$PATH" $(PY) -m bench --smoke $$($(ROTATION) --benches)

bench-sandbox: setup ## Measures the sandbox beside a static mock; BENCH_ARGS, as in BENCH_ARGS=--help
	@$(ALONE) $(MAKE) --no-print-directory installed-dev installed-bench
	@PATH="$(CURDIR)/$(VENV)/bin:$$PATH" $(PY) -m bench.sandbox $(BENCH_ARGS)

bench-import: setup ## Measures an import beside a serial script; BENCH_ARGS, as in BENCH_ARGS=--help
	@$(ALONE) $(MAKE) --no-print-directory installed-dev
	@$(PY) -m bench.imports $(BENCH_ARGS)

bench-lists: setup ## Measures the list of 50,000 people and other pages, for up to 32 viewers, on SQLite and, where one answers, on PostgreSQL
	@$(ALONE) $(MAKE) --no-print-directory installed-dev
	@$(PY) -m bench.lists people $(BENCH_ARGS)

bench-recordings: setup ## Measures the list of 100,000 recordings, on the same databases
	@$(ALONE) $(MAKE) --no-print-directory installed-dev
	@$(PY) -m bench.lists recordings $(BENCH_ARGS)

bench-calendar: setup ## Measures the calendar of 5,000 sessions in a month, on the same databases
	@$(ALONE) $(MAKE) --no-print-directory installed-dev
	@$(PY) -m bench.lists calendar $(BENCH_ARGS)

bench-dashboard: setup ## Measures 200 viewers of 120 live sessions, for a minute
	@$(ALONE) $(MAKE) --no-print-directory installed-dev
	@$(PY) -m bench.dashboard $(BENCH_ARGS)

bench-report: setup ## Measures six months of a report read by a job beside a serial loop
	@$(ALONE) $(MAKE) --no-print-directory installed-dev
	@$(PY) -m bench.reports $(BENCH_ARGS)

bench-webhooks: setup ## Measures 10,000 webhook deliveries, doubled and shuffled, and the page that lists them
	@$(ALONE) $(MAKE) --no-print-directory installed-dev
	@$(PY) -m bench.webhooks $(BENCH_ARGS)

bench-trail: setup ## Measures audit entries that four processes append at the same time, on PostgreSQL
	@$(ALONE) $(MAKE) --no-print-directory installed-dev
	@$(PY) -m bench.trail $(BENCH_ARGS)

bench-scale: setup ## Measures 500,000 people and 1,000,000 audit entries, with processes that are killed
	@$(ALONE) $(MAKE) --no-print-directory installed-dev
	@$(PY) -m bench.scale $(BENCH_ARGS)

bench-sync: setup ## Measures the first sync of 20,000 people and 47,000 sessions, at a limit and without
	@$(ALONE) $(MAKE) --no-print-directory installed-dev
	@$(PY) -m bench.sync $(BENCH_ARGS)

bench-beside-jobs: setup ## Measures pages while jobs of 20,000 people run, beside the same pages alone
	@$(ALONE) $(MAKE) --no-print-directory installed-dev
	@$(PY) -m bench.beside_jobs $(BENCH_ARGS)

bench-walks: setup ## Counts the functions and modules that some ways through the portal pass
	@$(ALONE) $(MAKE) --no-print-directory installed-dev
	@$(PY) -m bench.walks $(BENCH_ARGS)

bench-clients: setup ## Runs client libraries that people use on the sandbox as a service of today
	@$(ALONE) $(MAKE) --no-print-directory installed-dev installed-bench
	@PATH="$(CURDIR)/$(VENV)/bin:$$PATH" $(PY) -m bench.clients $(BENCH_ARGS)

bench-workbooks: setup ## Measures plain and hostile XLSX files, read by the portal and by python-calamine
	@$(ALONE) $(MAKE) --no-print-directory installed-dev
	@$(PY) -m bench.workbooks $(BENCH_ARGS)

bench-clicks: setup ## Measures the memory of web processes while people click through all pages
	@$(ALONE) $(MAKE) --no-print-directory installed-dev
	@$(PY) -m bench.clicks $(BENCH_ARGS)

fonts: setup ## Makes the fonts anew from their package, of the weights that pages use
	@$(ALONE) $(MAKE) --no-print-directory installed-dev
	@$(PY) -m uv run --no-project --with fonttools==4.68.0 --with brotli==1.2.1 static/fonts.py

bench-design: setup ## Measures how pages look and what they weigh; BENCH_ARGS, as in BENCH_ARGS=--width=1280
	@$(ALONE) $(MAKE) --no-print-directory installed-dev
	@$(PY) -m bench.design $(BENCH_ARGS)

bench-tasks: setup ## Counts the keys and loads of scheduling by keyboard
	@$(ALONE) $(MAKE) --no-print-directory installed-dev
	@$(PY) -m bench.tasks $(BENCH_ARGS)

pictures: setup ## Takes pictures of pages in all widths, themes and languages into `pictures/`
	@$(ALONE) $(MAKE) --no-print-directory installed-dev
	@$(PY) -m bench.pictures $(BENCH_ARGS)

setup: ## Installs what `make run` needs; may be run again at any time
	@$(ALONE) $(MAKE) --no-print-directory installed

installed: $(INSTALLED) $(PACKAGES) $(MESSAGES) $(ASSETS)
	@:

installed-dev: $(INSTALLED_DEV)
	@:

installed-bench: $(BENCH_PACKAGES)
	@:

installed-browser: $(BROWSER_PACKAGES)
	@:

$(PY):
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
		echo 'Switchboard needs Python 3.11 or newer; "$(PYTHON)" is' "$$($(PYTHON) --version 2>&1)." >&2; \
		echo 'Name a newer one, as in: make run PYTHON=python3.12' >&2; exit 1; }
	@echo 'Making $(VENV) …'
	@$(PYTHON) -m venv --clear $(VENV)

$(INSTALLED): | $(PY)
	@echo 'Installing Python packages …'
	@$(PIP) -r requirements.txt
	@$(call remember,$(VENV)/installed)

$(INSTALLED_DEV): | $(PY)
	@echo 'Installing Python packages for the tests …'
	@$(PIP) -r requirements-dev.txt
	@$(call remember,$(VENV)/installed-dev)

$(PACKAGES): | $(PY)
ifeq ($(strip $(NPM)),)
	@echo 'There is no Node.js 18 or newer: installing one into $(VENV) …'
	@$(PIP) -r requirements-node.txt
endif
	@echo 'Installing npm packages …'
	@$(RUN_NPM) ci --silent --ignore-scripts
	@$(call remember,node_modules/.installed)

$(BENCH_PACKAGES): | $(PACKAGES)
	@echo 'Installing npm packages for the benchmark …'
	@$(RUN_NPM) ci --silent --ignore-scripts --prefix bench
	@$(call remember,bench/node_modules/.installed)

$(BROWSER_PACKAGES): | $(PACKAGES)
	@echo 'Installing npm packages for the tests in the browser …'
	@$(RUN_NPM) ci --silent --ignore-scripts --prefix $(LIGHTHOUSE)
	@$(call remember,$(LIGHTHOUSE)/node_modules/.installed)

ifeq ($(wildcard staticfiles/staticfiles.json),)
.PHONY: $(ASSETS)
endif
$(ASSETS): | $(INSTALLED) $(PACKAGES)
	@echo 'Building static files …'
	@$(RUN_NPM) run --silent build
	@$(BUILDING) $(PY) manage.py collectstatic --noinput --clear --verbosity 0
	@$(call remember,$(VENV)/assets)

ifeq ($(firstword $(wildcard portal/*/locale/*/LC_MESSAGES/django.mo)),)
.PHONY: $(MESSAGES)
endif
$(MESSAGES): | $(INSTALLED)
	@$(BUILDING) $(PY) manage.py messages --compile
	@$(call remember,$(VENV)/messages)

messages: setup ## Brings the catalogues of translations up to date with the words in the code
	@$(BUILDING) $(PY) manage.py messages

sbom: installed-dev ## Writes what runs, with versions and hashes, as CycloneDX: sbom-python.json and sbom-npm.json
	$(PY) -m cyclonedx_py requirements requirements.txt --pyproject pyproject.toml --output-reproducible --output-format JSON --output-file sbom-python.json
	rm -rf $(SBOM) && mkdir $(SBOM) && cp package.json package-lock.json $(SBOM)
	cd $(SBOM) && $(RUN_NPM) pkg set version=$(VERSION)
	cd $(SBOM) && $(RUN_NPM) sbom --package-lock-only --omit dev --sbom-format cyclonedx > sbom.json
	$(PY) -c "$$WITHOUT_MOMENT" < $(SBOM)/sbom.json > sbom-npm.json

lock: installed-dev ## Brings the lock files up to date with pyproject.toml and package.json
	$(COMPILE) --upgrade pyproject.toml --extra sandbox -o requirements.txt
	$(COMPILE) --upgrade pyproject.toml --extra sandbox --extra telemetry --extra dev -o requirements-dev.txt
	$(COMPILE) --upgrade --group node -o requirements-node.txt
	for each in bench/clients/locks/*.in; do $(COMPILE) --no-annotate $$each -o $${each%.in}.txt; done
	$(RUN_NPM) install --package-lock-only
	$(RUN_NPM) install --package-lock-only --prefix bench
	$(RUN_NPM) install --package-lock-only --prefix $(LIGHTHOUSE)
	$(PY) -c "$$WITHOUT_FUNDING" package-lock.json bench/package-lock.json $(LIGHTHOUSE)/package-lock.json

clean: ## Removes what was installed and built, but no data
	rm -rf $(VENV) node_modules bench/node_modules $(LIGHTHOUSE)/node_modules static/build staticfiles .mypy_cache .ruff_cache .pytest_cache .import_linter_cache
	find . -name __pycache__ -prune -exec rm -rf {} +
