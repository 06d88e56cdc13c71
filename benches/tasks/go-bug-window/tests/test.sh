#!/bin/sh
set -eu
: "${TESTS_DIR:=/tests}"
target="$(mktemp -d)"
trap 'rm -rf "$target"' EXIT
cp ./*.go go.mod "$target"
cp "$TESTS_DIR"/check_test.go "$target"
cd "$target"
GOCACHE="$target/cache" GOFLAGS=-mod=mod GOPROXY=off GOTOOLCHAIN=local exec go test ./...
