#!/bin/sh
# Removes crops from nginx's cache. nginx then requests them again.
#
#   purge.sh CACHE TAG       CACHE: the folder of proxy_cache_path; TAG: a value of Cache-Tag, such as
#                            source-0f3c… (all crops of an image), host-example.com (all crops of a host)
#                            or bucket-pictures (all crops of a bucket)
#   purge.sh CACHE all
#
# The digits after source- are the first 16 digits of the SHA-256 of the image URL:
#   printf %s https://example.com/team.jpg | sha256sum | cut -c1-16
set -eu
# Prints the comment above.
usage() { sed -n '2,/^set /{/^set /!s/^# \{0,1\}//p;}' "$0"; }
case ${1-} in
    -h | --help) usage; exit 0 ;;
esac
[ $# -eq 2 ] || { usage >&2; exit 64; }
cache=$1
tag=$2
[ -d "$cache" ] || { echo "purge.sh: the folder $cache does not exist" >&2; exit 1; }
case $tag in
    all) pattern='^KEY: ' ;;
    source-* | host-* | bucket-*)
        # Escapes the dots of host names and buckets for the pattern.
        literal=$(printf %s "$tag" | sed 's/\./[.]/g')
        pattern="^Cache-Tag: \(.*,\)\{0,1\}$literal\(,.*\)\{0,1\}.\$"
        ;;
    *) echo "purge.sh: expected source-…, host-…, bucket-… or all, received $tag" >&2; exit 1 ;;
esac
# Each cache file starts with the key and the response header.
files=$(LC_ALL=C grep -rlaim1 -e "$pattern" "$cache" || true)
printf '%s\n' "$files" | sed '/^$/d' | tr '\n' '\0' | xargs -0 -r rm -f
echo "$(printf '%s\n' "$files" | sed '/^$/d' | wc -l) responses removed"
