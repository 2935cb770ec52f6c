#!/usr/bin/env bash
# Builds the packages in Examples and runs their programs. BrightSpot depends on this package by path. Library depends on it by
# version, like other programs. The arguments name the examples; without arguments, both are built.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
# Keeps the order of the traits, as the Makefile does.
export SWIFT_DETERMINISTIC_HASHING=1

fail() {
    echo "FAILED  $1" >&2
    exit 1
}

bright_spot() {
    local options=(--package-path Examples/BrightSpot --scratch-path .build/example --disable-index-store)
    swift build "${options[@]}"
    local program plan
    program=$(swift build "${options[@]}" --show-bin-path)/BrightSpot
    plan=$("$program" faces docs/images/scene.jpg --json)
    [[ $plan == *'"name":"bright-spot"'* ]] || fail "the example's detector was not used: $plan"
    echo "ok      Examples/BrightSpot"
}

# Creates a repository with the current files and a version tag.
versioned() {
    local version=$1 copy=$2
    rm -rf "$copy"
    mkdir -p "$copy"
    git ls-files -z --cached --others --exclude-standard | while IFS= read -r -d '' file; do
        [[ ! -f $file ]] || printf '%s\0' "$file"
    done | tar -c --null --files-from=- | tar -x -C "$copy"
    git -C "$copy" init --quiet --initial-branch main
    git -C "$copy" add --all
    git -C "$copy" -c user.name=check -c user.email=check@localhost commit --quiet --message "A version"
    git -C "$copy" tag "$version"
}

library() {
    local folder=$root/.build/library
    versioned 0.1.0 "$folder/headroom"
    rm -rf "$folder/app"
    cp -r Examples/Library "$folder/app"
    sed -i "s|\.package(name: \"headroom\", path: \"../..\")|.package(url: \"file://$folder/headroom\", from: \"0.1.0\")|" \
        "$folder/app/Package.swift"
    grep -q 'from: "0.1.0"' "$folder/app/Package.swift" || fail "Examples/Library does not depend on headroom by path"
    # The tag is a different commit each time, and SwiftPM rejects a version whose commit has changed.
    local options=(--package-path "$folder/app" --scratch-path "$folder/build" --cache-path "$folder/cache"
        --security-path "$folder/security" --disable-index-store)
    rm -rf "$folder/cache" "$folder/security" "$folder/build/checkouts/headroom" "$folder"/build/repositories/headroom-*
    rm -f "$folder/build/workspace-state.json"
    swift build "${options[@]}"
    local bin
    bin=$(swift build "${options[@]}" --show-bin-path)
    local said
    said=$("$bin/CropCommand" docs/images/scene.jpg "$folder/square.jpg")
    [[ $said == "400×400, 3 heads kept" ]] || fail "CropCommand printed: $said"
    said=$("$bin/CropCommand" docs/images/nobody.jpg "$folder/none.jpg")
    [[ $said == "no face" ]] || fail "CropCommand printed: $said"
    echo "ok      Examples/Library: CropCommand"
    serve "$bin/CropServer" "$folder"
}

serve() {
    local folder=$2 port
    port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
    "$1" "$port" &
    local server=$!
    # shellcheck disable=SC2064
    trap "kill $server" EXIT
    local file status
    for row in "scene.jpg 200" "nobody.jpg 422" "../README.md 415"; do
        read -r file expected <<<"$row"
        status=$(curl --silent --show-error --retry 20 --retry-connrefused --retry-delay 1 --output "$folder/answer" \
            --write-out '%{http_code}' --data-binary "@docs/images/$file" "http://127.0.0.1:$port/")
        [[ $status == "$expected" ]] || fail "CropServer responds to $file with $status: $(head -c 200 "$folder/answer")"
    done
    pgrep --parent "$server" >/dev/null || fail "CropServer has no worker processes"
    kill "$server"
    wait "$server" || true
    trap - EXIT
    echo "ok      Examples/Library: CropServer, in processes"
}

for example in "${@:-bright_spot library}"; do
    for each in $example; do "$each"; done
done
