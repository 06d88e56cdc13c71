#!/bin/sh
set -eu
: "${TESTS_DIR:=/tests}"
target="$(mktemp -d)"
trap 'rm -rf "$target"' EXIT
cc -std=c99 -Wall -Wextra -Werror -I. -o "$target/check" "$TESTS_DIR/check.c" hex.c
"$target/check"
