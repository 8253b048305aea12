# What a newcomer types: `make demo` shows the main job, `make test` runs the whole suite, `make bench` compares with
# the peers (`make bench ARGS="--quick --filter session"`).

LIBRARIES := pkg-config libcurl4-openssl-dev libssl-dev libmicrohttpd-dev
PEER_TOOLS := python3 python3-venv
TEST_TOOLS := $(LIBRARIES) $(PEER_TOOLS) openssl curl man-db swtpm tpm2-openssl tpm2-tools nginx-light nghttp2-server tinyproxy microsocks
SOURCES := Sources Tests Samples Package.swift Benchmarks/Sources Benchmarks/Package.swift
# One test at a time: side by side, thousands of cases would stand in the queue of Swift's few threads before the handlers
# that answer a test's own requests. Tests that are about concurrency make their own.
TEST := swift test --disable-xctest --no-parallel

ARGS ?=

.PHONY: demo test bench lint format asan tsan docs

demo:
	@Scripts/prepare $(LIBRARIES)
	swift run QuickStart

test:
	@Scripts/prepare $(TEST_TOOLS)
	@Scripts/prepare-peers
	$(TEST)

bench:
	@Scripts/prepare $(LIBRARIES) $(PEER_TOOLS) nghttp2-server
	@Scripts/prepare-peers
	swift run --package-path Benchmarks -c release Benchmarks $(ARGS)

lint:
	@Scripts/prepare
	swift format lint --strict --parallel --recursive $(SOURCES)

format:
	@Scripts/prepare python3
	swift format --in-place --parallel --recursive $(SOURCES)
	Scripts/quote-samples

# Leaks fail this run: LeakSanitizer is part of AddressSanitizer on Linux.
asan:
	@Scripts/prepare $(TEST_TOOLS)
	@Scripts/prepare-peers
	$(TEST) --sanitize=address --scratch-path .build/asan

# The flag gives the locks a form that the sanitizer can follow; see Sources/Locking.
tsan:
	@Scripts/prepare $(TEST_TOOLS)
	@Scripts/prepare-peers
	$(TEST) --sanitize=thread --scratch-path .build/tsan -Xswiftc -DTHREAD_SANITIZER

# One archive of reference pages for each library, in .build/docs.
docs:
	@Scripts/prepare $(LIBRARIES)
	Scripts/make-docs
