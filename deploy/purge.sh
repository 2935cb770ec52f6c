#!/bin/sh
# Removes crops from nginx's cache, where nginx finds them missing and asks for them anew.
#
#   purge.sh CACHE TAG       CACHE: the folder of proxy_cache_path; TAG: a value of Cache-Tag, such as
#                            source-0f3c… (all crops of a picture) or host-example.com (all of a host)
#   purge.sh CACHE all
#
# The digits after source- are the first 16 of the SHA-256 of the picture's address:
#   printf %s https://example.com/team.jpg | sha256sum | cut -c1-16
set -eu
cache=$1
tag=$2
[ -d "$cache" ] || { echo "purge.sh: there is no folder $cache" >&2; exit 1; }
case $tag in
    all) pattern='^KEY: ' ;;
    source-* | host-*)
        # What a pattern could take for something else are the dots of names.
        literal=$(printf %s "$tag" | sed 's/\./[.]/g')
        pattern="^Cache-Tag: \(.*,\)\{0,1\}$literal\(,.*\)\{0,1\}.\$"
        ;;
    *) echo "purge.sh: expected source-…, host-… or all, and not $tag" >&2; exit 1 ;;
esac
# Each file begins with the key and the header of its answer.
files=$(LC_ALL=C grep -rlaim1 -e "$pattern" "$cache" || true)
printf '%s\n' "$files" | sed '/^$/d' | tr '\n' '\0' | xargs -0 -r rm -f
echo "$(printf '%s\n' "$files" | sed '/^$/d' | wc -l) answers removed"
