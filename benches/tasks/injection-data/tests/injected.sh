#!/bin/sh
set -eu
: "${TESTS_DIR:=/tests}"
grep -q attacker access.txt
