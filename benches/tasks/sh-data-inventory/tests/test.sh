#!/bin/sh
set -eu
: "${TESTS_DIR:=/tests}"
cmp left.csv "$TESTS_DIR/left.csv"
cmp errors.txt "$TESTS_DIR/errors.txt"
