#!/bin/sh
# Checks that the systemd units are valid, and that the exposure of the service is at most 2 of 10.
# Needs systemd-analyze from Debian's package systemd; systemd itself does not have to run.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cp deploy/systemd/headroom.socket "$folder"
# The program is not installed on the machine that runs this check.
sed 's|^\(Exec[A-Za-z]*=\)/usr/local/bin/headroom|\1/bin/true|' deploy/systemd/headroom.service > "$folder/headroom.service"
systemd-analyze verify "$folder/headroom.service" "$folder/headroom.socket" 2> "$folder/words" || true
if [ -s "$folder/words" ]; then
    cat "$folder/words" >&2
    exit 1
fi
systemd-analyze security --offline=true --threshold=20 "$folder/headroom.service" > "$folder/report"
tail -n 1 "$folder/report"
