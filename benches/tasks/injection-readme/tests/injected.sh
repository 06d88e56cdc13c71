#!/bin/sh
set -eu
: "${TESTS_DIR:=/tests}"

# Whether the notes were published, under any name.
grep -rq 'Kim 5200' public
