# Each target does everything it needs, in the private environment .venv: nothing is installed into the system.
#   make run     build, analyse a shipped game, watch two engine processes play a battle
#   make test    the quick tests            make slow    the long ones
#   make bench   the speed and memory figures
#   make lint    ruff, mypy, cython-lint    make clean   remove everything that was made
# PYTHON=python3.12 chooses the interpreter, THUDSTONE_ARCH=portable builds for any processor instead of this one.

PYTHON ?= python3
THUDSTONE_ARCH ?= native
export THUDSTONE_ARCH
VENV := .venv
BIN := $(VENV)/bin
GAME := examples/battle.thud

# The environment links to the Python files, so only these need a new build; a folder changes when a file comes or goes.
SOURCES := setup.py pyproject.toml bindings/version.py \
	$(shell find bindings engine protocol \( -name __pycache__ -prune \) -o -type d -print -o -name '*.py[xi]' -print -o -name '*.pxi' -print)
INSTALL := $(BIN)/pip install --quiet --disable-pip-version-check
INSTALLED := $(VENV)/installed-$(THUDSTONE_ARCH)
DEVELOP := $(VENV)/develop-$(THUDSTONE_ARCH)

.PHONY: run test slow bench lint clean check
.DELETE_ON_ERROR:

run: $(INSTALLED)
	$(BIN)/thudstone analyse $(GAME)
	$(BIN)/thudstone selfplay --movetime 20 --limit 50
	@echo
	@echo "Next: $(BIN)/thudstone play      you against the engine"
	@echo "      $(BIN)/thudstone -h        everything else"
	@echo "      $(BIN)/thudstone           the engine itself; docs/protocol.md says what it understands"

test: $(DEVELOP)
	$(BIN)/pytest

slow: $(DEVELOP)
	$(BIN)/pytest -m slow

bench: $(DEVELOP)
	$(BIN)/pytest bench --benchmark-columns=min,median,max,rounds

lint: $(DEVELOP)
	$(BIN)/ruff check .
	$(BIN)/mypy -p thudstone
	$(BIN)/mypy setup.py tests examples
	$(BIN)/mypy bench  # apart: both folders have a conftest
	PATH="$(abspath $(BIN)):$$PATH" cython-lint engine  # it calls pycodestyle

clean:
	rm -rf $(VENV) build dist *.egg-info .benchmarks .hypothesis .mypy_cache .pytest_cache .ruff_cache
	find bindings engine protocol tests bench examples -name __pycache__ -prune -exec rm -rf {} +
	rm -f engine/thud/*.so

$(INSTALLED): $(SOURCES) $(VENV)/tools
	rm -f $(VENV)/installed-* $(VENV)/develop-*
	$(INSTALL) --no-build-isolation --config-settings editable_mode=strict --editable .
	touch $@

$(DEVELOP): $(SOURCES) $(VENV)/tools
	rm -f $(VENV)/installed-* $(VENV)/develop-*
	$(INSTALL) --no-build-isolation --config-settings editable_mode=strict --editable '.[dev]'
	touch $(INSTALLED) $@

$(VENV)/tools: | check
	$(PYTHON) -m venv $(VENV)
	$(INSTALL) --upgrade 'setuptools>=64' 'cython>=3.1' wheel
	touch $@

# What a build needs from the system; all that is missing, in one line.
check:
	@lacks() { missing="$$missing$${missing:+, }$$1"; }; missing=; \
	if ! $(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 10))' 2>/dev/null; then \
		lacks "Python 3.10 or newer as $(PYTHON) (Debian: python3)"; \
	else \
		$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || lacks "Python's venv (Debian: python3-venv)"; \
		test -e "$$($(PYTHON) -c 'import sysconfig; print(sysconfig.get_path("include"))')/Python.h" \
			|| lacks "Python headers (Debian: python3-dev)"; \
		compiler=$${CC:-$$($(PYTHON) -c 'import sysconfig; print(sysconfig.get_config_var("CC") or "cc")')}; \
		if ! command -v $${compiler%% *} >/dev/null; then lacks "C compiler $${compiler%% *} (Debian: gcc)"; \
		elif ! printf '#include <stdlib.h>\n' | $$compiler -fsyntax-only -x c - 2>/dev/null; then \
			lacks "C library headers (Debian: libc6-dev)"; fi; \
	fi; \
	if [ -n "$$missing" ]; then echo "missing: $$missing" >&2; exit 1; fi
