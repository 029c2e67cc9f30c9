# Every command a developer needs; each sets up what it uses.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
LOWEST := .lowest
UV     := $(shell command -v uv 2>/dev/null)
SHARED := -n 2
LOCK   := uv pip compile -q --universal --generate-hashes --no-emit-index-url --no-emit-find-links \
	--custom-compile-command "make lock"

unexport PYTHONDONTWRITEBYTECODE  # tests and notebooks start some hundred processes, which need not compile it all again

.PHONY: compare test fast lint bench thorough lowest kills statistics judge browser app picture gallery notebooks clauses baselines lock clean

compare: $(VENV)/.ready  ## the main job: one assault under every set of building rules
	$(BIN)/casemate compare

test: $(VENV)/.ready lint  ## everything that must hold, heavy tests in a short form; what CI runs
	$(BIN)/python -m pytest $(SHARED)

fast: $(VENV)/.ready  ## the tests without the slow ones: notebooks, statistics
	$(BIN)/python -m pytest tests $(SHARED) -m "not slow"

lint: $(VENV)/.ready
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: $(VENV)/.ready  ## speed, as ratios within one run
	$(BIN)/python -m pytest tests/benchmarks --benchmark-enable --benchmark-only -n 0

thorough: $(VENV)/.ready  ## all cases of the heavy tests, of which `make test` takes one of each kind
	$(BIN)/python -m pytest --thorough $(SHARED)

lowest:  ## some of the tests with the lowest versions of everything that pyproject.toml allows
	rm -rf $(LOWEST)
	$(PYTHON) -m venv $(LOWEST)
	$(PYTHON) -c "import tomllib; project = tomllib.load(open('pyproject.toml', 'rb'))['project']; \
		print(*project['dependencies'], *project['optional-dependencies']['test'], sep='\n')" \
		| sed 's/>=/==/' > $(LOWEST)/lowest.txt
	$(LOWEST)/bin/python -m pip install -q --disable-pip-version-check -r $(LOWEST)/lowest.txt
	$(LOWEST)/bin/python -m pip install -q --disable-pip-version-check --no-deps -e .
	$(LOWEST)/bin/python -m pytest $(SHARED) -m "not slow" tests/dice tests/test_doctests.py tests/test_reading.py \
		tests/test_rulebook.py tests/test_scenario.py tests/analysis/test_door.py tests/analysis/test_intervals.py \
		tests/analysis/test_charts_dice.py tests/analysis/test_sweep.py

kills: $(VENV)/.ready  ## a sweep is killed twenty times at random, and goes on each time
	KILLS=20 $(BIN)/python -m pytest tests/analysis/test_store.py -k killed -n 0

statistics: $(VENV)/.ready  ## what sampled answers promise, over many repetitions: coverage, verdicts on nothing new
	$(BIN)/python -m pytest tests/statistics -o addopts= -n 2

judge: $(VENV)/.judge  ## the model checker Storm, which is installed for it (160 MB), answers exported assaults
	$(BIN)/python -m pytest tests/judge -o addopts=

browser: $(VENV)/.browser  ## pages as a browser shows them, and as a screen reader tells them; installs Playwright
	$(BIN)/python -m pytest tests/browser -o addopts=

app: $(VENV)/.ready  ## the explorer: an assault and its rules on sliders, at the address that it prints
	cd notebooks && JUPYTER_PATH=share $(CURDIR)/$(BIN)/voila explorer.ipynb

picture: $(VENV)/.ready  ## the picture of the README
	$(BIN)/casemate chart ends --out notebooks/farmhouse.svg

gallery: $(VENV)/.ready  ## every chart on one page, with the command that makes it
	$(BIN)/casemate chart gallery

notebooks: $(VENV)/.ready  ## every notebook at full size, as pages that open in a browser
	$(BIN)/jupyter nbconvert --execute --to html --output-dir reports/notebooks notebooks/[0-9]*.ipynb

clauses: $(VENV)/.ready  ## write the status of every clause anew from citations, tests and what assaults play
	$(BIN)/python -m tests.status

baselines: $(VENV)/.ready  ## write anew what every set of rules answers: make baselines WHY="what moved it"
	for rules in $$($(BIN)/python -c "from sims.rulesets import *; print(*rule_set_ids())"); do \
		$(BIN)/casemate baseline write tests/baselines/$$rules.json --rules $$rules \
			--margin-chance 0 --margin-mean 0 $(if $(WHY),--accept "$(WHY)"); done

lock: $(VENV)/.ready  ## pin every dependency anew (needs uv)
	$(LOCK) --extra test --extra build --extra cluster --extra app pyproject.toml -o requirements.lock
	for extra in judge browser; do $(BIN)/python -c "import tomllib; \
		extras = tomllib.load(open('pyproject.toml', 'rb'))['project']['optional-dependencies']; \
		print(*extras['$$extra'], sep='\n')" | $(LOCK) --constraints requirements.lock - -o tests/$$extra.lock || exit 1; done

clean:
	rm -rf $(VENV) $(LOWEST) .mypy_cache .ruff_cache .pytest_cache .benchmarks

$(VENV)/.ready: requirements.lock pyproject.toml
	$(PYTHON) -m venv $(VENV)
ifdef UV
	VIRTUAL_ENV=$(VENV) uv pip sync -q --require-hashes requirements.lock
	VIRTUAL_ENV=$(VENV) uv pip install -q --no-deps --no-build-isolation -e .
else
	$(BIN)/python -m pip install -q --disable-pip-version-check --require-hashes -r requirements.lock
	$(BIN)/python -m pip install -q --disable-pip-version-check --no-deps --no-build-isolation -e .
endif
	touch $@

$(VENV)/.judge $(VENV)/.browser: $(VENV)/.%: tests/%.lock $(VENV)/.ready
ifdef UV
	VIRTUAL_ENV=$(VENV) uv pip install -q --only-binary :all: --require-hashes -r $<
else
	$(BIN)/python -m pip install -q --disable-pip-version-check --only-binary :all: --require-hashes -r $<
endif
	touch $@
