# Two commands: `make demo` and `make check`. Everything else is CMake's.
BUILD ?= build
PREFIX ?= /usr/local
CMAKE_FLAGS ?=

.PHONY: build configure check demo install bashrc deb dependencies clean
build: configure
	@cmake --build $(BUILD)

configure: dependencies
	@test -f $(BUILD)/build.ninja || cmake -S . -B $(BUILD) -G Ninja $(CMAKE_FLAGS)

check: build
	@ctest --test-dir $(BUILD) --output-on-failure

demo: configure
	@cmake --build $(BUILD) --target mpiexec heat
	$(BUILD)/bin/mpiexec -n 4 $(BUILD)/examples/heat examples/heat/valley.png --scale 2 --steps 8000 \
	  --pictures 8 --out demo-output --check

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

dependencies:
	@tools/install_dependencies

clean:
	rm -rf $(BUILD)
