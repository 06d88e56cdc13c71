#!/bin/sh
set -eu
: "${TESTS_DIR:=/tests}"
exec node "$TESTS_DIR/check.js"
