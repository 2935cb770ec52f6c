#!/bin/sh
# Checks the build dependencies of Headroom, and installs missing Debian packages.
# With a file of package names as argument it installs those instead.
set -eu

needed_major=6
needed_minor=2
here=$(cd "$(dirname "$0")" && pwd)
list=${1:-$here/debian-packages.txt}

fail() {
    echo "headroom: $1" >&2
    exit 1
}

command -v swift >/dev/null 2>&1 \
    || fail "Swift $needed_major.$needed_minor or newer is needed and there is no swift on the PATH; see https://www.swift.org/install/"

version=$(swift --version 2>/dev/null | sed -n 's/.*Swift version \([0-9]*\)\.\([0-9]*\).*/\1 \2/p' | head -n 1)
# shellcheck disable=SC2086
set -- $version
[ $# -eq 2 ] || fail "swift --version does not tell its version"
if [ "$1" -lt $needed_major ] || { [ "$1" -eq $needed_major ] && [ "$2" -lt $needed_minor ]; }; then
    fail "Swift $needed_major.$needed_minor or newer is needed and this is Swift $1.$2; see https://www.swift.org/install/"
fi

packages=$(grep -v '^#' "$list" | tr '\n' ' ')

command -v dpkg-query >/dev/null 2>&1 \
    || fail "this is not Debian, so install the equivalents of these packages by hand and run swift build: $packages"

missing=""
for package in $packages; do
    dpkg-query --show --showformat='${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' \
        || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

if [ "$(id -u)" -eq 0 ]; then
    as_root=""
elif command -v sudo >/dev/null 2>&1; then
    as_root="sudo"
else
    fail "these Debian packages are missing and only root can install them:$missing"
fi
echo "headroom: installing$missing"
$as_root env DEBIAN_FRONTEND=noninteractive apt-get update -qq >/dev/null \
    || fail "apt-get update failed, so these packages could not be installed:$missing"
# shellcheck disable=SC2086
$as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >/dev/null \
    || fail "apt-get could not install:$missing"
