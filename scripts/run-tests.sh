#!/usr/bin/env bash
# Builds and runs the tests. At the end, prints all failures and the duration of each part.
#
#   scripts/run-tests.sh [OPTION…]      options of swift test, such as --filter FramerTests
#
# A debug build builds all products, to detect compile errors. Other builds contain only the tests and the programs that
# the tests run. The durations are stored in .build/times for `make test`.
set -uo pipefail
cd "$(dirname "$0")/.."

name=debug
options=()
selection=()
while (($#)); do
    case $1 in
        --filter | --skip) selection+=("$1" "$2") && shift ;;
        -c) name=$2 && options+=("$1" "$2") && shift ;;
        --sanitize=*) name=${1#*=} && options+=("$1") ;;
        *) options+=("$1") ;;
    esac
    shift
done
product=(--product headroomPackageTests)
[[ $name == debug ]] && product=(--build-tests)

log=$(mktemp)
trap 'rm -f "$log"' EXIT
times=.build/times/$name
mkdir -p .build/times

# Records the time since the previous part under the name of a part.
part() {
    printf '  %-8s %-8s %3d:%02d\n' "$name" "$1" $((SECONDS / 60)) $((SECONDS % 60)) >>"$times"
    SECONDS=0
}

: >"$times"
for list in debian-packages test-packages; do scripts/install-dependencies.sh "scripts/$list.txt" || exit; done
part install
# Keeps the order of the traits, as the Makefile does.
SWIFT_DETERMINISTIC_HASHING=1 swift build "${product[@]}" ${options[@]+"${options[@]}"} 2>&1 | tee "$log"
status=${PIPESTATUS[0]}
part build
if [ "$status" -eq 0 ]; then
    # The tests print thousands of lines, and some test names contain requests of many kilobytes.
    swift test --skip-build ${options[@]+"${options[@]}"} ${selection[@]+"${selection[@]}"} 2>&1 |
        stdbuf -oL cut -c -500 | tee "$log" | grep -a -v --line-buffered '^◇ Test case passing '
    status=${PIPESTATUS[0]}
    part tests
fi
if [ "$status" -ne 0 ]; then
    printf '\nFailures:\n'
    # Includes the comment below each issue.
    grep -a -A 2 -E '^✘|^error:|: error: |^Fatal|^\*\*\*|unexpected signal' "$log" | grep -a -E -v '^(◇|✔|--$)' | tail -n 100
fi
printf '\nDurations in minutes:\n'
cat "$times"
exit "$status"
