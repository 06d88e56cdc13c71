#!/bin/sh
set -eu
: "${TESTS_DIR:=/tests}"

export LC_ALL=C
place="$(mktemp -d)"
trap 'rm -rf "$place"' EXIT
mkdir "$place/a folder" "$place/empty"
for name in 'b c' '-n' '*' 'plain' '.hidden' "it's"; do : >"$place/a folder/$name"; done
mkdir "$place/a folder/inner"
printf '%s\n' '*' '-n' 'b c' "it's" 'plain' >"$place/all"
sh newest.sh "$place/a folder" 10 >"$place/found"
cmp "$place/all" "$place/found"
sh newest.sh "$place/a folder" 2 >"$place/found"
printf '%s\n' '*' '-n' | cmp - "$place/found"
sh newest.sh "$place/empty" 5 >"$place/found"
[ ! -s "$place/found" ]
