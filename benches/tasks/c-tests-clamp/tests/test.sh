#!/bin/sh
set -eu
: "${TESTS_DIR:=/tests}"

target="$(mktemp -d)"
trap 'rm -rf "$target"' EXIT
cmp scale.c "$TESTS_DIR/right.c"
passes() {
    cc -std=c99 -I. -o "$target/test" test_scale.c "$1" && "$target/test"
}
passes "$TESTS_DIR/right.c"
while read -r wrong; do
    sed "$wrong" "$TESTS_DIR/right.c" >"$target/wrong.c"
    if cmp -s "$target/wrong.c" "$TESTS_DIR/right.c"; then echo "no change: $wrong" && exit 2; fi
    if passes "$target/wrong.c" 2>/dev/null; then echo "not found: $wrong" && exit 1; fi
done <<'END'
s|low >= high|low > high|
s|value = low;|value = value;|
s|value = high;|value = high + 1;|
s|(long long)value - low|(long long)value|
s|(long long)||g
s|return -1|return 0|
s|return (int).*|return (int)((((long long)value - low) * 100 + ((long long)high - low) / 2) / ((long long)high - low));|
END
