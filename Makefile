# All commands of the project; `make help` prints them.

HOST ?= 127.0.0.1
PORT ?= 8080
# Builds without the index for editors, because creating it takes an eighth of the time. Test builds keep the index,
# because SwiftPM finds tests through it.
RELEASE = -c release --static-swift-stdlib --disable-index-store
# SwiftPM passes the traits to the compiler in the order of a Set. The order differs between runs, and each change of
# the order compiles everything again. Deterministic hashing is only for builds. A program that serves untrusted clients
# must keep random hashing.
SWIFT_BUILD = SWIFT_DETERMINISTIC_HASHING=1 swift build
SWIFT_SOURCES = Package.swift Sources Tests Tools Fuzzers Benchmarks Examples
C_SOURCES = $(shell find Sources Tests Fuzzers Benchmarks -name '*.[ch]' -o -name '*.[ch]pp')

CORPUS ?= ../shared/corpus
SUBJECTS ?= ../shared/subject
SUBJECT_MODEL ?= $(SUBJECTS)/nets
SECONDS ?= 60
ROUNDS ?= 5
COUNT ?= 400
KILLS ?= 12
OPENAPI_SEED ?= 1
BENCH = .build/bench
BENCH_PYTHON = .build/venv/benchmarks/bin/python -B
PROMTOOL = .build/promtool/usr/bin/promtool

# Every target whose name is a word.
.PHONY: $(shell sed -n 's/^\([a-z][a-z0-9-]*\):.*/\1/p' Makefile)

HELP = sed -n 's/^\([a-z0-9-]*\):[^\#]*\#\# \(.*\)/  make \1	\2/p' $(MAKEFILE_LIST) | expand -t 22

help: ## Lists the commands.
	@$(HELP) | grep -v '^  make check-'

help-checks: ## Lists the single checks that make check and make release-check run.
	@$(HELP) | grep '^  make check-'

dependencies: ## Installs missing Debian packages.
	@scripts/install-dependencies.sh

build: dependencies ## Builds .build/release/headroom.
	$(SWIFT_BUILD) $(RELEASE) --product headroom

serve: build ## Starts the service on port 8080 (PORT=…, HOST=…).
	@HEADROOM_HOST=$${HEADROOM_HOST:-$(HOST)} HEADROOM_PORT=$${HEADROOM_PORT:-$(PORT)} .build/release/headroom serve

# There are three tiers: make test for every change, make check for changes that users see, and make release-check for releases.

test: ## Runs the tests, and prints the duration of each part.
	@scripts/run-tests.sh

# These tests have a separate build folder: --static-swift-stdlib lacks the module Testing, and a build without this
# option compiles everything again. They take twice as long as in debug mode, and so far they have only found faults in
# tests.
test-release: ## Runs the tests in release mode.
	@scripts/run-tests.sh -c release --scratch-path .build/test-release

check: build ## Runs lint and the checks with real servers, browsers and clients, and prints a table of their results.
	@scripts/run-checks.py lint $(OF_CHANGES)

release-check: build ## Runs the tests in release mode and the checks of packages, images, arm64, engines and outages; some need root.
	@scripts/run-checks.py test-release wheel $(OF_RELEASES) $(AS_ROOT)

# The checks run one after another, because some of them measure time. check-same is in no tier, because it needs
# arguments.
OF_CHANGES = check-deploy check-helm check-openapi check-page check-clients check-generated-clients check-grammars check-sources check-filters check-hdr \
	check-heic check-batch check-reframe check-guides check-hostile check-converters check-crashes check-redis check-slim check-example
OF_RELEASES = check-release check-arm64 check-facenet check-fills check-redaction check-engines check-fleet check-result-store check-drills
# These checks mount file systems, change the root directory or create networks.
AS_ROOT = check-image check-compose check-deb check-tarball

lint-packages:
	@scripts/install-dependencies.sh scripts/lint-packages.txt

lint: lint-packages .build/venv/lint ## Checks formatting, layers, untrusted text, traps, doc comments, words, links of the pages, and Python.
	@python3 -B scripts/check-layers.py
	@python3 -B scripts/check-text.py
	@python3 -B scripts/check-traps.py
	@python3 -B scripts/check-declarations.py
	@python3 -B scripts/check-members.py
	@python3 -B scripts/check-links.py
	@python3 -B scripts/check-names.py
	@python3 -B scripts/check-words.py
	@python3 -B scripts/check-options.py
	@python3 -B scripts/check-limits.py
	@python3 -B scripts/check-figures.py
	@.build/venv/lint/bin/python -B scripts/lint
	swift format lint --strict --recursive $(SWIFT_SOURCES)
	@clang-format --dry-run --Werror $(C_SOURCES) && echo 'clang-format: $(words $(C_SOURCES)) files of C and C++ are formatted'

format: lint-packages ## Formats Swift and C.
	swift format --in-place --recursive $(SWIFT_SOURCES)
	clang-format -i $(C_SOURCES)

# Skips tests that limit or measure the memory of processes, or that expect the system calls of a worker without a sanitizer.
# Sanitizers map terabytes of memory, keep freed memory, and write their reports.
UNSANITIZED = --skip 'WorkersTests|InheritedLimitTests|MemoryBoundTests|DoctorTests'

sanitize: sanitize-address sanitize-thread ## Runs the tests with the address sanitizer and with the thread sanitizer.

sanitize-address:
	LSAN_OPTIONS=suppressions=$(CURDIR)/scripts/leak-sanitizer.supp \
		scripts/run-tests.sh --sanitize=address --scratch-path .build/address $(UNSANITIZED)

sanitize-thread:
	TSAN_OPTIONS=suppressions=$(CURDIR)/scripts/thread-sanitizer.supp \
		scripts/run-tests.sh --sanitize=thread --scratch-path .build/thread $(UNSANITIZED)

# By default, the optimiser keeps the value of a variable until the end of its scope. With these options, the value ends after
# its last use. This uncovers pointers that outlive their memory.
LIFETIMES = $(foreach each,-enable-lexical-lifetimes=false -enable-copy-propagation=always -enable-destroy-hoisting=true, \
	-Xswiftc -Xfrontend -Xswiftc $(each))

lifetimes: ## Runs the image tests with minimum lifetimes of values (docs/contributing/threat-model.md).
	scripts/run-tests.sh --scratch-path .build/lifetimes $(LIFETIMES) --filter 'ImagingTests|PipelineTests|FaceDetectionTests'

check-fuzzers: dependencies ## Compiles the fuzzers without sanitizers, with the modules of `make test`.
	HEADROOM_FUZZERS=1 $(SWIFT_BUILD) --target fuzzers

fuzz: dependencies ## Runs each fuzzer for one minute, or SECONDS=… (docs/contributing/threat-model.md); ONLY="png jpeg" selects fuzzers, SEED=1 fixes the inputs.
	scripts/build-fuzzers.sh
	CORPUS=$(CORPUS) SEED=$(SEED) scripts/fuzz.sh $(SECONDS) $(ONLY)

corpus:
	@test -f $(CORPUS)/truth.jsonl || { echo "$(CORPUS)/truth.jsonl is missing. Headroom contains no photos, \
	because their licences differ: use your own with make score CORPUS=folder. docs/contributing/framing-research.md describes the format."; exit 77; }

# Virtual environments. If pip cannot install a requirement, the environment is removed and the check is skipped.
.build/venv/%: scripts/%/requirements.txt
	@scripts/install-dependencies.sh scripts/venv-packages.txt
	python3 -m venv $@
	$@/bin/pip install --quiet --requirement $< || { rm -r $@; echo 'skipped: pip could not install $<'; exit 77; }
	@touch $@

# A program that cannot be installed is not measured; its row states this.
.build/venv/benchmarks: Benchmarks/requirements.txt
	@scripts/install-dependencies.sh scripts/venv-packages.txt
	python3 -m venv $@
	-grep -v '^#' $< | while read -r each; do $@/bin/pip install --quiet "$$each"; done
	@touch $@

IN_VENV = $(patsubst scripts/%/requirements.txt,%,$(wildcard scripts/*/requirements.txt))
$(IN_VENV): %: .build/venv/%

score: corpus build .build/venv/benchmarks ## Measures crop quality against thumbor and libvips, and constants by folds, with CORPUS=folder and SUBJECTS=folder (docs/contributing/framing-research.md).
	$(SWIFT_BUILD) $(RELEASE) --product framing-benchmark
	$(BENCH_PYTHON) Benchmarks/score/score.py $(CORPUS) --subjects $(SUBJECTS) --page docs/contributing/framing-research.md

bench: bench-tools bench-servers $(BENCH)/bare-loop $(BENCH)/open-loop .build/venv/benchmarks ## Measures speed compared with thumbor and others (docs/performance.md); ROUNDS=1 is fast, ONLY="server start" selects parts; SUBJECT_MODEL=folder contains the published networks.
	$(BENCH_PYTHON) Benchmarks/service/bench.py --corpus $(CORPUS) --networks $(SUBJECT_MODEL) --rounds $(ROUNDS) $(if $(ONLY),--only $(ONLY)) --pages docs/performance.md docs/contributing/performance-parts.md

# FILES=folder adds files of formats that libvips does not write. PAGE=file writes the tables to a page.
bench-formats: build .build/venv/benchmarks ## Measures reading and cropping in every format against libvips and thumbor, on one thread (Benchmarks/README.md); ROUNDS=1 is fast.
	$(BENCH_PYTHON) Benchmarks/formats/formats.py --rounds $(ROUNDS) $(if $(FILES),--files $(FILES)) $(if $(PAGE),--page $(PAGE))

# PAGE=docs/limits.md writes the table to the page.
bench-peaks: build .build/venv/benchmarks ## Measures the peak memory of a worker for 50 megapixels in every format (docs/limits.md).
	$(BENCH_PYTHON) Benchmarks/formats/peaks.py $(if $(PAGE),--page $(PAGE))

# COUNT=400 sets the number of images, ROUNDS=3 the number of rounds. PART="batch service" selects parts.
bench-batch: bench-tools .build/venv/benchmarks .build/venv/check-engines ## Measures headroom batch, Spark and Ray against other loops (docs/cost.md).
	@$(call packages,check-engines)
	$(BENCH_PYTHON) Benchmarks/batch/batch.py --count $(COUNT) --rounds $(ROUNDS) $(if $(PART),--only $(PART))

# ROUNDS=3 sets the number of rounds. PART selects some of "reframe length streams".
bench-video: build .build/venv/benchmarks ## Measures headroom reframe and /stream (docs/performance.md).
	@scripts/install-dependencies.sh Benchmarks/debian-packages.txt
	$(BENCH_PYTHON) Benchmarks/video/video.py --rounds $(ROUNDS) $(if $(PART),--only $(PART)) --page docs/performance.md

# Builds one product at a time, because a build of all products includes the tests, which cannot be built with
# --static-swift-stdlib.
bench-tools: build
	@scripts/install-dependencies.sh Benchmarks/debian-packages.txt
	$(SWIFT_BUILD) $(RELEASE) --product detection-benchmark
	$(SWIFT_BUILD) $(RELEASE) --product pipeline-benchmark
	$(SWIFT_BUILD) $(RELEASE) --product benchmark-images

# Building Hummingbird takes some minutes. Without a network, both servers are omitted.
bench-servers:
	@mkdir -p $(BENCH)
	-$(SWIFT_BUILD) -c release --package-path Benchmarks/HTTPServer --scratch-path $(BENCH)/http

$(BENCH)/bare-loop: $(wildcard Benchmarks/BareLoop/*)
	@mkdir -p $(BENCH)
	g++ -std=c++17 -O3 -mavx2 -mfma $(filter %.cpp,$^) -o $@ -l:libdlib.a -ljpeg -lpthread

$(BENCH)/open-loop: $(wildcard Benchmarks/OpenLoop/*)
	@mkdir -p $(BENCH)
	clang++ -std=c++20 -O2 -Wall -Wextra $(filter %.cpp,$^) -o $@

soak: build $(BENCH)/open-loop ## Sends 10,000 mixed requests, tenfold load for a minute (SECONDS=…), attacks and slow clients (docs/contributing/load-tests.md).
	scripts/soak/mixed.py --requests 10000 --concurrency 32
	scripts/soak/overload.py --seconds $(SECONDS) --connections own
	scripts/soak/overload.py --seconds $(SECONDS) --connections kept
	scripts/soak/attacks.py
	scripts/soak/bounds.py
	scripts/soak/slow_peers.py --seconds $(ATTACKERS_SECONDS)

# If SECONDS=… is set, this part has the same duration as the other parts.
ATTACKERS_SECONDS ?= $(if $(filter command,$(origin SECONDS)),$(SECONDS),300)

# Builds without TIFF, because Debian links libtiff with a JBIG codec that is licensed under the GPL.
bundled: dependencies
	$(SWIFT_BUILD) $(RELEASE) --scratch-path .build/wheel --disable-default-traits --traits Addresses,AVIF,Batch,HEIC,JPEGXL,Video,YuNet --product headroom

wheel: bundled ## Builds and tests a wheel of the Python package with the program and its libraries (docs/engines.md).
	@$(call packages,build-wheel)
	python3 -B scripts/build-wheel --check

tarball: bundled ## Packs the program with its libraries for any Linux with glibc (docs/install.md).
	@$(call packages,build-tarball)
	python3 -B scripts/build-tarball

deb: build ## Builds the Debian package in .build/deb (docs/install.md).
	@$(call packages,build-deb)
	python3 -B scripts/build-deb

sbom: build ## Writes the bill of materials of the program, as SPDX in JSON.
	python3 -B scripts/build-sbom

# A check is a folder below scripts. debian-packages.txt and requirements.txt list its requirements, and __main__.py is
# the program. If the check cannot run on this machine, it prints a line with the reason and exits 77.
CHECKS = $(patsubst scripts/%/__main__.py,%,$(wildcard scripts/check-*/__main__.py))
$(CHECKS):
	@$(call packages,$@)
	$(if $(wildcard scripts/$@/requirements.txt),.build/venv/$@/bin/python,python3) -B scripts/$@ $(ARGUMENTS)

packages = test ! -f scripts/$(1)/debian-packages.txt || scripts/install-dependencies.sh scripts/$(1)/debian-packages.txt

check-same: ## Compares two builds request by request: OLD=program NEW=program, and CORPUS=folder for more images.
check-same: ARGUMENTS = $(OLD) $(NEW) $(if $(filter command,$(origin CORPUS)),--corpus $(CORPUS))
check-openapi: build ## Sends requests that openapi.yaml allows and forbids, with schemathesis; OPENAPI_SEED=2 generates other requests.
check-openapi: ARGUMENTS = --seed $(OPENAPI_SEED)
check-page: build ## Operates the playground in Chromium like a user (docs/contributing/clients.md).
check-page: ARGUMENTS = $(if $(IMAGES),--images $(IMAGES))
check-clients: build ## Builds and tests the clients in Clients, with a real service (docs/contributing/clients.md).
check-generated-clients: build ## Generates clients in four languages from openapi.yaml, compiles them, and calls a service (docs/contributing/clients.md).
check-filters: build ## Compares the filters with their definitions, computed by numpy (docs/filters.md).
check-hdr: build ## Crops photos with gain maps and reads the outputs with another parser, FILES=folder (docs/contributing/format-internals.md).
check-hdr: ARGUMENTS = $(FILES)
check-heic: build ## Reads HEIC files of Debian's heif-enc and of pillow-heif, and compares the pixels, FILES=folder (docs/contributing/format-internals.md).
check-heic: ARGUMENTS = $(FILES)
check-grammars: build ## Compares the URL formats of other services with thumbor itself and with their rules (docs/migrating).
check-grammars: ARGUMENTS = --count $(COUNT) $(if $(SEED),--seed $(SEED))
check-sources: build ## Reads images from an S3 server, through a proxy and with a private CA (docs/sources.md).
check-engines: build ## Crops images with Spark and Ray while their processes are killed (docs/engines.md).
check-engines: ARGUMENTS = $(if $(IMAGES),--images $(IMAGES)) $(if $(SEED),--seed $(SEED))
check-batch: build ## Kills and resumes runs of headroom batch for a minute (docs/batch.md); longer with KILLS=50 IMAGES=5000.
check-batch: ARGUMENTS = --kills $(KILLS) $(if $(IMAGES),--images $(IMAGES)) $(if $(SEED),--seed $(SEED))
check-guides: build ## Runs the commands of docs/guides.
check-reframe: build ## Reframes videos in pipes with ffmpeg, and compares them with its own crop (docs/reframe.md).
check-facenet: dependencies ## Compares the face network with ONNX Runtime and OpenCV, and its instruction sets (docs/contributing/face-network.md); CORPUS=folder.
check-facenet: ARGUMENTS = $(if $(filter command,$(origin CORPUS)),--corpus $(CORPUS)/photos)
check-arm64: dependencies ## Compiles the C for arm64 and compares the detector's kernels in QEMU (docs/contributing/processors.md); COUNTS=320x240 counts instructions.
check-arm64: ARGUMENTS = $(if $(COUNTS),--counts --size $(COUNTS))
check-fills: decode-digests ## Decodes damaged files in memory with two different fills, FILES=folder (docs/contributing/threat-model.md); ROUNDS=5.
check-fills: ARGUMENTS = .build/debug/decode-digests $(ROUNDS) $(FILES)
check-converters: build ## Converts files with the recipes of docs/converters.md, and sends hostile files to them.
check-hostile: build ## Sends hundreds of hostile files of every format to a service with default limits (docs/contributing/threat-model.md).
check-redaction: corpus build ## Searches redacted images for faces, also with OpenCV, with CORPUS=folder; SAMPLE=150 (docs/privacy.md).
check-redaction: ARGUMENTS = $(CORPUS) $(if $(SAMPLE),--sample $(SAMPLE))
check-redis: build ## Measures latency while Redis is healthy, full, hanging, stopped or restarted (docs/caching.md).
check-redis: ARGUMENTS = $(if $(PAGE),--page $(PAGE))
check-result-store: build ## Kills the service while it stores results, fills the disk, and compares all responses, with 100,000 entries (docs/caching.md); ONLY=folder.
check-result-store: ARGUMENTS = $(if $(ONLY),--only $(ONLY))
check-crashes: build ## Ends the service process by a signal under load, and counts lost requests (docs/contributing/architecture.md); PAGE=page inserts the table.
check-crashes: ARGUMENTS = $(if $(PAGE),--page $(PAGE))
check-drills: build $(PROMTOOL) ## Causes one failure after the other under load, and reports lost requests and fired alerts (docs/contributing/release.md); ONLY=words of a drill.
check-drills: ARGUMENTS = $(if $(ONLY),--only "$(ONLY)") $(if $(PAGE),--page $(PAGE))
check-fleet: build ## Runs nginx, three replicas and Redis under load and with failures, and checks seven caching proxies (docs/contributing/release.md); ONLY="fleet freshness idle".
check-fleet: ARGUMENTS = $(if $(PAGE),--page $(PAGE)) $(if $(ONLY),--only $(ONLY))
decode-digests: dependencies
	$(SWIFT_BUILD) --product decode-digests
check-release: build ## Checks the release workflow, the release notes and the bill of materials (docs/contributing/release.md).
check-helm: ## Renders the chart in deploy/helm with Helm's engine, validates it and compares it with deploy/kubernetes.
# These checks require root: sudo make check-image.
check-deb: build ## Installs, upgrades and removes the Debian package on a booted Debian (docs/install.md).
check-tarball: bundled ## Runs the tarball on bare systems without a PATH (docs/install.md).
	@$(call packages,build-tarball)
	python3 -B scripts/build-tarball --check
check-image: ## Builds the container image, runs it confined, and tests it (docs/contributing/release.md).
check-compose: ## Runs docker-compose.yml with podman-compose, and stops a replica (docs/contributing/release.md).

check-slim: dependencies ## Builds the service without other services' URLs, batches and videos, and makes a crop with it.
	scripts/check-slim.sh

check-example: dependencies ## Builds the packages in Examples with a version of the library, and runs their programs (docs/library.md).
	scripts/check-example.sh $(ONLY)

check-deploy: $(PROMTOOL) ## Validates deploy/ and docker-compose.yml with their schemas and programs.
	@$(call packages,$@)
	scripts/check-deploy/check.sh .build/venv/check-deploy/bin/python

site: .build/venv/build-site ## Builds the pages as a static site with search in .build/site, and checks its links.
	.build/venv/build-site/bin/python -B scripts/build-site

images: build .build/venv/check-page ## Draws the images in docs/images, and takes the screenshot of the playground.
	$(SWIFT_BUILD) $(RELEASE) --product DocumentationImages
	.build/release/DocumentationImages docs/images
	@$(call packages,check-page)
	.build/venv/check-page/bin/python -B scripts/check-page --document docs/images/playground.png

landmarks: dependencies ## Trains the landmark weights with CORPUS=folder; FOLDS=5 measures them instead (docs/contributing/landmark-training.md).
	$(SWIFT_BUILD) $(RELEASE) --product landmark-trainer
	.build/release/landmark-trainer $(CORPUS) Sources/C/CLandmarks $(FOLDS)

promtool: $(PROMTOOL) ## Extracts promtool from Debian's Prometheus package, for the tests of metrics.

$(PROMTOOL):
	@scripts/get-promtool.sh $(CURDIR)/.build/promtool

clean: ## Removes all build products.
	rm -rf .build
