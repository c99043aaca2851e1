# SPDX-License-Identifier: MIT
#
# A wrapper: CMakeLists.txt says how toolwire is built.  This installs what a
# fresh Debian 12 lacks and says one word for what takes several commands.

# What is needed, by Debian's names: the only list of it.
BUILD_PACKAGES = cmake ninja-build gcc libc6-dev libzstd-dev re2c zlib1g-dev
CHECK_PACKAGES = $(BUILD_PACKAGES) binutils dpkg-dev file g++ gzip \
    libcriterion-dev pkg-config python3 python3-venv valgrind
AMALGAMATION_PACKAGES = $(BUILD_PACKAGES) python3
WASM_PACKAGES = $(AMALGAMATION_PACKAGES) binaryen clang-14 lld-14
DEB_PACKAGES = $(BUILD_PACKAGES) binutils dpkg-dev file gzip
CLEAN_PACKAGES = git mmdebstrap
BENCH_PACKAGES = $(CHECK_PACKAGES) libjson-c-dev libjansson-dev \
    libsimdjson-dev jq
FUZZ_PACKAGES = $(BUILD_PACKAGES) clang-14 libclang-rt-14-dev
ENGINE_PACKAGES = $(FUZZ_PACKAGES) afl++ g++ unzip zip
PROVE_PACKAGES = re2c frama-c-base
LINT_PACKAGES = $(BUILD_PACKAGES) clang-14 clang-tidy-14 clang-tools-14 \
    cppcheck libclang-rt-14-dev libcriterion-dev
COVER_PACKAGES = $(CHECK_PACKAGES) gcc
SSH_PACKAGES = $(BUILD_PACKAGES) openssh-client openssh-server parallel
POSTGRES_PACKAGES = $(BUILD_PACKAGES) postgresql-15
PYTHON_PACKAGES = $(BUILD_PACKAGES) pypy3 pypy3-venv python3-dev python3-venv
DATA_PACKAGES = $(BUILD_PACKAGES) openjdk-17-jre-headless python3 python3-venv
PEER_PACKAGES = $(BUILD_PACKAGES) python3 python3-venv
PORT_PACKAGES = $(BUILD_PACKAGES) gcc-12-multilib gcc-s390x-linux-gnu \
    libc6-dev-s390x-cross qemu-user locales
SITE_PACKAGES = python3-markdown
TEMPLATE_PACKAGES = $(BUILD_PACKAGES) python3 python3-jinja2

CONFIGURE_TESTS = cmake -S . -B build -G Ninja -DCMAKE_BUILD_TYPE=Release \
    -DTOOLWIRE_TESTS=ON

# With -O2 the compiler takes twice as long, and the tests take as long.
SANITIZED = -DCMAKE_BUILD_TYPE=None '-DCMAKE_C_FLAGS=-O1 -g1' \
    -DTOOLWIRE_SANITIZE=address,undefined
# What tests/check.sh runs of that.
SANITIZED_TARGETS = toolwire unit_tests soup replays

# What `make check-clean` makes.
CLEAN_TARGETS = demo check

# What `make check-all` makes, and the other tests that it names at its end.
ALL_TARGETS = thorough contributing scale instructions exhaustive clients \
    check-clean
OTHER_TARGETS = python templates fuzz-selftest fuzz-engines prove lint ports \
    coverage mutants fuzz bench peers hosts

# What `make wasm` puts into the module: all formats and all functions, or
# FORMATS=hermes/qwen3,qwen3-coder and WASM='--decode' (src/bindings/wasm).
FORMATS =
WASM =

# `make growth` tries one in so many of all hostile texts.
GROWTH_SHARE = 500

# How long `make fuzz` runs each target.
FUZZ_SECONDS = 60

.PHONY: help demo build check thorough check-all scale grammars builtin-tags walks amalgamation deb wasm \
    node node-package playground rust rust-package go go-package python bindings growth instructions contributing exhaustive \
    templates \
    bench fuzz fuzz-selftest fuzz-engines prove lint coverage mutants ports \
    peers hosts clients check-clean site packages clean

help:
	@echo 'make demo          build, and see a completion of each format stream'
	@echo 'make check         build, and run every test (also under sanitizers)'
	@echo 'make thorough      the same tests, all of what make check tries a part of'
	@echo 'make check-all     $(ALL_TARGETS)'
	@echo 'make build         build/toolwire, build/libtoolwire.{a,so}'
	@echo 'make amalgamation  build/amalgamation/toolwire.c: the library as one file'
	@echo 'make wasm          build/wasm/toolwire.wasm: the library for browsers and Node;'
	@echo '                   FORMATS=a,b and WASM=--decode make a smaller one'
	@echo 'make node          the npm package, and its tests in Node and Chromium'
	@echo 'make playground    build/playground/index.html: what the library does, shown'
	@echo 'make bindings      what C, Python, Node, Rust and Go make of the same list'
	@echo 'make rust, go      one of these; for the packages of their tests, a network'
	@echo 'make node-package, rust-package, go-package'
	@echo '                   the package in build/, without its tests'
	@echo 'make python        build/python: wheel and source distribution, types, deltas,'
	@echo '                   in every Python found; for its tools, a network'
	@echo 'make deb           build/deb/toolwire_*.deb, a package for Debian'
	@echo 'make growth        hostile text of 64 KiB to 1 MiB in every format, a table'
	@echo 'make instructions  count instructions: growth, workloads, hostile input'
	@echo 'make contributing  the three changes of CONTRIBUTING.md, in a copy'
	@echo 'make exhaustive    every short string of fragments, every changed byte'
	@echo 'make templates     the chat templates in $$TOOLWIRE_DATA/templates, rendered by'
	@echo '                   jinja2, beside the descriptions; WRITE=--write keeps the texts'
	@echo 'make grammars      every grammar in llguidance and XGrammar, installed by pip'
	@echo 'make builtin-tags  XGrammar'"'"'s own structural tags beside the grammars here'
	@echo 'make walks         10000 texts at random through each grammar, decoded'
	@echo '                   strictly (an hour)'
	@echo 'make site          build/site: these pages as HTML, each link looked after'
	@echo 'make bench         measure speed, beside other programs'
	@echo 'make scale         the recipes of docs/scaling.md: threads, SSH, PostgreSQL,'
	@echo '                   datasets, DuckDB, Polars, Spark (by pip, 1 GB), TRL with'
	@echo '                   torch (6 GB), which trains on our labels; installs'
	@echo '                   openssh-server and postgresql-15, which Debian starts as'
	@echo '                   services: the test does not use those'
	@echo 'make fuzz          run each fuzz target for FUZZ_SECONDS=$(FUZZ_SECONDS)'
	@echo 'make fuzz-selftest the same targets against planted bugs'
	@echo 'make fuzz-engines  the same targets under AFL++ and as OSS-Fuzz builds them'
	@echo 'make prove         no run-time error in scanners, for every short input'
	@echo 'make lint          what four analysers say of the code, and UBSan of the tests'
	@echo 'make coverage      what of the code the tests run'
	@echo 'make mutants       which changes of the code the tests notice'
	@echo 'make ports         32 bits, big-endian, char of both signs, locales'
	@echo 'make clients       what clients for Node read of three APIs; npm installs them'
	@echo 'make peers         other projects'"'"' parsers, installed by pip, npm, go and cargo (3 GB):'
	@echo '                   what of them is wrong (docs/findings.md), and how fast'
	@echo 'make hosts         toolwire inside vLLM, SGLang, LiteLLM and others, installed'
	@echo '                   by pip (docs/hosts.md); HOSTS=litellm is only that one'
	@echo 'make check-clean   demo and check in a bare Debian 12 made for it'
	@echo 'make clean         remove build/'
	@echo 'Packages that are missing are installed first, if root or sudo -n may.'

demo: build
	@tests/demo.sh build/toolwire

# With the tests if they were configured before, else without: a demo needs
# no test framework.
build:
	@.ci/packages $(BUILD_PACKAGES)
	@echo 'Building build/toolwire'
	@test -f build/build.ninja || cmake -S . -B build -G Ninja \
	    -DCMAKE_BUILD_TYPE=Release -DTOOLWIRE_TESTS=OFF >/dev/null
	@ninja --quiet -C build toolwire toolwire_static toolwire_shared \
	    documents

check:
	@.ci/packages $(CHECK_PACKAGES)
	$(CONFIGURE_TESTS)
	ninja -C build
	cmake -S . -B build/sanitize -G Ninja $(SANITIZED) -DTOOLWIRE_TESTS=ON
	ninja -C build/sanitize $(SANITIZED_TARGETS)
	tests/check.sh build build/sanitize

# The same tests without shares: what `make check` tries a part of.
thorough:
	@.ci/packages $(CHECK_PACKAGES)
	cmake -S . -B build/thorough -G Ninja -DCMAKE_BUILD_TYPE=Release \
	    -DTOOLWIRE_TESTS=ON -DTOOLWIRE_THOROUGH=ON
	ninja -C build/thorough
	cmake -S . -B build/thorough/sanitize -G Ninja $(SANITIZED) \
	    -DTOOLWIRE_TESTS=ON -DTOOLWIRE_THOROUGH=ON
	ninja -C build/thorough/sanitize $(SANITIZED_TARGETS)
	tests/check.sh build/thorough build/thorough/sanitize

# One after the other, and the first that fails ends it.
check-all:
	@for target in $(ALL_TARGETS); do \
	    echo "==== make $$target"; \
	    $(MAKE) --no-print-directory $$target || \
	        { echo "check-all: make $$target FAILED" >&2; exit 1; }; \
	done
	@echo 'check-all: made $(ALL_TARGETS)'
	@echo 'check-all: left out, since they take long or judge nothing:' \
	    '$(OTHER_TARGETS)'

# All parts are tried; one whose packages cannot be had has failed.
scale: build
	@failed=; \
	.ci/packages $(SSH_PACKAGES) && tests/scale/ssh.sh build/toolwire || \
	    failed="$$failed ssh"; \
	.ci/packages $(POSTGRES_PACKAGES) && \
	    tests/scale/postgres.sh build/toolwire || \
	    failed="$$failed postgres"; \
	.ci/packages $(DATA_PACKAGES) && tests/scale/engines.sh build/toolwire || \
	    failed="$$failed engines"; \
	.ci/packages $(PEER_PACKAGES) && tests/scale/train.sh build/toolwire || \
	    failed="$$failed train"; \
	test -z "$$failed" || { echo "scale: FAILED:$$failed" >&2; exit 1; }

# Made by build/'s CMake, whose tests may or may not be configured.  WITHOUT:
# parts of src/parts.txt that are left out.
amalgamation:
	@.ci/packages $(AMALGAMATION_PACKAGES)
	@cmake -S . -B build -G Ninja $$(test -f build/build.ninja || \
	    echo -DCMAKE_BUILD_TYPE=Release -DTOOLWIRE_TESTS=OFF) >/dev/null
	@ninja --quiet -C build amalgamation
	@$(if $(WITHOUT),src/amalgamate.py . build/grammar build/left \
	    --without $(WITHOUT))

# Debian's clang as it is: it knows WebAssembly, and the library asks little of
# a C library.
wasm: amalgamation
	@.ci/packages $(WASM_PACKAGES)
	@src/bindings/wasm/build.py build build/wasm/toolwire.wasm $(WASM) \
	    $(if $(FORMATS),--formats $(FORMATS))

# Packages alone, without their tests.
node-package: wasm
	@node src/bindings/node/build.mjs build/wasm/toolwire.wasm \
	    build/node/toolwire
	@echo build/node/toolwire

rust-package: amalgamation
	@rm -rf build/rust-package && mkdir -p build/rust-package
	@git ls-files src/bindings/rust | \
	    xargs cp --parents -t build/rust-package
	@mv build/rust-package/src/bindings/rust/* build/rust-package/
	@rm -r build/rust-package/src
	@mkdir build/rust-package/toolwire-sys/vendor
	@cp build/amalgamation/toolwire.[ch] build/rust-package/toolwire-sys/vendor
	@echo build/rust-package/toolwire

go-package: amalgamation
	@rm -rf build/go-package && mkdir -p build/go-package/csrc
	@cp -r src/bindings/go/*.go src/bindings/go/*.c src/bindings/go/go.mod \
	    src/bindings/go/README.md src/bindings/go/examples build/go-package
	@cp build/amalgamation/toolwire.[ch] build/go-package/csrc
	@echo build/go-package

node: build wasm
	@src/bindings/node/test.sh build

playground: build wasm
	@src/bindings/playground/build.sh build

# They need a package registry of their language for what their tests use.
rust go: amalgamation
	tests/bindings.sh build $@

# In every Python that is found; tools come from a package index.
python:
	@.ci/packages $(PYTHON_PACKAGES)
	tests/python_package.sh build

bindings: amalgamation wasm
	@.ci/packages $(CHECK_PACKAGES)
	@$(CONFIGURE_TESTS) >/dev/null && ninja --quiet -C build
	tests/bindings.sh build c python node rust go

# Of its own, since where Debian wants libraries is known when it is configured.
deb:
	@.ci/packages $(DEB_PACKAGES)
	@cmake -S . -B build/deb -G Ninja -DCMAKE_BUILD_TYPE=Release \
	    -DCMAKE_INSTALL_PREFIX=/usr -DTOOLWIRE_TESTS=OFF >/dev/null
	@ninja --quiet -C build/deb
	@cd build/deb && cpack >/dev/null
	@ls build/deb/toolwire_*.deb

# The worst of some hostile texts of each format, at three sizes.
growth:
	@.ci/packages $(CHECK_PACKAGES)
	$(CONFIGURE_TESTS)
	ninja --quiet -C build linear
	build/tests/linear '*' $(GROWTH_SHARE) --table

instructions:
	@.ci/packages $(CHECK_PACKAGES)
	$(CONFIGURE_TESTS)
	ninja -C build hostile count linear toolwire
	tests/growth.sh --full build/tests/count
	build/tests/linear '*' 2000
	tests/bench/compare.sh build
	tests/instructions.sh --full build
	tests/templates/turns.sh build/toolwire

# Other people's templates, which the project does not hold.
WRITE =
templates: build
	@.ci/packages $(TEMPLATE_PACKAGES)
	@tests/templates/templates.py build/toolwire --render $(WRITE)
	@tests/templates/extend.py build/toolwire 100
	@tests/templates/detect.py build/toolwire
	@tests/templates/masks.py build/toolwire
	@tests/templates/prompts.py build/toolwire 2000

# llguidance and XGrammar come from PyPI, into an environment of their own.
grammars: build
	@.ci/packages $(PEER_PACKAGES)
	@test -x build/grammars/bin/python || python3 -m venv build/grammars
	@build/grammars/bin/pip install -q llguidance xgrammar jsonschema
	@build/grammars/bin/pip list 2>/dev/null | grep -E '^(llguidance|xgrammar) '
	@build/grammars/bin/python -B tests/grammars/grammars.py build/toolwire \
	    --judges --count 20 --walks 200
	@build/grammars/bin/python -B tests/grammars/odd.py build/toolwire --judges
	@test -z "$$TOOLWIRE_DATA" && echo 'odd.py: no TOOLWIRE_DATA, no tools of others' || \
	    build/grammars/bin/python -B tests/grammars/odd.py build/toolwire --judges \
	    --tools "$$TOOLWIRE_DATA/bfcl_tools.jsonl" --each 10

# XGrammar's own tags beside the grammars here: the table of docs/grammars.md.
builtin-tags: build
	@.ci/packages $(PEER_PACKAGES)
	@test -x build/grammars/bin/python || python3 -m venv build/grammars
	@build/grammars/bin/pip install -q xgrammar
	@build/grammars/bin/python -B tests/grammars/builtin.py build/toolwire

walks: build
	@python3 -B tests/grammars/grammars.py build/toolwire --only-walks --walks 10000

contributing:
	@.ci/packages $(CHECK_PACKAGES)
	tests/contributing.py

exhaustive:
	@.ci/packages $(CHECK_PACKAGES)
	$(CONFIGURE_TESTS)
	ninja -C build exhaustive
	build/tests/exhaustive '*' 4

bench:
	@.ci/packages $(BENCH_PACKAGES)
	$(CONFIGURE_TESTS)
	ninja -C build bench
	build/tests/bench

fuzz:
	@.ci/packages $(FUZZ_PACKAGES)
	CC=clang-14 cmake -S . -B build/fuzz -G Ninja \
	    -DCMAKE_BUILD_TYPE=RelWithDebInfo -DTOOLWIRE_TESTS=OFF \
	    -DTOOLWIRE_FUZZ=ON \
	    -DTOOLWIRE_SANITIZE=address,undefined,fuzzer-no-link
	ninja -C build/fuzz
	fuzz/run.sh build/fuzz $(FUZZ_SECONDS)

fuzz-selftest:
	@.ci/packages $(FUZZ_PACKAGES)
	fuzz/selftest.sh build/selftest

fuzz-engines:
	@.ci/packages $(ENGINE_PACKAGES)
	fuzz/engines.sh build/engines

prove:
	@.ci/packages $(PROVE_PACKAGES)
	tests/prove/prove.sh build/prove

lint:
	@.ci/packages $(LINT_PACKAGES)
	tests/lint.sh build/lint

coverage:
	@.ci/packages $(COVER_PACKAGES)
	tests/coverage.sh build/coverage

mutants:
	@.ci/packages $(CHECK_PACKAGES)
	tests/mutants.sh build/mutants

ports:
	@.ci/packages $(PORT_PACKAGES)
	tests/ports.sh build/ports

# npm, go and cargo are not installed: peers that need them are left out by name.
# All take an hour or so; PEERS='mlx-lm ollama' are only these.
PEERS =
peers: build amalgamation
	@.ci/packages $(PEER_PACKAGES)
	@tests/peers/run.py build/toolwire build/peers $(PEERS)

# npm brings them into a folder of their own; where there is no Node, it says so.
clients: build
	@tests/clients/run.sh build/toolwire build/clients

# Parts that are HOSTS, or all: tests/hosts/parts.json.
HOSTS =
hosts: build
	@.ci/packages $(PEER_PACKAGES)
	@tests/hosts/run.py build/toolwire build/peers $(HOSTS)

check-clean:
	@.ci/packages $(CLEAN_PACKAGES)
	tests/clean.sh $(CLEAN_TARGETS)

# Debian's Python, which has Debian's packages.
site:
	@.ci/packages $(SITE_PACKAGES)
	@/usr/bin/python3 docs/site.py build/site

packages:
	@echo $(CHECK_PACKAGES)

clean:
	rm -rf build
