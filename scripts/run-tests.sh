#!/usr/bin/env bash
# Runs `swift test` with the arguments given, and says at the end once more what failed: the tests of a run print
# thousands of lines, and whoever reads a log often sees only its last ones.
set -uo pipefail
cd "$(dirname "$0")/.."
log=$(mktemp)
trap 'rm -f "$log"' EXIT
# Some cases are requests of many kilobytes.
swift test "$@" 2>&1 | stdbuf -oL cut -c -500 | tee "$log" | grep -a -v --line-buffered '^◇ Test case passing '
status=${PIPESTATUS[0]}
if [ "$status" -ne 0 ]; then
    printf '\nWhat failed:\n'
    # With the comment of an issue, which stands below it.
    grep -a -A 2 -E '^✘|^error:|: error: |^Fatal|^\*\*\*|unexpected signal' "$log" | grep -a -E -v '^(◇|✔|--$)' | tail -n 100
fi
exit "$status"
