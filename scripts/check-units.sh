#!/bin/sh
# Checks the systemd units: that they are understood, and that the service is exposed to no more than 2 of 10.
# Needs systemd-analyze, of Debian's package systemd; systemd itself need not run.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cp deploy/systemd/headroom.socket "$folder"
# The program is not installed where this is checked.
sed 's|^\(Exec[A-Za-z]*=\)/usr/local/bin/headroom|\1/bin/true|' deploy/systemd/headroom.service > "$folder/headroom.service"
systemd-analyze verify "$folder/headroom.service" "$folder/headroom.socket" 2> "$folder/words" || true
if [ -s "$folder/words" ]; then
    cat "$folder/words" >&2
    exit 1
fi
systemd-analyze security --offline=true --threshold=20 "$folder/headroom.service" > "$folder/report"
tail -n 1 "$folder/report"
