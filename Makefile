# The one list of commands. `make help` prints it.

HOST ?= 127.0.0.1
PORT ?= 8080
RELEASE = -c release --static-swift-stdlib
SOURCES = Package.swift Sources Tests Fuzzers

.PHONY: help build serve test test-debug test-release lint format sanitize fuzz soak score corpus bench bench-tools bench-servers \
	pictures clean dependencies test-packages promtool check-caching check-redis check-deploy check-image check-fleet

help: ## Prints this list.
	@sed -n 's/^\([a-z-]*\):[^#]*## \(.*\)/  make \1	\2/p' $(MAKEFILE_LIST) | expand -t 22

dependencies: ## Installs the Debian packages that are missing.
	@scripts/install-dependencies.sh

build: dependencies ## Builds .build/release/headroom.
	swift build $(RELEASE) --product headroom

serve: build ## Builds and serves on port 8080 (PORT=…, HOST=…).
	@HEADROOM_HOST=$${HEADROOM_HOST:-$(HOST)} HEADROOM_PORT=$${HEADROOM_PORT:-$(PORT)} .build/release/headroom serve

test: test-debug test-release ## Runs the tests, in debug and in release.

test-debug: dependencies test-packages ## Runs the tests in debug.
	@scripts/run-tests.sh

test-release: dependencies test-packages ## Runs the tests in release.
	@scripts/run-tests.sh -c release

test-packages:
	@scripts/install-dependencies.sh scripts/test-packages.txt

lint: ## Checks the formatting of the Swift files.
	swift format lint --strict --recursive $(SOURCES)

format: ## Formats the Swift files.
	swift format --in-place --recursive $(SOURCES)

# Not IsolationTests, which reckon with the address space and the system calls of a worker without a sanitizer.
sanitize: dependencies ## Runs the tests with the address and the thread sanitizer.
	LSAN_OPTIONS=suppressions=$(CURDIR)/scripts/leak-sanitizer.supp \
		scripts/run-tests.sh --sanitize=address --scratch-path .build/address --skip IsolationTests
	TSAN_OPTIONS=suppressions=$(CURDIR)/scripts/thread-sanitizer.supp \
		scripts/run-tests.sh --sanitize=thread --scratch-path .build/thread --skip IsolationTests

CORPUS ?= ../shared/corpus
SECONDS ?= 60

fuzz: dependencies ## Runs each fuzzer for a minute (docs/security.md); SECONDS=…, ONLY="png jpeg" some of them, SEED=1 the same inputs each time.
	scripts/build-fuzzers.sh
	CORPUS=$(CORPUS) SEED=$(SEED) scripts/fuzz.sh $(SECONDS) $(ONLY)

score: corpus build .build/score ## Scores crops against thumbor and libvips, on the pictures in CORPUS=folder (docs/framing.md).
	.build/score/bin/python Benchmarks/score/score.py $(CORPUS) --page docs/framing.md

corpus:
	@test -f $(CORPUS)/truth.jsonl || { echo "$(CORPUS)/truth.jsonl is missing. Pictures with known faces are not part of \
	Headroom, as their licences differ: bring your own with make score CORPUS=folder. docs/framing.md describes the format."; exit 1; }

# A peer that cannot be installed is left out; its row says so.
.build/score:
	python3 -m venv $@
	$@/bin/pip install --quiet numpy
	-$@/bin/pip install --quiet "pyvips[binary]"
	-$@/bin/pip install --quiet "thumbor[opencv]"

ROUNDS ?= 5
BENCH = .build/bench

bench: bench-tools bench-servers $(BENCH)/bare-loop $(BENCH)/python ## Measures speed, and against thumbor and others (docs/performance.md); ROUNDS=1 is quick, ONLY="server start" a part.
	$(BENCH)/python/bin/python -B Benchmarks/service/bench.py --corpus $(CORPUS) --rounds $(ROUNDS) \
		$(if $(ONLY),--only $(ONLY)) --page docs/performance.md

# The service too, for the package with benchmarks is another one to SwiftPM, which builds anew on each change.
bench-tools: dependencies
	@scripts/install-dependencies.sh Benchmarks/debian-packages.txt
	HEADROOM_BENCHMARKS=1 swift build $(RELEASE)

# Hummingbird takes some minutes to build. Without network the rows of both say that they are missing.
bench-servers:
	@mkdir -p $(BENCH)
	-swift build -c release --package-path Benchmarks/HTTPServer --scratch-path $(BENCH)/http

$(BENCH)/bare-loop: $(wildcard Benchmarks/BareLoop/*)
	@mkdir -p $(BENCH)
	g++ -std=c++17 -O3 -mavx2 -mfma $(filter %.cpp,$^) -o $@ -l:libdlib.a -ljpeg -lpthread

$(BENCH)/python:
	python3 -m venv $@
	-$@/bin/pip install --quiet "pyvips[binary]"
	-$@/bin/pip install --quiet "thumbor[opencv]" "opencv-python-headless<5"

$(BENCH)/open-loop: $(wildcard Benchmarks/OpenLoop/*)
	@mkdir -p $(BENCH)
	clang++ -std=c++20 -O2 -Wall -Wextra $(filter %.cpp,$^) -o $@

soak: build $(BENCH)/open-loop ## Sends 10,000 mixed requests, ten times the load for a minute (SECONDS=…), and attacks (docs/load.md).
	scripts/soak/mixed.py --requests 10000 --concurrency 32
	scripts/soak/overload.py --seconds $(SECONDS) --connections own
	scripts/soak/overload.py --seconds $(SECONDS) --connections kept
	scripts/soak/attacks.py

check-caching: build ## Sends the requests of docs/caching.md's table with curl, and compares the headers.
	@scripts/install-dependencies.sh scripts/check-caching-packages.txt
	python3 -B scripts/check-caching.py

check-redis: build ## Measures what requests take while Redis is well, full, hanging, gone or restarted (docs/caching.md).
	@scripts/install-dependencies.sh scripts/check-fleet/debian-packages.txt
	python3 -B scripts/check-redis.py $(if $(PAGE),--page $(PAGE))

check-deploy: .build/deploy-check ## Holds deploy/ and docker-compose.yml to the schemas and programs of those who read them.
	@scripts/install-dependencies.sh scripts/check-deploy-packages.txt
	scripts/check-deploy.sh .build/deploy-check/bin/python

.build/deploy-check:
	python3 -m venv $@
	$@/bin/pip install --quiet kubernetes-validate

check-fleet: build ## Runs nginx, three replicas and Redis with the files of deploy/, under load; breaks them (docs/operations.md).
	@scripts/install-dependencies.sh scripts/check-fleet/debian-packages.txt
	python3 -B scripts/check-fleet $(if $(PAGE),--page $(PAGE))

# As root, for it mounts file systems: sudo make check-image.
check-image: ## Builds the Dockerfile's image, runs it confined, and checks what it promises (docs/operations.md).
	@scripts/install-dependencies.sh scripts/check-image/debian-packages.txt
	python3 -B scripts/check-image

pictures: dependencies ## Draws the pictures below docs/pictures.
	swift build $(RELEASE) --product HeadroomPictures
	.build/release/HeadroomPictures docs/pictures

PROMTOOL = .build/promtool/usr/bin/promtool

promtool: $(PROMTOOL) ## Gets promtool from Debian's package prometheus, for the tests of metrics; without the daemon.

$(PROMTOOL):
	@scripts/get-promtool.sh $(CURDIR)/.build/promtool

clean: ## Removes everything that was built.
	rm -rf .build
