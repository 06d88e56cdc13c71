#!/usr/bin/env python3
"""Counts the instructions of the program in fixed scenarios, and compares them with benches/instructions.json.

    benches/instructions.py check [--binary FILE] [SCENARIO ...]
    benches/instructions.py write [--binary FILE] [SCENARIO ...]

Some scenarios run the program. Others are parts of it in benches/instructions.rs, which is built with `cargo bench`. Each runs
under valgrind's callgrind with a fresh home, until the two smallest counts agree, and the smallest is used. Only instructions of
the program's own file count: those of libc and of the dynamic linker depend on the machine.

`check` exits with 1 if a count is more than the tolerance above the stored one. A smaller count is reported and does not fail.
The default binary is target/release/benchdog. Counts of different profiles or compilers cannot be compared.
"""
import argparse
import csv
import ctypes
import json
import os
import platform
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
REPOSITORY = os.path.dirname(HERE)
STORED = os.path.join(HERE, "instructions.json")
sys.path.insert(0, os.path.join(HERE, "agents"))
from mock import Mock  # noqa: E402
from processes import thread_cpu_ms  # noqa: E402
from terminal import Term  # noqa: E402

# Runs of a scenario, and how near its two smallest counts must be.
FEWEST_RUNS, MOST_RUNS, AGREEMENT_PERCENT = 3, 8, 0.2
TOLERANCE_PERCENT = 3.0
SECONDS = 600
CALLGRIND = ["valgrind", "--tool=callgrind", "--fair-sched=yes", "--log-file=/dev/null"]


def launch(argv):
    """Runs a command whose processes cannot ask the kernel for their auxiliary vector.

    rustix reads the address of the vDSO there. Valgrind hides the vDSO in /proc/self/auxv and not in prctl, so the
    program would crash (rustix issue 1559). A seccomp filter lets this prctl fail, and rustix reads the file instead.
    """
    prctl = {"x86_64": 157, "aarch64": 167}[platform.machine()]
    load, jump_if_equal, give = 0x20, 0x15, 0x06
    number, first_argument = 0, 16
    get_auxv, allowed, invalid_argument = 0x41555856, 0x7FFF0000, 0x00050000 | 22
    steps = [(load, 0, 0, number), (jump_if_equal, 0, 3, prctl), (load, 0, 0, first_argument), (jump_if_equal, 0, 1, get_auxv),
             (give, 0, 0, invalid_argument), (give, 0, 0, allowed)]
    code = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *step) for step in steps))
    program = ctypes.create_string_buffer(struct.pack("HxxxxxxQ", len(steps), ctypes.addressof(code)))
    no_new_privileges, set_seccomp, filter_mode = 38, 22, 2
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(no_new_privileges, 1, 0, 0, 0) or libc.prctl(set_seccomp, filter_mode, program, 0, 0):
        sys.exit("The seccomp filter was rejected: " + os.strerror(ctypes.get_errno()))
    os.execvp(argv[0], argv)


class Place:
    """A home, a project and a mock server for one run."""

    def __init__(self, folder):
        self.home = os.path.join(folder, "home")
        self.project = os.path.join(folder, "project")
        work = os.path.join(folder, "mock")
        for path in (self.home, self.project, work):
            os.makedirs(path)
        self.mock = Mock(work, {"model": "mock-model", "context": 1000000, "scripts": {}})
        model = {"context": 1000000, "output": 32000}
        provider = {"api": "openai", "base_url": "http://127.0.0.1:%d/v1" % self.mock.port, "models": {"mock-model": model}}
        self.write("home", "config.jsonc", json.dumps({"model": "mock/mock-model", "provider": {"mock": provider}}))

    def write(self, root, name, text):
        with open(os.path.join(os.path.dirname(self.home), root, name), "w") as file:
            file.write(text)

    def environment(self):
        return {"PATH": os.environ["PATH"], "HOME": self.home, "BENCHDOG_HOME": self.home, "LANG": "C.UTF-8", "TERM": "xterm-256color"}

    def call(self, argv, **more):
        """Runs a command of the program to its end."""
        return subprocess.run(argv, cwd=self.project, env=self.environment(), check=True, timeout=SECONDS,
                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, **more)


class Scenario:
    """A command line and what is there before it runs.

    Turns with a model are no scenarios. Their counts differ by 2 to 5 % from run to run, because log entries that arrive together
    share a commit, and chunks that arrive together share a wake-up. The library scenarios of instructions.rs cover their parts.
    """
    arguments = []

    def prepare(self, place, binary):
        pass

    def run(self, place, argv):
        place.call(argv + self.arguments, stdin=subprocess.DEVNULL)


class Commands(Scenario):
    """The analysis of the 1,780 command lines in tests/data/shell*.tsv."""
    arguments = ["policy", "explain", "--stdin"]

    def run(self, place, argv):
        lines = []
        for name in ("shell.tsv", "shell_2.tsv", "shell_3.tsv"):
            with open(os.path.join(REPOSITORY, "tests", "data", name), newline="") as file:
                for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
                    lines.append(json.loads(row["command"]).replace("\n", " "))
        place.call(argv + self.arguments, input="".join(line + "\n" for line in lines).encode())


def session_id(seed):
    return "01a2267a3eae702ba46f3df837d7%04x" % seed


def session(turns, seed):
    """Returns a session in the format of `sessions export`."""
    entries = []
    for turn in range(1, turns + 1):
        stamp = {"turn": turn, "time": 1795941875382 + turn}
        word = "subject%d" % ((turn * 7919 + seed) % 997)
        text = ("## Section %d\n\nThis is **bold** text with `inline code` about %s.\n\n- first item\n- second item\n\n"
                "```python\ndef f%d(x):\n    return [i * %d for i in range(x)]\n```\n" % (turn, word, turn, turn))
        usage = {"prompt": 1400, "completion": 60, "total": 1460}
        entries.append({"v": 1, **stamp, "kind": "user", "text": "Explain %s, please." % word})
        entries.append({"v": 1, **stamp, "kind": "assistant", "text": text, "model": MODEL, "usage": usage})
        entries.append({"v": 1, **stamp, "kind": "turn_ended", "outcome": "done", "steps": 1, "usage": usage})
    head = {"id": session_id(seed), "title": "Session %d" % seed, "workspace": "/nowhere",
            "created": 1795941875374, "updated": 1795941875399, "model": MODEL, "agent": "build", "entries": len(entries)}
    lines = [{"session": head}] + [dict(entry, id=number) for number, entry in enumerate(entries, 1)]
    return "".join(json.dumps(line) + "\n" for line in lines)


MODEL = {"provider": "mock", "id": "mock-model"}


class Search(Scenario):
    """A search in 20 sessions of 100 turns that are not in the index yet."""
    arguments = ["sessions", "search", "subject42"]

    def prepare(self, place, binary):
        for seed in range(20):
            place.write("project", "session.jsonl", session(100, seed))
            place.call([binary, "sessions", "import", "session.jsonl"])


class Import(Scenario):
    """The import of a session of 1,000 turns: parsing, log, index."""
    arguments = ["sessions", "import", "session.jsonl"]

    def prepare(self, place, binary):
        place.write("project", "session.jsonl", session(1000, 1))


class Export(Import):
    """The same session as a page of HTML: log, redaction, Markdown."""
    arguments = ["sessions", "export", session_id(1), "--format", "html"]

    def prepare(self, place, binary):
        super().prepare(place, binary)
        place.call([binary] + Import.arguments)


class Screen(Export):
    """The full screen opens a session of 2,000 prompts and answers, and scrolls 60 pages up."""

    def run(self, place, argv):
        term = Term(argv + ["--resume", session_id(1)], place.environment(), place.project, "instructions-%d" % os.getpid())
        try:
            expect(term, lambda screen: "i * 1000 " in screen.text())
            rest(term)
            for _ in range(60):
                before = term.screen.text()
                term.write("\x1b[5~")
                expect(term, lambda screen: screen.text() != before)
                rest(term)
            term.write("\x03")
            rest(term)
            term.write("\x03")
            end = time.monotonic() + 60
            while not term.closed and time.monotonic() < end:
                term.read(0.1)
            assert term.closed, "the program did not end:\n" + term.screen.text()
            os.waitpid(term.pid, 0)
        finally:
            term.kill()


def rest(term):
    """Waits until the program uses no CPU for a while. On a busy machine it may be silent and not done."""
    end = time.monotonic() + 120
    before = None
    while time.monotonic() < end:
        term.sleep(0.3)
        now = thread_cpu_ms([term.pid])
        if now == before:
            return
        before = now
    raise AssertionError("the program is never idle")


def expect(term, condition):
    assert term.until(condition, 120), "not seen:\n" + term.screen.text()


class Library(Scenario):
    """A part of the program that runs alone, in benches/instructions.rs."""

    def __init__(self, name):
        self.arguments = [name]


SCENARIOS = {"stream": Library("stream"), "diff": Library("diff"), "commands": Commands(), "search": Search(), "import": Import(),
             "export": Export(), "screen": Screen()}


def count(scenario, binary):
    folder = tempfile.mkdtemp(prefix="instructions-")
    place = Place(folder)
    profile = os.path.join(folder, "callgrind.out")
    try:
        scenario.prepare(place, binary)
        scenario.run(place, [sys.executable, os.path.abspath(__file__), "launch", *CALLGRIND, "--callgrind-out-file=" + profile, binary])
        return own_instructions(profile, binary)
    finally:
        place.mock.stop()
        shutil.rmtree(folder, ignore_errors=True)


def counts(scenario, binary):
    """Returns the counts of all runs in ascending order."""
    runs = []
    while len(runs) < FEWEST_RUNS or (len(runs) < MOST_RUNS and runs[1] > runs[0] * (1 + AGREEMENT_PERCENT / 100)):
        runs = sorted(runs + [count(scenario, binary)])
    return runs


def own_instructions(profile, binary):
    """Returns the instructions of the functions of the binary, from a file of callgrind."""
    names, here, is_call, total = {}, None, False, 0
    with open(profile) as file:
        for line in file:
            match = re.match(r"c?ob=\((\d+)\)(?: (.*))?$", line)
            if match:
                number, name = match.groups()
                if name:
                    names[number] = name
                if line.startswith("ob="):
                    here = names[number]
            elif line.startswith("calls="):
                is_call = True
            elif line[0] in "0123456789+-*":
                # The line after `calls=` has the inclusive cost of the callee.
                if not is_call and here == binary:
                    total += int(line.split()[1])
                is_call = False
    assert total, "callgrind has counted nothing of " + binary
    return total


def built_library():
    """Builds benches/instructions.rs. Returns its binary."""
    command = ["cargo", "bench", "--locked", "--bench", "instructions", "--no-run", "--message-format=json"]
    built = subprocess.run(command, cwd=REPOSITORY, stdout=subprocess.PIPE, text=True, check=True)
    messages = (json.loads(line) for line in built.stdout.splitlines())
    found = [m["executable"] for m in messages if m.get("target", {}).get("name") == "instructions" and m.get("executable")]
    return found[-1]


def output(*argv):
    try:
        return subprocess.run(argv, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return "unknown"


def surroundings(binary):
    """Returns what a count depends on, apart from the code."""
    return {"machine": platform.machine(), "profile": os.path.basename(os.path.dirname(binary)), "rustc": output("rustc", "--version"),
            "valgrind": output("valgrind", "--version"), "libc": " ".join(platform.libc_ver())}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", choices=["check", "write"])
    parser.add_argument("scenarios", nargs="*", metavar="SCENARIO", help=", ".join(SCENARIOS))
    parser.add_argument("--binary", default=os.path.join(REPOSITORY, "target", "release", "benchdog"))
    parser.add_argument("--library", help="the binary of benches/instructions.rs (default: build it)")
    parser.add_argument("--profile", help="the name of the build profile, if the folder of the binary does not have it")
    given = parser.parse_intermixed_args()
    for name in given.scenarios:
        if name not in SCENARIOS:
            parser.error("There is no scenario `%s`. Use one of: %s." % (name, ", ".join(SCENARIOS)))
    if not shutil.which("valgrind"):
        sys.exit("valgrind is not installed. Install it, for example with `apt-get install valgrind`.")
    binary = os.path.realpath(given.binary)
    if not os.path.exists(binary):
        sys.exit("%s does not exist. Run `cargo build --release` first, or use --binary." % binary)
    stored = {"tolerance_percent": TOLERANCE_PERCENT, "counts": {}}
    if os.path.exists(STORED):
        with open(STORED) as file:
            stored = json.load(file)
    here = surroundings(binary)
    if given.profile:
        here["profile"] = given.profile
    for key, value in here.items():
        if given.command == "check" and stored.get("measured_with", here).get(key) != value:
            print("note: %s is %s, and the stored counts are of %s" % (key, value, stored["measured_with"].get(key)))
    grown = False
    names = given.scenarios or list(SCENARIOS)
    library = given.library or (built_library() if any(isinstance(SCENARIOS[name], Library) for name in names) else None)
    for name in names:
        runs = counts(SCENARIOS[name], os.path.realpath(library) if isinstance(SCENARIOS[name], Library) else binary)
        least = runs[0]
        line = "%-10s %15s  %d runs, spread %.2f %%" % (name, format(least, ","), len(runs), 100 * (runs[-1] / least - 1))
        before = stored["counts"].get(name)
        if before:
            change = 100 * (least / before - 1)
            line += "  %+.2f %%" % change
            if change > stored["tolerance_percent"]:
                grown = True
                line += "  GROWN: at most %.1f %% is allowed" % stored["tolerance_percent"]
            elif change < -stored["tolerance_percent"]:
                line += "  smaller: store it with `benches/instructions.py write`"
        elif given.command == "check":
            line += "  not stored"
        print(line, flush=True)
        stored["counts"][name] = least
    if given.command == "write":
        stored["measured_with"] = here
        with open(STORED, "w") as file:
            json.dump(stored, file, indent=2)
            file.write("\n")
    elif grown:
        sys.exit(1)


if __name__ == "__main__":
    if sys.argv[1:2] == ["launch"]:
        launch(sys.argv[2:])
    main()
