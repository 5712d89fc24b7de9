# The short way to everything; each target can be run on a bare Debian 12 or Ubuntu 24.04.
#   make demo     the four kinds of proof at 2 KiB go through the daemon and come back verified, equal to Filecoin's
#   make test     builds all but the benchmarks and runs all tests
#   make build    build/release/bin/cuzk and its siblings
#   make package  a .deb and a relocatable tarball for release, in build/package/packages
#   make docs     the documentation site, in build/release/docs/site
#   make bundle   the programs and libcuzk with the libraries they need in one relocatable folder and tarball
#   make digests  streams every circuit (3 CPU-minutes) and compares with the network's digests
#   make bench    runs the benchmarks; results in build/release/bench/*.json
#   make asan     all tests but those labelled slow with the address and undefined-behaviour sanitizers; SLOW=1 adds them
#   make tsan     the same with the thread sanitizer
#   make torture  hours of kills, lost power, full disks, damaged keys, bad clients, farms (docs/reliability.md); CUZK_TORTURE_MINUTES=5 and the like
#   make fuzz     builds the fuzzing targets with Clang and runs each for a minute; FUZZ_SECONDS=600 longer
#   make format, make lint, make clean
JOBS ?= $(shell nproc)
RELEASE := build/release

CUDA = AUTO
# What is built here need run only here; without a GPU one architecture shows that the code compiles. A bundle goes elsewhere.
GPU := $(wildcard /dev/nvidia0)
ARCHITECTURES = $(if $(GPU),native,90)
# What nobody runs need not be fast: `make test` takes a quarter of the time for code of GPUs where there is none.
QUICK = OFF
# Code of GPUs as small as it goes, which costs nothing when it runs: for what is carried elsewhere.
PACKED = OFF
# Few processors build from nothing in half the time when sources are compiled several at a time; many would wait for the pieces.
UNITY ?= $(if $(filter 1 2 3 4,$(JOBS)),ON,OFF)
CONFIGURE = cmake --preset release -DCUZK_CUDA=$(CUDA) -DCUZK_UNITY=$(UNITY) -DCUZK_CUDA_QUICK=$(QUICK) -DCUZK_CUDA_PACKED=$(PACKED) "-DCMAKE_CUDA_ARCHITECTURES=$(ARCHITECTURES)"

.PHONY: build demo test package docs bundle bench digests format lint asan tsan torture fuzz clean

build:
	tools/bootstrap build farm
	$(CONFIGURE)
	cmake --build $(RELEASE) -j $(JOBS) --target programs

# Where there is no GPU nobody waits for the code of GPUs, a third of the build.
demo: CUDA = $(if $(GPU),AUTO,OFF)
demo: build
	tools/demo

test: QUICK = $(if $(GPU),OFF,ON)
test:
	tools/bootstrap build farm postgres clients page docs package
	tools/test-tools
	$(CONFIGURE) -DCUZK_BENCH=OFF  # no test needs the benchmarks
	cmake --build $(RELEASE) -j $(JOBS)
	ctest --test-dir $(RELEASE) --output-on-failure -j $(JOBS)

package:
	tools/bootstrap build package
	cmake --preset package -DCUZK_CUDA=$(CUDA) -DCUZK_UNITY=$(UNITY)
	cmake --build build/package -j $(JOBS) --target packages
	ls -l build/package/packages

docs: build
	tools/bootstrap docs
	tools/docs $(RELEASE)

bundle: ARCHITECTURES = 80-real;90
bundle: PACKED = ON
bundle: build
	tools/bootstrap bundle
	tools/bundle $(RELEASE) build/bundle

bench:
	tools/bootstrap build
	$(CONFIGURE) -DCUZK_BENCH=ON
	cmake --build $(RELEASE) -j $(JOBS)
	tools/bench $(RELEASE)

digests: build
	tools/digests $(RELEASE)

format:
	tools/bootstrap lint
	git ls-files '*.h' '*.cpp' '*.cu' '*.cuh' | xargs clang-format -i

lint:
	tools/bootstrap build lint
	tools/lint build/lint  # its own folder: in joined pieces clang-tidy does not find the sources

asan tsan:
	tools/bootstrap build
	cmake --preset $@
	cmake --build build/$@ -j $(JOBS)
	ctest --test-dir build/$@ --output-on-failure $(if $(SLOW),,-LE slow)

torture:
	tools/bootstrap build farm postgres clients
	cmake --preset torture -DCUZK_UNITY=$(UNITY)
	cmake --build build/torture -j $(JOBS) --target torture_programs
	/usr/bin/python3 tests/support/take_keys.py build/torture/bin/cuzk build/keys wpost-2k winning-2k
	CUZK_TORTURE=long CUZK_TORTURE_OUT=build/torture/torture.json PYTHONDONTWRITEBYTECODE=1 \
	  /usr/bin/python3 tests/torture/torture.py build/torture build/keys build/torture/tests/clients/python

fuzz:
	tools/bootstrap build fuzz
	JOBS=$(JOBS) tools/fuzz

clean:
	rm -rf build
