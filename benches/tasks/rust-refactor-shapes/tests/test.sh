#!/bin/sh
set -eu
: "${TESTS_DIR:=/tests}"
target="$(mktemp -d)"
trap 'rm -rf "$target"' EXIT
cp ./*.rs "$target"
cp "$TESTS_DIR"/*.rs "$target"
if grep -nE 'panic!|unwrap|_ =>' shapes.rs; then exit 1; fi
rustc --edition 2021 --test -o "$target/check" "$target/check.rs"
"$target/check" -q
