# Two commands: `make demo` and `make check`. Everything else is CMake's.
BUILD ?= build
PREFIX ?= /usr/local
CMAKE_FLAGS ?=

.PHONY: build check demo install dependencies clean
build: dependencies
	@test -f $(BUILD)/build.ninja || cmake -S . -B $(BUILD) -G Ninja $(CMAKE_FLAGS)
	@cmake --build $(BUILD)

check: build
	@ctest --test-dir $(BUILD) --output-on-failure

install: build
	@cmake --install $(BUILD) --prefix $(PREFIX)

dependencies:
	@tools/install_dependencies

clean:
	rm -rf $(BUILD)
