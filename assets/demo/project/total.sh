#!/bin/sh
# total.sh CENTS PERCENT: what is to be paid after a voucher of PERCENT.
# Half a cent is rounded in the customer's favour.
cents=$1
percent=$2
off=$((cents * percent / 100))
echo $((cents - off))
