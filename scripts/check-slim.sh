#!/bin/sh
# Builds the service without the traits Addresses, Batch and Video, and requests a crop: make check-slim. The build uses
# the debug configuration, which takes less time, and a separate folder, because other traits cause a full rebuild.
set -eu
cd "$(dirname "$0")/.."
export SWIFT_DETERMINISTIC_HASHING=1
swift build --disable-index-store --scratch-path .build/slim --disable-default-traits \
    --traits AVIF,HEIC,JPEGXL,Subjects,TIFF,YuNet --product headroom
headroom=.build/slim/debug/headroom
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$headroom" frame --aspect 1:1 --format jpeg --output "$folder/crop.jpg" docs/images/faces.jpg
"$headroom" faces "$folder/crop.jpg" | grep -E ', [1-9][0-9]* faces?$'
# The commands of the other traits are absent.
for command in batch reframe work; do
    if "$headroom" help "$command" > "$folder/help" 2>&1 && grep -q "USAGE: headroom $command" "$folder/help"; then
        echo "the slim service has headroom $command" >&2
        exit 1
    fi
done
echo 'ok      the slim service makes a crop'
