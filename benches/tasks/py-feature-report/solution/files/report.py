import argparse
import datetime
import sys


def totals(lines, since=None):
    sums = {}
    for line in lines:
        date, account, amount = line.split()
        if since and datetime.date.fromisoformat(date) < since:
            continue
        sums[account] = sums.get(account, 0) + int(amount)
    return sums


def main(arguments):
    parser = argparse.ArgumentParser()
    parser.add_argument("ledger")
    parser.add_argument("--since", type=datetime.date.fromisoformat)
    options = parser.parse_args(arguments)
    with open(options.ledger, encoding="utf-8") as file:
        for account, amount in sorted(totals(file, options.since).items()):
            print(f"{account} {amount}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
