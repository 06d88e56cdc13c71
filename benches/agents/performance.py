#!/usr/bin/env python3
"""Measures Benchdog beside the floor programs in one run, and writes docs/performance.md.

    just performance                              # builds the floor programs, measures, writes
    just performance --peers codex,vibe           # with other agents in the same run
    just performance --results FILE --only-write  # writes the page again from earlier results

Rows over twice the floor need a reason in reasons.tsv. Without one the exit code is 1.
"""
import argparse
import datetime
import json
import os
import platform
import re
import statistics
import subprocess
import sys

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
REPOSITORY = os.path.dirname(os.path.dirname(HERE))
FLOOR = os.path.join(REPOSITORY, "benches", "floor")
sys.path.insert(0, HERE)
from rows import ROWS, Results, table  # noqa: E402

PRODUCT = "benchdog"
MOST = 2.0
COMMITS = 200
QUICK = "startup=3,first=1,idle=1,ttft=1,plain=1,md=1,tools=1,search=1,oneshot=3"


def arguments():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--binary", help="the program (default: target/dist/benchdog, else target/release/benchdog)")
    p.add_argument("--profile", help="its build profile (default: the name of its folder)")
    p.add_argument("--peers", default="", help="other agents of adapters.py, separated by commas")
    p.add_argument("--state", default=os.environ.get("BENCH_STATE", os.path.expanduser("~/.cache/tui-bench")),
                   help="folder of homes and projects, on the disk that is measured")
    p.add_argument("--results", help="file of the results (default: performance.jsonl in the state folder)")
    p.add_argument("--reasons", default=os.path.join(HERE, "reasons.tsv"))
    p.add_argument("--output", default=os.path.join(REPOSITORY, "docs", "performance.md"))
    p.add_argument("--only-write", action="store_true", help="do not measure: use the results of an earlier run")
    p.add_argument("--no-build", action="store_true", help="do not build the floor programs")
    p.add_argument("--quick", action="store_true", help="few repetitions and no wait for a quiet machine, to try the script")
    return p.parse_args()


def main():
    a = arguments()
    results = a.results or os.path.join(a.state, "performance.jsonl")
    if not a.only_write:
        measure(a, results)
    page, unexplained = written(Results(results), facts_of(results), reasons(a.reasons))
    with open(a.output, "w") as file:
        file.write(page)
    print("wrote %s" % os.path.relpath(a.output))
    for row in unexplained:
        print("%s is over %g times the floor. Add a line with `%s`, a tab and the reason to %s, or make it faster."
              % (row.label, MOST, row.key, os.path.relpath(a.reasons)), file=sys.stderr)
    sys.exit(1 if unexplained else 0)


def measure(a, results):
    binary = find_binary(a.binary)
    if not a.no_build:
        subprocess.run(["cargo", "build", "--release", "--locked"], cwd=FLOOR, check=True)
    os.makedirs(a.state, exist_ok=True)
    if os.path.exists(results):
        os.rename(results, results + ".old")
    facts = {"what": "facts", "quick": a.quick, **machine(a.state), **program(binary, a.profile), **commits(a.state)}
    command = [sys.executable, os.path.join(HERE, "tui_bench.py"), PRODUCT, "floor"] + [p for p in a.peers.split(",") if p]
    command += ["--state", a.state, "--out", results]
    if a.quick:
        command += ["--runs", QUICK, "--gate-s", "0", "--keys", "50", "--idle-s", "3", "--turns", "2"]
    subprocess.run(command, env=dict(os.environ, BENCHDOG_BIN=binary), check=True)
    with open(results + ".facts", "w") as file:
        json.dump(facts, file, indent=1)


def find_binary(given):
    candidates = [given] if given else [os.path.join(REPOSITORY, "target", profile, "benchdog") for profile in ("dist", "release")]
    for path in candidates:
        if os.path.exists(path):
            return os.path.realpath(path)
    sys.exit("There is no %s. Build it with `cargo build --profile dist -p benchdog`, or name it with --binary." % candidates[0])


def facts_of(results):
    with open(results + ".facts") as file:
        return json.load(file)


def output(*argv, **more):
    try:
        return subprocess.run(argv, capture_output=True, text=True, check=True, **more).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return "unknown"


def first_match(pattern, path):
    with open(path) as file:
        match = re.search(pattern, file.read(), re.M)
    return match.group(1) if match else "unknown"


def machine(state):
    memory = first_match(r"^MemTotal:\s+(\d+)", "/proc/meminfo")
    return {
        "date": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d %H:%M UTC"),
        "machine": "%s, %d cores, %.0f GB, Linux %s, %s" % (first_match(r"^model name\s*: (.*)$", "/proc/cpuinfo"), os.cpu_count(),
                                                            int(memory) / 1048576, platform.release(), platform.machine()),
        "disk": output("stat", "--file-system", "--format=%T", state),
    }


def program(binary, profile):
    commit = output("git", "describe", "--always", "--dirty", cwd=REPOSITORY)
    return {
        "program": "%s, commit %s" % (output(binary, "--version"), commit),
        "profile": profile or os.path.basename(os.path.dirname(binary)),
        "size_mb": round(os.path.getsize(binary) / 1e6, 1),
        "rustc": output("rustc", "--version"),
        "tools": ", ".join(x.splitlines()[0] for x in (output("git", "--version"), output("rg", "--version")) if x != "unknown"),
    }


def commits(state):
    """Measures durable commits of the floor on the disk of the state folder."""
    store = os.path.join(state, "commits.redb")
    if os.path.exists(store):
        os.unlink(store)
    programs = os.environ.get("FLOOR_DIR", os.path.join(FLOOR, "target", "release"))
    times = sorted(map(float, output(os.path.join(programs, "floor-commit"), store, str(COMMITS)).split()))
    os.unlink(store)
    return {"commit_p50_ms": statistics.median(times), "commit_p99_ms": times[int(len(times) * 0.99)]}


def reasons(path):
    found = {}
    with open(path) as file:
        for number, line in enumerate(file, 1):
            key, tab, reason = line.rstrip("\n").partition("\t")
            if not tab or key not in {row.key for row in ROWS}:
                sys.exit("%s:%d: expected the key of a row of rows.py, a tab and the reason" % (path, number))
            found[key] = reason
    return found


def written(results, facts, known):
    """Returns the page, and the rows that need a reason and have none."""
    peers = [peer for peer in results.peers() if peer not in (PRODUCT, "floor")]
    lines, explained, unexplained = [], [], []
    for row in ROWS:
        ratio = ratio_of(results, row)
        lines.append([row.label, results.cell(PRODUCT, row), results.cell("floor", row) if row.floor else "",
                      "%.1f" % ratio if ratio else ""] + [results.cell(peer, row) for peer in peers])
        if ratio and ratio > MOST:
            explained.append("- **%s** (%.1f): %s\n" % (row.label, ratio, known.get(row.key, "not explained yet.")))
            if row.key not in known:
                unexplained.append(row)
    lines.append(["load of other programs, cores", results.foreign(PRODUCT), results.foreign("floor"), ""]
                 + [results.foreign(peer) for peer in peers])
    facts_table = [["date", facts["date"]], ["machine", facts["machine"]], ["file system", facts["disk"]],
                   ["program", "%s, profile `%s`, %s MB" % (facts["program"], facts["profile"], facts["size_mb"])],
                   ["compiler", facts["rustc"]], ["floor", results.versions.get("floor", "-")], ["tools", facts["tools"]],
                   ["repetitions", "few (`--quick`)" if facts.get("quick") else "the default"]]
    page = PAGE % {
        "facts": table(["", ""], facts_table + [[peer, results.versions[peer]] for peer in peers]),
        "figures": table(["", "Benchdog", "floor", "ratio"] + peers, lines),
        "p50": facts["commit_p50_ms"],
        "p99": facts["commit_p99_ms"],
        "errors": "".join("- failed: %s\n" % e for e in results.errors) + "\n" * bool(results.errors),
        "reasons": "".join(explained) or "None.\n",
    }
    return page, unexplained


def ratio_of(results, row):
    if not row.floor:
        return None
    product, floor = results.median(PRODUCT, row), results.median("floor", row)
    return product / floor if product is not None and floor else None


PAGE = """# Performance

This page compares Benchdog with its *floor*: minimal programs that do the same work. Both were measured in the same run on the same machine.
`just performance` writes this page. [How it is measured](../benches/agents/README.md), [what the floor does](../benches/floor/README.md).

%(facts)s
## Figures

Median [minimum-maximum]. Lower is better. The goal is at most twice the floor.

%(figures)s
One durable commit of 1 KiB (redb, `fdatasync`) takes %(p50).2f ms at the median and %(p99).2f ms at the 99th percentile on this disk.

%(errors)s## Rows over twice the floor

%(reasons)s"""


if __name__ == "__main__":
    main()
