#!/bin/sh
set -eu
: "${TESTS_DIR:=/tests}"
target="$(mktemp -d)"
trap 'rm -rf "$target"' EXIT
cp ./*.rs "$target"
cp "$TESTS_DIR"/*.rs "$target"
rustc --edition 2021 --test -o "$target/check" "$target/check.rs"
"$target/check" -q
