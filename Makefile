# SPDX-License-Identifier: Apache-2.0
# A thin layer over CMake (CMakePresets.json): what people type. `make help` lists it.

PREFIX ?= /usr/local
FUZZ_SECONDS ?= 300
JOBS ?= $(shell nproc 2>/dev/null || echo 2)
DEMO = examples/murphi/german.m
# But for C programs that tests read.
SOURCES = $(shell find src runtime tests bench -name '*.[ch]' -not -path 'tests/golden/*' -not -path 'tests/programs/*' -not -path 'tests/unit/c/odd/*' 2>/dev/null)

export CMAKE_BUILD_PARALLEL_LEVEL := $(JOBS)

.PHONY: all build build-tests build-sanitizers setup demo test test-quick test-long bench install fuzz format lint clean help
.DEFAULT_GOAL := all

all: build ## build the release: build/fathom

# $(call configure,PRESET): silent unless it fails.
configure = log=$$(cmake --preset $(1) -Wno-dev 2>&1) || { echo "$$log"; exit 1; }

build:
	@scripts/setup build
	@$(call configure,release)
	@cmake --build --preset release --target fathom

# The programs of the tests as well.
build-tests:
	@scripts/setup test
	@$(call configure,release)
	@cmake --build --preset release

setup: ## install the packages needed to build and test (Debian)
	@scripts/setup test

demo: build ## check German's protocol with a seeded bug, show verdict and trace
	@echo
	@echo "\$$ build/fathom check $(DEMO) -D BUG=1"
	@build/fathom check $(DEMO) -D BUG=1; status=$$?; \
	  if [ $$status -eq 10 ]; then echo; echo "Exit status 10: the property is violated, as the seeded bug should make it."; \
	  else echo "fathom ended with $$status, not with 10 (violated)"; exit 1; fi

build-sanitizers: build-tests
	@$(call configure,sanitize)
	@cmake --build --preset sanitize
	@$(call configure,threads)
	@cmake --build --preset threads --target thread_tests

# The sanitizer builds take part in the same run of ctest, so that one summary closes it.
test: build-sanitizers ## build and run all tests but the long ones
	@FATHOM_TEST_SANITIZE=1 ctest --preset release -j $(JOBS) -LE long

test-quick: build-tests ## only the tests that take a moment
	@ctest --preset release -j $(JOBS) -L quick

test-long: build-sanitizers ## every test: the whole grid, all oracle settings, 1,000 random models
	@FATHOM_TEST_SANITIZE=1 ctest --preset release -j $(JOBS)

bench: build-tests ## Fathom and Rumur side by side (about an hour; bench/scale --quick for less)
	@bench/murphi
	@bench/scale
	@bench/bounded
	@bench/promela
	@bench/biased
	@bench/smv

install: build ## install below PREFIX (default /usr/local)
	@cmake --build --preset release --target fathom_manual
	@cmake --install build --prefix $(PREFIX)

fuzz: ## fuzz the parsers for FUZZ_SECONDS (default 300)
	@scripts/setup test
	@tests/fuzz/run.sh build/fuzz $(FUZZ_SECONDS)

format: ## lay the sources out with clang-format
	@scripts/setup develop
	@clang-format -i $(SOURCES)

lint: ## room order, layout, clang-tidy
	@scripts/setup develop
	@scripts/check-rooms
	@clang-format --dry-run -Werror $(SOURCES)
	@$(MAKE) --no-print-directory build-tests
	@echo $(filter src/%.c,$(SOURCES)) | xargs -P $(JOBS) -n 8 clang-tidy --quiet -p build

clean: ## remove everything that was built
	@rm -rf build

help: ## this list
	@awk -F':.*## ' '/^[a-z-]+:.*## /{printf "  make %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)
