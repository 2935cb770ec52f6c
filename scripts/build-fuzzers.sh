#!/usr/bin/env bash
# Builds .build/fuzz/release/fuzzers. Swift has the address sanitizer; C and C++ also have the undefined behaviour sanitizer.
# All code has the coverage counters that guide libFuzzer, and calls that count work (Fuzzers/CWork).
set -euo pipefail
cd "$(dirname "$0")/.."
runtimes=$(swift -print-target-info | sed -n 's/.*"runtimeResourcePath": "\(.*\)",*/\1/p')/clang/lib/linux
ub=undefined,float-divide-by-zero
counted=(__sanitizer_cov_trace_pc_guard __sanitizer_cov_trace_pc_guard_init)
counted+=(__asan_memcpy __asan_memmove __asan_memset memcmp memchr)
# Keeps the order of the traits, as the Makefile does.
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
