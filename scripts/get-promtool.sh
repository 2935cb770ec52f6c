#!/bin/sh
# Unpacks promtool into a folder. It is part of Debian's package prometheus, whose installation would start a daemon.
set -eu

folder=$1
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"
# Downloads as root, because apt's unprivileged user may not have access to this folder.
set -- apt-get download -qq -o APT::Sandbox::User=root prometheus
if ! "$@" >/dev/null 2>&1; then
    # The package lists are missing or old, and only root can update them.
    if [ "$(id -u)" -eq 0 ]; then apt-get update -qq >/dev/null || true; fi
    "$@" >/dev/null || { echo "headroom: the package prometheus is not available; the tests of metrics that need it are skipped" >&2; exit 0; }
fi
mkdir unpacked
dpkg-deb --extract prometheus_*.deb unpacked
mkdir -p usr/bin
mv unpacked/usr/bin/promtool usr/bin/
rm -rf unpacked prometheus_*.deb
