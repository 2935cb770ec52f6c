#!/bin/sh
# Sends requests with curl: SERVICE IMAGE SOURCE. Prints name, status and media type of each request.
service=$1 image=$2 source=$3

send() {
  name=$1
  shift
  curl --silent --output /dev/null --write-out "$name\t%{http_code}\t%{content_type}\n" "$@"
}

send GET --get --data-urlencode "url=$source" --data aspect=1:1 "$service/frame"
send 'POST raw' --data-binary "@$image" "$service/frame?aspect=1:1"
gzip --stdout "$image" | send 'POST raw, gzip' --header 'Content-Encoding: gzip' --data-binary @- "$service/frame"
send 'POST multipart' --form "image=@$image" --form aspect=1:1 --form zoom= "$service/frame"
send 'POST form' --data "url=$source" --data aspect=1:1 --data zoom= "$service/frame"
send 'POST JSON' --header 'Content-Type: application/json' \
  --data "{\"url\": \"$source\", \"aspect\": [\"1:1\"], \"zoom\": null}" "$service/frame"
