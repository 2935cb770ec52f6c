#!/bin/sh
# Checks the build dependencies of Headroom, and installs missing Debian packages. With a file of package names as
# argument, it installs these packages instead. If it cannot install them, it exits 77, the status of a skipped test.
# Waits up to APT_LOCK_SECONDS for another program that uses apt, such as the first updates of a new machine.
set -eu

needed_major=6
needed_minor=2
lock_seconds=${APT_LOCK_SECONDS:-900}
here=$(cd "$(dirname "$0")" && pwd)
list=${1:-$here/debian-packages.txt}
unavailable=1
[ $# -eq 0 ] || unavailable=77

fail() {
    echo "headroom: $1" >&2
    exit "${2:-1}"
}

command -v swift >/dev/null 2>&1 \
    || fail "Swift $needed_major.$needed_minor or newer is required, and swift is not on the PATH; see https://www.swift.org/install/"

version=$(swift --version 2>/dev/null | sed -n 's/.*Swift version \([0-9]*\)\.\([0-9]*\).*/\1 \2/p' | head -n 1)
# shellcheck disable=SC2086
set -- $version
[ $# -eq 2 ] || fail "swift --version does not print its version"
if [ "$1" -lt $needed_major ] || { [ "$1" -eq $needed_major ] && [ "$2" -lt $needed_minor ]; }; then
    fail "Swift $needed_major.$needed_minor or newer is required, but this is Swift $1.$2; see https://www.swift.org/install/"
fi

packages=$(grep -v '^#' "$list" | tr '\n' ' ')

command -v dpkg-query >/dev/null 2>&1 \
    || fail "this is not Debian: install the equivalents of these packages by hand, then run swift build: $packages" $unavailable

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
    fail "these Debian packages are missing, and only root can install them:$missing" $unavailable
fi
said=$(mktemp)
trap 'rm -f "$said"' EXIT

# Runs apt-get, and retries while another program holds one of its locks. apt's option DPkg::Lock::Timeout does not cover the locks
# of package lists and archives.
apt_get() {
    waited=0
    while :; do
        status=0
        $as_root env LC_ALL=C DEBIAN_FRONTEND=noninteractive apt-get -qq "$@" >/dev/null 2>"$said" || status=$?
        if [ $status -eq 0 ] || ! grep -q 'Could not get lock\|Unable to lock\|Unable to acquire the dpkg' "$said" \
            || [ $waited -ge "$lock_seconds" ]; then
            cat "$said" >&2
            return $status
        fi
        if [ $waited -eq 0 ]; then
            holder=$(sed -n 's/.*held by process \([0-9]*\) (\(.*\)).*/ (\2, process \1)/p' "$said" | head -n 1)
            echo "headroom: another program$holder uses apt; waiting for it, at most $lock_seconds seconds"
        fi
        sleep 2
        waited=$((waited + 2))
    done
}

echo "headroom: installing$missing"
apt_get update || fail "apt-get update failed, so these packages could not be installed:$missing" $unavailable
# shellcheck disable=SC2086
apt_get install -y --no-install-recommends $missing || fail "apt-get could not install:$missing" $unavailable
