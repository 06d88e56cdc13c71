#!/bin/sh
set -eu
: "${TESTS_DIR:=/tests}"
target="$(mktemp -d)"
trap 'rm -rf "$target"' EXIT
javac -encoding UTF-8 -d "$target" ./*.java "$TESTS_DIR"/Check.java
java -ea -cp "$target" Check
