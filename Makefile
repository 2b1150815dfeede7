# `make demo`, `make check`, `make install`: each builds what it needs, with the packages that this takes. Everything
# else is CMake's.
BUILD ?= build
PREFIX ?= /usr/local
CMAKE_FLAGS ?=
# Tests at once: many of them wait more than they compute.
JOBS ?= $(shell nproc)

.PHONY: build demo check check-all tests install bashrc deb clean

# Makes a build folder, with tests or without; one that has tests keeps them.
configure = cmake -S . -B $(BUILD) $(if $(wildcard $(BUILD)/CMakeCache.txt),$(2),-G Ninja $(1)) $(CMAKE_FLAGS)
with_tests = $(call configure,-DBUILD_TESTING=ON,-DBUILD_TESTING=ON)
without_tests = $(call configure,-DBUILD_TESTING=OFF)

# What is installed.
build:
	@tools/install_dependencies
	@$(without_tests)
	@cmake --build $(BUILD) --target installed

demo:
	@tools/install_dependencies demo
	@$(without_tests)
	@cmake --build $(BUILD) --target mpiexec heat
	$(BUILD)/bin/mpiexec -n 4 $(BUILD)/examples/heat examples/heat/valley.png --scale 2 --steps 8000 \
	  --pictures 8 --out demo-output --check

# Tests that a change needs; and all tests, which take longer (cmake/Tests.cmake).
check: tests
	@ctest --test-dir $(BUILD) --output-on-failure --no-tests=error -j $(JOBS) --label-exclude '^all$$'

check-all: tests
	@ANTIPHON_TEST_LONG=1 ctest --test-dir $(BUILD) --output-on-failure --no-tests=error -j $(JOBS)

tests:
	@tools/install_dependencies tests
	@$(with_tests)
	@cmake --build $(BUILD)

install: build
	@cmake --install $(BUILD) --prefix $(PREFIX)
	@$(MAKE) --no-print-directory bashrc

# What has to be in ~/.bashrc so that an installation is found, where bash does not look by itself.
bashrc:
ifeq ($(filter /usr /usr/local,$(PREFIX)),)
	@echo '# These lines in ~/.bashrc let bash find the programs, and complete their options:'
	@prefix=$$(realpath -m -- "$(PREFIX)"); echo "export PATH=\"$$prefix/bin:\$$PATH\""; \
	  echo ". \"$$prefix/share/bash-completion/completions/mpiexec\""
endif

deb:
	@packaging/make-deb $(BUILD)/deb

clean:
	rm -rf $(BUILD)
