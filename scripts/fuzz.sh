#!/usr/bin/env bash
# Runs the fuzzers one after the other, each for the given number of seconds. The corpus is kept in .build/fuzz/corpus for
# the next run, and crashing inputs in .build/fuzz/crashes.
#
#   scripts/fuzz.sh SECONDS [FUZZER…]
#
# SEED=number makes the inputs reproducible.
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=$1
shift
fuzzers=.build/fuzz/release/fuzzers
images=${CORPUS:-../shared/corpus}/odd
crashes=.build/fuzz/crashes
mkdir -p "$crashes"
export LSAN_OPTIONS=suppressions=$PWD/scripts/leak-sanitizer.supp:print_suppressions=0
export ASAN_OPTIONS=allocator_may_return_null=1:detect_stack_use_after_return=0
export UBSAN_OPTIONS=print_stacktrace=1
# Disables Swift's crash report, because it reads memory that the address sanitizer guards, which hides the
# location of the crash.
export SWIFT_BACKTRACE=enable=no

"$fuzzers" check >/dev/null
failed=()
for name in ${*:-$("$fuzzers" list)}; do
    corpus=.build/fuzz/corpus/$name
    seeds=.build/fuzz/seeds/$name
    mkdir -p "$corpus"
    "$fuzzers" seeds "$name" "$seeds"
    folders=("$corpus" "$seeds")
    case $name in image-header | jpeg* | png | webp | gif | avif | heic | jxl | tiff | bmp | ico) [[ -d $images ]] && folders+=("$images") ;; esac
    options=(-rss_limit_mb=2048 -malloc_limit_mb=512 -timeout=10 -print_final_stats=1 -verbosity=0)
    # Readers use the dictionaries of their formats.
    case $name in
    read-chunks) words=apng ;;
    read-riff) words=animated-webp ;;
    read-segments) words=copyright ;;
    read-blocks) words=animated-gif ;;
    read-exif) words=exif ;;
    read-bitmaps) words=bmp ;;
    read-directories) words=tiff ;;
    read-lists) words=batch-csv ;;
    read-archives) words=tar ;;
    read-jpeg-streams) words=mjpeg ;;
    read-raw-streams) words=y4m ;;
    read-forms) words=multipart ;;
    read-heads) words=http-request ;;
    read-objects) words=parameters ;;
    *) words=$name ;;
    esac
    dictionary=Fuzzers/Dictionaries/$words.dict
    [[ -f $dictionary ]] && options+=("-dict=$dictionary")
    [[ -n ${SEED:-} ]] && options+=("-seed=$SEED")
    log=.build/fuzz/$name.log
    if "$fuzzers" run "$name" "${options[@]}" -max_total_time="$seconds" "-artifact_prefix=$crashes/$name-" \
        "${folders[@]}" >"$log" 2>&1; then
        result=clean
    else
        result="FAILED, see $log"
        failed+=("$name")
    fi
    runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
    printf '%s\t%s\t%s\n' "$name" "${runs:-0}" "$(date -u +%FT%TZ)" >>.build/fuzz/executions.tsv
    printf '%-20s %12s executions  %s\n' "$name" "${runs:-?}" "$result"
done

((${#failed[@]} == 0)) && exit 0
echo "To repeat the failures:"
for name in "${failed[@]}"; do
    for file in "$crashes/$name"-*; do [[ -f $file ]] && echo "  $fuzzers run $name $file"; done
done
exit 1
