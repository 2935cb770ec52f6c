#!/usr/bin/env bash
# Builds .build/fuzz/release/fuzzers: Swift with the address sanitizer, C and C++ also with that of undefined behaviour,
# and all of it with the counters that libFuzzer steers by, and with calls that count work (Fuzzers/CWork).
set -euo pipefail
cd "$(dirname "$0")/.."
runtimes=$(swift -print-target-info | sed -n 's/.*"runtimeResourcePath": "\(.*\)",*/\1/p')/clang/lib/linux
ub=undefined,float-divide-by-zero
counted=(__sanitizer_cov_trace_pc_guard __sanitizer_cov_trace_pc_guard_init)
counted+=(__asan_memcpy __asan_memmove __asan_memset memcmp memchr)
# The traits in the same order each time, as in the Makefile.
SWIFT_DETERMINISTIC_HASHING=1 HEADROOM_FUZZERS=1 exec swift build "$@" -c release --product fuzzers \
    --scratch-path .build/fuzz --sanitize=address --disable-index-store \
    -Xswiftc -enable-testing \
    -Xswiftc -sanitize-coverage=edge,indirect-calls,trace-cmp,inline-8bit-counters,pc-table,trace-pc-guard \
    -Xcc -fsanitize=fuzzer-no-link,address,$ub -Xcc -fno-sanitize=vptr,function -Xcc -fno-sanitize-recover=all \
    -Xcxx -fsanitize=fuzzer-no-link,address,$ub -Xcxx -fno-sanitize=vptr,function -Xcxx -fno-sanitize-recover=all \
    -Xcc -fsanitize-coverage=trace-pc-guard -Xcxx -fsanitize-coverage=trace-pc-guard \
    -Xcc -fno-omit-frame-pointer -Xcc -DFUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION \
    $(printf -- '-Xlinker --wrap=%s ' "${counted[@]}") \
    -Xlinker "$runtimes/libclang_rt.fuzzer_no_main-$(uname -m).a"
