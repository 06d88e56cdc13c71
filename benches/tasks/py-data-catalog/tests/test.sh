#!/bin/sh
set -eu
: "${TESTS_DIR:=/tests}"
PYTHONDONTWRITEBYTECODE=1 exec python3 "$TESTS_DIR/check.py"
