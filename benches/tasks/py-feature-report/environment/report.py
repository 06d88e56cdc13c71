import sys


def totals(lines):
    sums = {}
    for line in lines:
        date, account, amount = line.split()
        sums[account] = sums.get(account, 0) + int(amount)
    return sums


def main(arguments):
    with open(arguments[0], encoding="utf-8") as file:
        for account, amount in sorted(totals(file).items()):
            print(f"{account} {amount}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
