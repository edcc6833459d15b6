# People's entrance. Everything of substance is in Meson, packaging/ and tests/run.
#
#   make run        install what is missing, build, start a demonstration; ^C ends it
#   make test       everything that is checked; the last line counts
#   make test SUITES="unit prop"    only these suites of the sanitizer build
#   make soak N=1000                kills the daemon N times under load, and supervisors N/5 times;
#                                   SEED=N repeats a run

BUILD ?= build
SUITES ?=
PREFIX ?= /usr/local
N ?= 200
SEED ?=
SECONDS_EACH ?= 60

DEPS = packaging/debian-deps.txt
DEPS_DEB = $(DEPS) packaging/debian-deps-deb.txt
DEPS_TEST = $(DEPS_DEB) packaging/debian-deps-test.txt
DEPS_DEV = $(DEPS_TEST) packaging/debian-deps-dev.txt

.PHONY: all deps deps-test deps-deb deps-dev build run test lint format fuzz bench bench-web soak coverage \
        screenshots install uninstall deb clean

all: build

deps:
	@packaging/install-deps $(DEPS)

deps-test:
	@packaging/install-deps $(DEPS_TEST)

deps-deb:
	@packaging/install-deps $(DEPS_DEB)

deps-dev:
	@packaging/install-deps $(DEPS_DEV)

build: deps
	@test -f $(BUILD)/build.ninja || meson setup $(BUILD) --prefix=$(PREFIX)
	@ninja -C $(BUILD)

run: build
	@packaging/demo.sh $(BUILD)

test: deps-test
	@tests/run $(SUITES)

lint: deps-dev
	@tests/lint

format:
	@git ls-files '*.c' '*.h' | xargs clang-format -i

fuzz: deps-test
	@tests/fuzz/run $(SECONDS_EACH)

bench: build
	@bench/run $(BUILD)

# Needs Chromium and, the first time, a network: the page beside a chart library.
bench-web: deps-test build
	@bench/web/run $(BUILD)

soak: deps-test build
	@BALEEN_DAEMON=$(abspath $(BUILD))/src/daemon/baleend BALEEN_SIM=$(abspath $(BUILD))/src/sim/baleen-sim \
	  BALEEN_KILLS=$(N) BALEEN_SUPERVISOR_KILLS=$$(($(N) / 5)) BALEEN_SEED=$(SEED) BALEEN_SUBMIT_RATE=30 \
	  PYTHONDONTWRITEBYTECODE=1 python3 -u tests/e2e/test_kill.py

# Pictures of the page's views, made by its tests: build/web-shots. first-en and day-en are the README's.
screenshots: deps-test build
	@BALEEN_DAEMON=$(abspath $(BUILD))/src/daemon/baleend BALEEN_WEB_SHOTS=$(abspath $(BUILD))/web-shots \
	  python3 tests/web/run.py $(BUILD)/web/page.json shots

coverage: deps-dev
	@test -f build-coverage/build.ninja || \
	  meson setup build-coverage -Db_coverage=true -Dtests=enabled -Doptimization=0
	@ninja -C build-coverage
	@meson test -C build-coverage --no-rebuild
	@gcovr --root . --filter src/ build-coverage

install: build
	@meson install -C $(BUILD) --no-rebuild --quiet

# What the last `make install` has put somewhere.
uninstall:
	@ninja -C $(BUILD) uninstall

deb: deps-deb
	@packaging/make-deb

clean:
	@rm -rf build build-asan build-tsan build-gcc build-clang build-fuzz build-coverage build-deb
