# SPDX-License-Identifier: Apache-2.0
# A thin layer over CMake (CMakePresets.json): what people type. `make help` lists it.

PREFIX ?= /usr/local
FUZZ_SECONDS ?= 300
JOBS ?= $(shell nproc 2>/dev/null || echo 2)
DEMO = examples/murphi/german.m
SOURCES = $(shell find src runtime tests bench -name '*.[ch]' 2>/dev/null)

export CMAKE_BUILD_PARALLEL_LEVEL := $(JOBS)

.PHONY: all build setup demo test test-quick test-long bench install fuzz format lint clean help
.DEFAULT_GOAL := all

all: build ## build the release: build/fathom

build:
	@scripts/setup build
	@cmake --preset release -Wno-dev >build.log 2>&1 || { cat build.log; rm -f build.log; exit 1; }
	@rm -f build.log
	@cmake --build --preset release

setup: ## install the packages needed to build and test (Debian)
	@scripts/setup test

demo: build ## check German's protocol with a seeded bug, show verdict and trace
	@echo
	@echo "\$$ build/fathom check $(DEMO) -D BUG=1"
	@build/fathom check $(DEMO) -D BUG=1; status=$$?; \
	  if [ $$status -eq 10 ]; then echo; echo "Exit status 10: the property is violated, as the seeded bug should make it."; \
	  else echo "fathom ended with $$status, not with 10 (violated)"; exit 1; fi

# The sanitizer build takes part in the same run of ctest, so that one summary closes it.
test: ## build and run all tests but the long ones
	@scripts/setup test
	@$(MAKE) --no-print-directory build
	@cmake --preset sanitize -Wno-dev >/dev/null
	@cmake --build --preset sanitize
	@FATHOM_TEST_SANITIZE=1 ctest --preset release -j $(JOBS) -LE long

test-quick: ## only the tests that take a moment
	@scripts/setup test
	@$(MAKE) --no-print-directory build
	@ctest --preset release -j $(JOBS) -L quick

test-long: ## every test: all oracle settings, 1,000 random models
	@scripts/setup test
	@$(MAKE) --no-print-directory build
	@ctest --preset release -j $(JOBS)

bench: ## Fathom and Rumur side by side (about ten minutes; bench/murphi --quick for less)
	@scripts/setup test
	@$(MAKE) --no-print-directory build
	@bench/murphi

install: build ## install below PREFIX (default /usr/local)
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
	@$(MAKE) --no-print-directory build
	@clang-tidy --quiet -p build $(filter src/%.c,$(SOURCES))

clean: ## remove everything that was built
	@rm -rf build

help: ## this list
	@awk -F':.*## ' '/^[a-z-]+:.*## /{printf "  make %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)
