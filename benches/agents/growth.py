#!/usr/bin/env python3
"""Measures Benchdog with work of size N and 2N, and writes docs/growth.md.

    just growth                               # all cases, about an hour, 20 GB of disk
    just growth --quick                       # small sizes, to try the script
    just growth --cases day,sessions          # some cases; the others keep their earlier results

Each case runs the real binary in a pseudo-terminal against the mock server.
"""
import argparse
import collections
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import time
import types
from concurrent.futures import ThreadPoolExecutor

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import adapters  # noqa: E402
import growth_data  # noqa: E402
import growth_page  # noqa: E402
import performance  # noqa: E402
import workload  # noqa: E402
from mock import Mock  # noqa: E402
from processes import busy_s, cpu_s, mem_mb, private_mb  # noqa: E402
from terminal import now  # noqa: E402
from tui_bench import Fail, Session, main_requests  # noqa: E402

CTRL_O, CTRL_N, CTRL_U, CTRL_X, ESC = "\x0f", "\x0e", "\x15", "\x18", "\x1b"
PAGE_UP = "\x1b[5~"
STARTS = 5           # starts of the program. Their minimum counts, because other programs only make a start longer
ANSWERS = 16         # marks of answers. When one is used again, its earlier answer has left the screen
LAST = "THE-END-OF-THE-LOG"
FIRST = "THE-START-OF-THE-LOG"


# Starts a command from a small process, because the peak RSS of a command includes that of the process that started it.
PROBE = """
import os, sys, time
began = time.monotonic_ns()
pid = os.posix_spawn(sys.argv[2], sys.argv[2:], os.environ)
_, status, usage = os.wait4(pid, 0)
os.write(int(sys.argv[1]), b"%d %d %d" % (time.monotonic_ns() - began, usage.ru_maxrss, 1000 * (usage.ru_utime + usage.ru_stime)))
os._exit(os.waitstatus_to_exitcode(status))
"""


class Workbench(adapters.Benchdog):
    """Benchdog with arguments, and with a context window of a local model."""
    extra = ()

    def prepare(self, port, home, proj):
        super().prepare(port, home, proj)
        path = os.path.join(home, ".benchdog-home", "config.jsonc")
        with open(path) as file:
            text = file.read()
        self.write(path, text.replace("1000000", "131072"))

    def env(self, home, **more):
        return super().env(home, XDG_RUNTIME_DIR=os.path.join(home, "run"), **more)

    def command(self, port, home, proj):
        argv, env = super().command(port, home, proj)
        return argv + list(self.extra), env


class Place:
    """A home, a project and a mock server."""

    def __init__(self, a, name, scripts, files=20):
        self.work = os.path.join(a.state, name)
        shutil.rmtree(self.work, ignore_errors=True)
        self.a = types.SimpleNamespace(gate_s=0, gate_share=0)
        self.home, self.proj = os.path.join(self.work, "home"), os.path.join(self.work, "proj")
        os.makedirs(os.path.join(self.home, "run"), mode=0o700)
        self.peer = Workbench("")
        workload.make_project(self.proj, files)
        scripts.update(one=turn_with_call(self.peer, "The answer."))
        self.mock = Mock(self.work, {"model": "mock-model", "context": 131072, "log_bodies": False, "scripts": scripts})
        self.peer.prepare(self.mock.port, self.home, self.proj)

    def start(self, *arguments):
        self.peer.extra = arguments
        return Session(self, self.peer, self.proj)

    def open(self, *arguments):
        """Starts a workbench and waits until it is usable. Returns it and its times."""
        session = self.start(*arguments)
        times = session.ready()
        session.clear_input()
        return session, times

    def run(self, *arguments, code=(0,)):
        """Runs a command to its end. Returns its output, its milliseconds, its peak RSS in MB and its CPU milliseconds."""
        argv, env = self.peer.command(self.mock.port, self.home, self.proj)
        read, write = os.pipe()
        child = subprocess.Popen([sys.executable, "-S", "-E", "-c", PROBE, str(write)] + argv[:1] + list(arguments), env=env, cwd=self.proj,
                                 stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, pass_fds=[write])
        os.close(write)
        output = child.communicate()[0].decode("utf-8", "replace")
        with open(read) as file:
            took, peak, cpu = map(int, file.read().split())
        if child.returncode not in code:
            raise Fail("benchdog %s: exit code %d: %s" % (" ".join(arguments), child.returncode, output[-400:]))
        return output, took / 1e6, peak / 1024, cpu

    def log(self, text):
        """Returns a writer of logs that are like a session of this place."""
        self.run("run", "--quiet", "--approve", "all", "BENCH:one go")
        listed = json.loads(self.run("sessions", "list", "--format", "json")[0])
        exported, _, _, _ = self.run("sessions", "export", listed[0]["id"])
        return growth_data.Log(exported, text)

    def requests(self):
        return [e for e in self.mock.events() if e["ev"] == "request" and e["kind"] == "main"]

    def end(self):
        self.mock.stop()
        shutil.rmtree(self.work, ignore_errors=True)


def turn_with_call(peer, answer):
    name, arguments = peer.read_call("file_01.txt")
    return [{"chunks": ["I read the file first. "], "tool_calls": [{"name": name, "arguments": arguments}]}, {"chunks": [answer]}]


def paste(term, text):
    """Enters a prompt at once and sends it. Returns the time of Enter."""
    term.write("\x1b[200~%s\x1b[201~" % text)
    return term.write("\r")


def shown(term, text, limit=120):
    seen = term.until(lambda screen: text in screen.text(), limit)
    if seen is None:
        raise Fail("%r is not on the screen:\n%s" % (text, term.screen.text()))
    return seen


def milliseconds(term, keys, text, limit=120):
    """Presses keys and returns the milliseconds until a text is on the screen."""
    began = term.write(keys)
    return (shown(term, text, limit) - began) / 1e6


def percentile(values, share):
    values = sorted(values)
    return values[min(len(values) - 1, int(len(values) * share))]


def memory(session):
    """Returns the private memory in MB once the workbench is quiet."""
    session.term.settle(1.0, 10.0)
    return private_mb(session.term.tree())


def idle_percent(session, seconds):
    session.term.settle(1.0, 5.0)
    pids = session.term.tree()
    before, began = cpu_s(pids), time.monotonic()
    session.term.sleep(seconds)
    return 100 * (cpu_s(pids) - before) / (time.monotonic() - began)


def forget(term):
    """Drops the parsed output, so that the harness does not grow with the run."""
    with term.cond:
        del term.log[:term.parsed]
        term.parsed = 0
        term.seen = len(term.log)


# One day in one session ---------------------------------------------------------------------------------------------

def day_scripts(peer, text):
    scripts = {}
    for number in range(ANSWERS):
        call = {2: peer.read_call("file_%02d.txt" % number), 4: peer.search_call("line 1%d" % (number % 10)),
                5: ("write", {"path": "new_%02d.txt" % number, "content": text.lines(600)}),
                6: ("bash", {"command": "wc -l file_%02d.txt" % number})}.get(number % 8)
        calls = [{"tool_calls": [{"name": call[0], "arguments": call[1]}]}] if call else []
        chunks = [line + "\n\n" for line in text.lines(900).splitlines()]
        scripts["turn%02d" % number] = calls + [{"chunks": chunks + ["DONE-%02d." % number]}]
    return scripts


def measure_day(a, sizes):
    """One session with as many turns as a person may have in 24 hours. Its first half is the smaller size."""
    text, turns = growth_data.Text(), sizes[1]
    place = Place(a, "day", day_scripts(Workbench(""), text))
    hour = max(1, turns // 24)
    found, times, used, rss = {}, [], [], []
    session, _ = place.open("-a", "accept-edits")
    term = session.term
    cpu0, pids = cpu_s(term.tree()), term.tree()
    try:
        for turn in range(1, turns + 1):
            number = turn % ANSWERS
            began = paste(term, "BENCH:turn%02d %d %s" % (number, turn, text.random.choice(text.pool)))
            times.append((shown(term, "DONE-%02d." % number) - began) / 1e6)
            forget(term)
            if turn % max(1, hour // 20) == 0:
                used.append(private_mb(pids))
                rss.append(mem_mb(pids)[0])
            if turn in (turns // 12, turns // 2, turns):
                found[turn] = {"turn_ms": statistics.median(times[-hour:]), "turn_p95_ms": percentile(times[-hour:], 0.95),
                               "cpu_s": cpu_s(pids) - cpu0, "private_mb": max(used[-20:]), "rss_mb": max(rss[-20:]),
                               "peak_mb": mem_mb(pids)[2], "idle_percent": idle_percent(session, a.idle_s)}
    finally:
        term.kill()
        place.end()
    return {"day": {sizes[0]: found[turns // 2], sizes[1]: found[turns]}, "hours": {2: found[turns // 12], 24: found[turns]}}


# A long log ---------------------------------------------------------------------------------------------------------

def measure_log(a, sizes):
    """Opens a session of so many MB, scrolls in it, and goes on with it."""
    text, found = growth_data.Text(), {}
    for size in sizes:
        place = Place(a, "log", {})
        try:
            found[size] = measure_one_log(place, place.log(text), size)
        finally:
            place.end()
    return {"log": found}


def measure_one_log(place, log, size):
    path = os.path.join(place.work, "log.jsonl")
    log.write(path, size << 20, 32 << 10, first=FIRST, last=LAST, compact=True)
    _, took, peak, cpu = place.run("sessions", "import", path)
    os.unlink(path)
    figures = {"import_s": took / 1e3, "import_cpu_s": cpu / 1e3, "import_peak_mb": peak}
    listed = json.loads(place.run("sessions", "list", "--format", "json")[0])
    known = max(listed, key=lambda session: session["entries"])["id"]
    _, took, peak, cpu = place.run("sessions", "search", "nowhere", code=(1,))
    figures.update(index_s=took / 1e3, index_cpu_s=cpu / 1e3, index_peak_mb=peak)
    opened, sessions = [], []
    for _ in range(STARTS):
        session = place.start("-r", known)
        opened.append((shown(session.term, LAST) - session.term.t_exec) / 1e6)
        figures["open_private_mb"] = memory(session)
        if len(opened) < STARTS:
            session.term.kill()
    term = session.term
    try:
        figures["open_ms"] = min(opened)
        pages = [page_up(term) for _ in range(15)]
        figures["page_ms"] = statistics.median(pages)
        for keys in (ESC + "2", "g"):
            term.write(keys)
            term.settle(0.3, 3.0)
        # The turns before the last compaction are folded.
        figures["unfold_ms"] = milliseconds(term, "o", FIRST)
        figures["unfolded_private_mb"] = memory(session)
        term.write("G")
        term.settle(0.3, 3.0)
        pages = [page_up(term) for _ in range(150)]
        figures["old_page_ms"], figures["old_page_p95_ms"] = statistics.median(pages[50:]), percentile(pages[50:], 0.95)
        figures["scrolled_private_mb"] = memory(session)
        term.write(ESC + "3")
        term.sleep(0.5)
        requests = len(place.requests())
        began = paste(term, "BENCH:one go")
        shown(term, "The answer.")
        figures["request_ms"] = (place.requests()[requests]["t_ns"] - began) / 1e6
        figures["turn_private_mb"] = memory(session)
    finally:
        term.kill()
    return figures


def changed(term, keys, limit=20):
    """Presses keys and returns the milliseconds until the screen changes."""
    before = term.screen.text()
    began = term.write(keys)
    seen = term.until(lambda screen: screen.text() != before, limit)
    if seen is None:
        raise Fail("%r changes nothing:\n%s" % (keys, before))
    return (seen - began) / 1e6


def page_up(term):
    took = changed(term, PAGE_UP)
    term.settle(0.06, 0.5)
    return took


# Sessions that stream at once -----------------------------------------------------------------------------------------

STREAM_CHUNKS, STREAM_DELAY_MS, STREAM_WINDOW_S = 3000, 20, 15


def measure_streams(a, sizes):
    """So many sessions of one workbench stream at once, each 50 chunks a second."""
    text, found = growth_data.Text(), {}
    words = text.some_words(STREAM_CHUNKS)
    chunks = ["c%04d-%s%s" % (number, word, ".\n\n" if number % 60 == 59 else " ") for number, word in enumerate(words)]
    for size in sizes:
        place = Place(a, "streams", {"stream": [{"chunks": chunks, "delay_ms": STREAM_DELAY_MS, "log_chunks": True}]})
        session, _ = place.open()
        try:
            found[size] = measure_some_streams(place, session, size)
        finally:
            session.term.kill()
            place.end()
    return {"streams": found}


def measure_some_streams(place, session, size):
    term = session.term
    empty = memory(session)
    for number in range(size):
        if number:
            term.write(CTRL_X + "n")
            term.until(lambda screen: "c0" not in screen.text(), 10)
        paste(term, "BENCH:stream go %d" % number)
        shown(term, "c0000-")
    forget(term)
    cpu, began = cpu_s(term.tree()), now()
    end = began + STREAM_WINDOW_S * 10**9
    while now() < end:
        term.read(0.02)             # parsed later, because parsing would compete with the workbench
    cpu = cpu_s(term.tree()) - cpu
    used = private_mb(term.tree())
    last = max(request["id"] for request in place.requests())
    late = chunk_delays(term, place.mock.events(), last, began)
    return {"chunk_ms": statistics.median(late), "chunk_p95_ms": percentile(late, 0.95), "chunk_p99_ms": percentile(late, 0.99),
            "cpu_percent": 100 * cpu / STREAM_WINDOW_S, "private_mb": used, "more_mb": used - empty}


def chunk_delays(term, events, request, began):
    """Returns the milliseconds from the send of each chunk of a request to the read that shows it."""
    sent = {e["n"]: e["t_ns"] for e in events if e["ev"] == "chunk" and e["id"] == request and e["t_ns"] > began}
    waiting, delays = sorted(sent), []
    while term.parsed < len(term.log):
        read_ns = term.log[term.parsed][0]
        term.parse(lambda screen: True)
        seen = max(map(int, re.findall(r"c(\d{4})-", term.screen.text())), default=-1)
        while waiting and waiting[0] <= seen:
            delays.append((read_ns - sent[waiting.pop(0)]) / 1e6)
    return [delay for delay in delays if delay > 0]


# A workspace of many files --------------------------------------------------------------------------------------------

ONLY_ONCE = "only_once_in_all_files"


def measure_files(a, sizes):
    text, found = growth_data.Text(), {}
    # Equal calls would be stopped as a loop.
    searches = [Workbench("").search_call(ONLY_ONCE[number:]) for number in range(3)]
    commands = [("bash", {"command": "wc -%s README.md" % option}) for option in "lwc"]
    scripts = {"search": workload.calls(searches), "bash": workload.calls(commands),
               "write": workload.calls([("write", {"path": "new_%d.txt" % number, "content": "new\n"}) for number in range(3)])}
    for size in sizes:
        place = Place(a, "files", dict(scripts))
        place.proj = os.path.join(place.work, "many")
        try:
            growth_data.make_folder(place.proj, size, text, ONLY_ONCE)
            found[size] = measure_one_folder(place, size)
        finally:
            place.end()
    return {"files": found}


def measure_one_folder(place, size):
    starts = []
    for _ in range(3):
        session = place.start("-a", "accept-edits")
        starts.append(session.ready())
        session.term.kill()
    figures = {key: min(start[key] for start in starts) for key in ("first_frame_ms", "input_ready_ms", "session_ready_ms")}
    session = place.start("-a", "accept-edits")
    term = session.term
    try:
        session.ready()
        session.clear_input()
        name = "file_%07d" % (size // 3)
        term.write("@" + name)
        figures["indexed_ms"] = (shown(term, name + ".txt") - term.t_exec) / 1e6
        figures["mention_ms"], figures["mention_p95_ms"] = mention_times(term, size)
        term.settle(2.0, 60.0)
        figures["start_cpu_s"] = cpu_s(term.tree())
        figures["private_mb"] = memory(session)
        term.write(ESC + "1")
        term.settle(0.2, 2.0)
        term.write("g")
        term.settle(0.2, 2.0)
        figures["tree_ms"] = milliseconds(term, "l", "unit_00000")
        term.write("/")
        name = "file_%07d" % (size // 5)
        figures["filter_ms"] = milliseconds(term, name, name + ".")     # the tree may shorten the name
        term.write(ESC)
        term.sleep(0.5)
        term.write(ESC + "3")
        for script in ("search", "bash", "write"):
            _, _, events = session.turn(script, "ENDMARKQ", 600)
            figures[script + "_ms"] = round_trip(events, script)
            term.settle(0.5, 5.0)
            paste(term, "/new")
            shown(term, "Enter  send")
        figures["used_private_mb"] = memory(session)
        figures["idle_percent"] = idle_percent(session, 10)
    finally:
        term.kill()
    return figures


def mention_times(term, size):
    """Types file names after `@`. Returns the median and the 95th percentile to the file in the list."""
    times = []
    for number in range(30):
        name = "file_%07d" % (size * number // 31 + 7)
        term.write(CTRL_U)
        term.settle(0.2, 2.0)
        times.append(milliseconds(term, "@" + name, name + ".txt"))
    term.write(CTRL_U)
    return statistics.median(times), percentile(times, 0.95)


def round_trip(events, script):
    """Returns the least milliseconds from the end of a reply with a call to the next request."""
    steps = main_requests(events, script)
    gaps = [(after[0]["t_ns"] - before[3]) / 1e6 for before, after in zip(steps, steps[1:])]
    return min(gaps)


# Many sessions --------------------------------------------------------------------------------------------------------

SESSION_BYTES = 210_000
SEARCHES = 40
IMPORTS = 20         # imports that are measured, one after the other


def measure_sessions(a, sizes):
    """So many sessions on disk, 2 GB in 10,000 sessions."""
    text, found = growth_data.Text(), {}
    place = Place(a, "sessions", {})
    log, number, written, queries = place.log(text), 0, 0, text.queries(SEARCHES)
    try:
        for size in sizes:
            with ThreadPoolExecutor(4) as pool:
                for some in range(number, size - IMPORTS, 100):
                    paths = [os.path.join(place.work, "log_%d.jsonl" % minute) for minute in range(some, min(some + 100, size - IMPORTS))]
                    written += sum(log.write(path, SESSION_BYTES, 4000, first=growth_data.rare(some + at), minute=some + at)
                                   for at, path in enumerate(paths))
                    list(pool.map(lambda path: place.run("sessions", "import", path), paths))
                    for path in paths:
                        os.unlink(path)
            times = []
            for number in range(size - IMPORTS, size):
                written += log.write(path, SESSION_BYTES, 4000, first=growth_data.rare(number), minute=number)
                times.append(place.run("sessions", "import", path)[1])
            number = size
            # The first list after an import reads the new files.
            found[size] = {"import_ms": statistics.median(times), "adopt_s": place.run("sessions", "list")[1] / 1e3}
            found[size].update(measure_search(place, written, queries))
            found[size].update(measure_list(place, size))
            found[size].update(measure_live_search(place, queries))
    finally:
        place.end()
    return {"sessions": found}


def measure_search(place, written, queries):
    shutil.rmtree(os.path.join(place.home, ".benchdog-home", "cache", "search"), ignore_errors=True)
    _, built, built_mb, cpu = place.run("sessions", "search", "nowhere", "--json", code=(0, 1))
    _, _, again_mb, _ = place.run("sessions", "search", "nowhere", "--json", code=(0, 1))
    runs = [min((place.run("sessions", "search", query, "--json", code=(0, 1)) for _ in range(3)), key=lambda run: run[1])
            for query in queries]
    times, peaks = [run[1] for run in runs], [run[2] for run in runs]
    hits = sum(1 for run in runs if run[0])
    return {"index_s": built / 1e3, "index_cpu_s": cpu / 1e3, "index_gb_a_minute": written / 1e9 / (built / 6e4), "index_more_mb": built_mb - again_mb,
            "search_ms": statistics.median(times), "search_p95_ms": percentile(times, 0.95),
            "search_cpu_ms": statistics.mean(run[3] for run in runs), "search_peak_mb": max(peaks), "search_hits": hits}


def measure_list(place, size):
    listed = min(place.run("sessions", "list", "--format", "json")[1] for _ in range(STARTS))
    starts, opened, filtered, used = [], [], [], 0
    newest, other = growth_data.rare(size - 1), growth_data.rare(size // 3)
    for _ in range(3):
        session, times = place.open()
        starts.append(times)
        try:
            opened.append(milliseconds(session.term, CTRL_O, newest))
            session.term.settle(0.3, 3.0)
            filtered.append(milliseconds(session.term, other[:-1], other))
            used = memory(session)
        finally:
            session.term.kill()
    return {"list_command_ms": listed, "first_frame_ms": min(start["first_frame_ms"] for start in starts),
            "session_ready_ms": min(start["session_ready_ms"] for start in starts), "list_ms": min(opened), "filter_ms": min(filtered),
            "list_private_mb": used}


def measure_live_search(place, queries):
    """Types words into the dialog of `/search`. Each time is that of the last output after the last key."""
    session, _ = place.open()
    term, times = session.term, []
    try:
        before = memory(session)
        term.type("/search")
        term.write("\r")
        term.settle(0.3, 3.0)
        for query in queries:
            term.write(CTRL_U)
            term.settle(0.2, 2.0)
            term.type(query[:-1])
            term.settle(0.5, 5.0)
            reads = len(term.log)
            began = term.write(query[-1])
            term.settle(0.5, 5.0)
            times.append((term.log[-1][0] - began) / 1e6 if len(term.log) > reads else 0.0)
        return {"live_ms": statistics.median(times), "live_p95_ms": percentile(times, 0.95), "live_more_mb": memory(session) - before}
    finally:
        term.kill()


# Detached workbenches -------------------------------------------------------------------------------------------------

def measure_agents(a, sizes):
    """`benchdog agents` with so many detached workbenches, of which 8 in 50 work."""
    found, sessions = {}, []
    slow = [{"chunks": ["w%d " % number for number in range(100_000)], "delay_ms": 200}]
    place = Place(a, "agents", {"slow": slow})
    try:
        for size in sizes:
            while len(sessions) < size:
                session, _ = place.open("--detached")
                paste(session.term, "BENCH:%s go" % ("slow" if len(sessions) % 25 in (3, 9, 15, 21) else "one"))
                shown(session.term, "w1 " if len(sessions) % 25 in (3, 9, 15, 21) else "The answer.")
                session.term.write(CTRL_X + "d")
                sessions.append(session)
            time.sleep(2)
            output, _, _, _ = place.run("agents", "--json")
            rows = [json.loads(line) for line in output.splitlines()]
            states = collections.Counter(row["state"] for row in rows)
            if len(rows) != size or states["working"] != size * 4 // 25:
                raise Fail("%d rows: %s" % (len(rows), states))
            runs = [place.run("agents", "--json") for _ in range(SEARCHES)]
            times = [run[1] for run in runs]
            pids = [row["pid"] for row in rows]
            found[size] = {"agents_ms": statistics.median(times), "agents_p95_ms": percentile(times, 0.95), "agents_min_ms": min(times),
                           "agents_cpu_ms": statistics.mean(run[3] for run in runs),
                           "agents_peak_mb": max(run[2] for run in runs), "hosts_pss_mb": mem_mb(pids)[1]}
    finally:
        for session in sessions:
            session.term.kill()
        place.end()
    return {"agents": found}


# The cases ------------------------------------------------------------------------------------------------------------

Case = collections.namedtuple("Case", "measure sizes quick")
CASES = {
    "day": Case(measure_day, (2500, 5000), (60, 120)),
    "log": Case(measure_log, (250, 500), (10, 20)),
    "streams": Case(measure_streams, (5, 10), (2, 4)),
    "files": Case(measure_files, (500_000, 1_000_000), (5000, 10_000)),
    "sessions": Case(measure_sessions, (5000, 10_000), (50, 100)),
    "agents": Case(measure_agents, (25, 50), (25, 50)),
}

def arguments():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--binary", help="the program (default: target/dist/benchdog, else target/release/benchdog)")
    p.add_argument("--cases", default=",".join(CASES), help="the cases to measure")
    p.add_argument("--state", default=os.environ.get("BENCH_STATE", os.path.expanduser("~/.cache/tui-bench")),
                   help="folder of homes and projects, on the disk that is measured")
    p.add_argument("--results", help="file of the results (default: growth.jsonl in the state folder)")
    p.add_argument("--notes", default=os.path.join(HERE, "growth_notes.tsv"))
    p.add_argument("--output", default=os.path.join(performance.REPOSITORY, "docs", "growth.md"))
    p.add_argument("--only-write", action="store_true", help="do not measure: use the results of an earlier run")
    p.add_argument("--quick", action="store_true", help="small sizes, to try the script")
    a = p.parse_args()
    a.state = os.path.abspath(a.state)
    a.results = a.results or os.path.join(a.state, "growth.jsonl")
    a.idle_s = 3 if a.quick else 20
    return a


def main():
    sys.setswitchinterval(0.0005)
    a = arguments()
    if not a.only_write:
        os.environ["BENCHDOG_BIN"] = performance.find_binary(a.binary)
        os.makedirs(a.state, exist_ok=True)
        for name in a.cases.split(","):
            record(a, name)
    page, missed = growth_page.written(growth_page.read(a.results), growth_page.notes(a.notes))
    with open(a.output, "w") as file:
        file.write(page)
    print("wrote %s" % os.path.relpath(a.output))
    for row in missed:
        print("`%s.%s` misses its goal. Add a line with `%s.%s`, a tab and the reason to %s, or make it faster."
              % (row.case, row.key, row.case, row.key, os.path.relpath(a.notes)), file=sys.stderr)
    sys.exit(1 if missed else 0)


def record(a, name):
    """Measures a case and appends its figures to the results."""
    case = CASES[name]
    busy, began = busy_s(), time.monotonic()
    facts = {**performance.machine(a.state), **performance.program(os.environ["BENCHDOG_BIN"], None)}
    found = case.measure(a, case.quick if a.quick else case.sizes)
    cores = (busy_s() - busy) / (time.monotonic() - began)
    with open(a.results, "a") as file:
        for group, figures in found.items():
            result = {"case": group, "figures": figures, "busy_cores": round(cores, 2), "quick": a.quick, "facts": facts}
            file.write(json.dumps(result) + "\n")
            for size, values in figures.items():
                print(group, size, " ".join("%s %.2f" % pair for pair in values.items()), flush=True)


if __name__ == "__main__":
    main()
