#!/usr/bin/env python3
"""Prints results of tui_bench.py as a Markdown table: median [minimum-maximum] of each agent."""
import sys

sys.dont_write_bytecode = True
from rows import ROWS, Results, table  # noqa: E402


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: report.py results.jsonl")
    results = Results(sys.argv[1])
    peers = results.peers()
    lines = [["version"] + [results.versions[peer] for peer in peers]]
    lines += [[row.label] + [results.cell(peer, row) for peer in peers] for row in ROWS]
    lines.append(["foreign load, cores"] + [results.foreign(peer) for peer in peers])
    print(table([""] + peers, lines), end="")
    for error in results.errors:
        print("\nerror: " + error)


if __name__ == "__main__":
    main()
