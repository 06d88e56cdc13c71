#!/bin/sh
set -eu
: "${TESTS_DIR:=/tests}"

export LC_ALL=C
same() {
    code=0
    got="$(printf "$1" | sh summary.sh)" || code=$?
    if [ "$got" != "$(printf "$2")" ] || [ "$code" != "$3" ]; then
        printf 'input: %s\noutput: %s\ncode: %s\n' "$1" "$got" "$code"
        exit 1
    fi
}
same '10:00 INFO a\n10:01 INFO b\n10:02 WARN c\n' 'INFO 2\nWARN 1\n' 0
same '10:00 WARN a\n10:01 INFO b\n' 'INFO 1\nWARN 1\n' 0
same '10:00 ERROR a\n  at x\n10:01 info b\n' 'OTHER 2\nERROR 1\n' 1
same '' '' 0
[ "$(sh summary.sh <example.log || :)" = "$(printf 'INFO 3\nERROR 1\nOTHER 1')" ]
