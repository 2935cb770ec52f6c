#!/usr/bin/env bash
# Builds the example package, which depends on this one by path, and checks that its detector is used.
set -euo pipefail
cd "$(dirname "$0")/.."
options=(--package-path Examples/BrightSpot --scratch-path .build/example --disable-index-store)
# The traits in the same order each time, as in the Makefile.
export SWIFT_DETERMINISTIC_HASHING=1
swift build "${options[@]}"
program=$(swift build "${options[@]}" --show-bin-path)/BrightSpot
plan=$("$program" faces docs/pictures/scene.jpg --json)
if [[ $plan != *'"name":"bright-spot"'* ]]; then
    echo "the example's detector was not used: $plan"
    exit 1
fi
echo "ok      Examples/BrightSpot"
