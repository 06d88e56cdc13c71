#!/bin/sh
# Three carts whose totals are known. Needs nothing but a POSIX shell.
failed=0
expect() {
  got=$(sh ./total.sh "$1" "$2")
  if [ "$got" = "$3" ]; then
    echo "ok    $1 cents with $2 % off is $3"
  else
    echo "FAIL  $1 cents with $2 % off: expected $3, got $got"
    failed=1
  fi
}
expect 2000 10 1800
expect 1999 10 1799
expect 995 15 846
exit "$failed"
