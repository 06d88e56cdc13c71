#!/usr/bin/env python3
"""Side-by-side benchmark of full-screen terminal coding agents (Linux, standard library only).

Starts each agent in a pseudo-terminal against mock_openai.py and measures startup, idle cost, key echo, first token,
streaming, tool loops and install size. See README.md.
"""
import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import adapters  # noqa: E402
import workload  # noqa: E402
from mock import Mock  # noqa: E402
from processes import busy_s, cpu_s, disk_mb, mem_mb, thread_cpu_ms, wait_until_quiet  # noqa: E402
from terminal import Term, now  # noqa: E402

# Repetitions of each measurement. The order is the order of the run.
RUNS = {"startup": 5, "first": 3, "idle": 3, "ttft": 3, "plain": 3, "md": 3, "tools": 3, "search": 3, "oneshot": 10}
# Streams that are as fast as the socket. Their output is parsed when the last token was sent.
BURSTS = ("plain", "md")


class Fail(Exception):
    pass


class Unsupported(Fail):
    """The agent or its adapter cannot do what is measured. It is not tried again."""


class Session:
    """One process of one agent, from its start to its end."""
    n = 0

    def __init__(self, b, peer, proj):
        Session.n += 1
        self.b, self.peer = b, peer
        self.typed = 0
        b.mock.mark()
        argv, env = peer.command(b.mock.port, b.home, proj)
        if b.a.gate_s > 0:
            wait_until_quiet(b.a.gate_s, b.a.gate_share)
        self.busy0, self.self0, self.t0 = busy_s(), time.process_time(), time.monotonic()
        self.mock0 = cpu_s([b.mock.proc.pid])
        self.term = Term(argv, env, proj, "%d-%d" % (os.getpid(), Session.n))

    def foreign(self):
        """Returns the cores that other programs used during this session."""
        ours = cpu_s(self.term.tree()) + (time.process_time() - self.self0) + cpu_s([self.b.mock.proc.pid]) - self.mock0
        return max(0.0, (busy_s() - self.busy0 - ours) / max(1e-9, time.monotonic() - self.t0))

    def ready(self, limit=60.0, hasty=False):
        """Waits for the first frame and for the echo of the first key. A hasty user does not wait for the session."""
        t, scr = self.term, self.term.screen
        t_end = now() + int(limit * 1e9)
        while t.first_frame is None:
            if now() > t_end or t.closed:
                raise Fail("no first frame")
            t.read(0.005)
            t.parse()
        echo, sent, base = self.first_echo(t_end)
        out = {"first_frame_ms": (t.first_frame - t.t_exec) / 1e6, "input_ready_ms": (echo - t.t_exec) / 1e6, "probes": sent}
        if hasty:
            self.typed = scr.count("Z") - base
            return out
        if self.peer.ready_text:       # some draw an input box long before the session behind it exists
            full = t.until(lambda s: self.peer.ready_text in s.text(), 30)
            if full is None:
                raise Fail("no %r; screen:\n%s" % (self.peer.ready_text, scr.text()))
            out["session_ready_ms"] = (full - t.t_exec) / 1e6
        out["start_cpu_s"] = cpu_s(t.tree())
        t.settle(0.3, 2.0)
        self.typed = scr.count("Z") - base
        return out

    def first_echo(self, t_end):
        """Types until a key is echoed. Returns the time, the number of keys, and the Zs that were there before."""
        t, scr = self.term, self.term.screen
        sent, echo, base = 0, None, scr.count("Z")
        while echo is None:
            if now() > t_end or t.closed:
                raise Fail("no echo; screen:\n" + scr.text())
            if not t.echo_off():
                t.read(0.005)
                t.parse()
                continue
            if self.peer.startup_keys(t):
                base = scr.count("Z")
                t.sleep(0.1)
                continue
            base = scr.count("Z") if not sent else base
            t.write("Z")
            sent += 1
            echo = t.until(lambda s: s.count("Z") > base, self.peer.probe_gap)
        return echo, sent, base

    def clear_input(self):
        for _ in range(self.typed + 2):
            self.term.write("\x7f")
            self.term.sleep(0.03)
        self.term.settle(0.2, 1.0)

    def submit(self, text):
        """Types text and presses Enter, again if no request arrives. Returns the time of the last Enter."""
        self.term.type(text)
        self.term.sleep(0.35)
        k = self.b.mock.count()
        for _ in range(4):
            t = self.term.write(self.peer.submit)
            end = now() + int(4e9)
            while now() < end:
                self.term.read(0.01)
                if self.b.mock.count() > k:
                    return t
        self.term.parse()
        raise Fail("no request after Enter; screen:\n" + self.term.screen.text())

    def first_prompt(self):
        """A hasty user types a prompt as soon as keys echo, and presses Enter every 300 ms until a request is sent."""
        t, k, n = self.term, self.b.mock.prompts(), 0
        t.type("BENCH:hi go", 0.015)
        t.sleep(0.15)                     # no shorter: some take a fast Enter for part of a paste
        end = now() + int(60e9)
        while self.b.mock.prompts() == k:
            if now() > end or t.closed:
                raise Fail("no request; screen:\n" + t.screen.text())
            t.write(self.peer.submit)
            n += 1
            t.until(lambda s: self.b.mock.prompts() > k, 0.3, 0.01)
        t.until(lambda s: "the mock" in s.text(), 30)
        requests = self.b.requests_since(t.t_exec)
        main = [e for e in requests if e["kind"] == "main"]
        return {"first_request_ms": ((main or requests)[0]["t_ns"] - t.t_exec) / 1e6, "enters": n}

    def idle(self):
        t = self.term
        t.sleep(5.0)
        rss, pss, peak = mem_mb(t.tree())
        c0, n0, b0 = cpu_s(t.tree()), now(), t.bytes
        t.sleep(self.b.a.idle_s)
        pids = t.tree()
        dt = (now() - n0) / 1e9
        return {"idle_rss_mb": rss, "idle_pss_mb": pss, "peak_rss_mb": peak, "idle_cpu_pct": 100 * (cpu_s(pids) - c0) / dt,
                "idle_tty_bytes_s": (t.bytes - b0) / dt, "procs": len(pids)}

    def keys(self, n):
        t, scr = self.term, self.term.screen
        lat, miss = [], 0
        c0 = thread_cpu_ms(t.tree())
        for _ in range(n):
            t.sleep(0.04)
            base = scr.count("Z")
            t0 = now()
            t.write("Z")
            seen = t.until(lambda s: s.count("Z") > base, 2.0)
            if seen is None:
                miss += 1
            else:
                lat.append((seen - t0) / 1e6)
        cpu = thread_cpu_ms(t.tree()) - c0
        lat.sort()
        if not lat:
            raise Fail("no key echo")
        return {"key_p50_ms": statistics.median(lat), "key_p99_ms": lat[min(len(lat) - 1, int(len(lat) * 0.99))],
                "key_max_ms": lat[-1], "key_missed": miss, "key_cpu_ms_each": cpu / n, "_lat": [round(v, 3) for v in lat]}

    def wait_mark(self, mark, limit, burst=False):
        """Returns the time of the read that made the mark visible on the screen.

        The output of a burst is only collected until the mock has sent its last token. Then it is replayed.
        """
        t = self.term
        end = now() + int(limit * 1e9)
        while burst and now() < end and not t.closed and not self.b.mock.sent_all():
            t.read(0.02)
        while True:
            seen = t.parse(lambda s: mark in s.text())
            if seen is not None:
                return seen
            if now() > end or t.closed:
                raise Fail("mark %s not seen; screen:\n%s" % (mark, t.screen.text()))
            t.read(0.05)

    def turn(self, name, mark, limit):
        """Submits BENCH:name and waits for the mark. Returns the times of Enter and mark, and the events of the mock."""
        k = len(self.b.mock.events())
        self.b.mock.mark()
        t_sub = self.submit("BENCH:%s go" % name)
        visible = self.wait_mark(mark, limit, burst=name in BURSTS)
        return t_sub, visible, self.b.mock.events()[k:]


def main_requests(events, name):
    """Returns (request, first, last, end) of each request that selected the script."""
    times = {(e["ev"], e["id"]): e["t_ns"] for e in events}
    requests = [e for e in events if e["ev"] == "request" and e.get("script") == name]
    return [(e, times.get(("first", e["id"])), times.get(("last", e["id"])), times.get(("end", e["id"]))) for e in requests]


class Bench:
    """One agent with its home, its projects and its mock server."""

    def __init__(self, a, peer):
        self.a, self.peer = a, peer
        self.work = os.path.join(a.state, peer.name)
        shutil.rmtree(self.work, ignore_errors=True)
        self.home = os.path.join(self.work, "home")
        self.proj = os.path.join(self.work, "proj")
        self.large = os.path.join(self.work, "large")
        os.makedirs(self.home)
        workload.make_project(self.proj, a.tools)
        peer.proj = self.proj
        self.mock = Mock(self.work, workload.scenario(peer, a))
        peer.prepare(self.mock.port, self.home, self.proj)

    def requests_since(self, t_ns):
        return [e for e in self.mock.events() if e["ev"] == "request" and e["t_ns"] >= t_ns and e["method"] == "POST"]

    def measure(self, what):
        """Measures once. A failure is in the result under `error`."""
        try:
            return self.do_oneshot() if what == "oneshot" else self.measure_session(what)
        except Unsupported as e:
            return {"unsupported": str(e)}
        except Fail as e:
            return {"error": str(e)}

    def measure_session(self, what):
        proj = self.proj
        if what == "search":
            if not self.peer.search_call("x"):
                raise Unsupported("no search tool in this adapter")
            proj = self.large
            if not os.path.exists(proj):
                workload.make_large_project(proj)
        s = Session(self, self.peer, proj)
        out = {}
        try:
            out.update(s.ready(hasty=what == "first"))
            if what == "first":
                out.update(s.first_prompt())
            elif what == "idle":
                out.update(s.idle())
                out.update(s.keys(self.a.keys))
            elif what != "startup":
                s.clear_input()
                s.term.settle(0.3, 2.0)
                out.update(getattr(self, "do_" + what)(s))
            out["foreign_cores"] = s.foreign()
        except Unsupported:
            raise
        except Fail as e:
            out["error"] = str(e)
        finally:
            if self.a.keep_screen:
                s.term.parse()
                with open(os.path.join(self.work, "screen-%s.txt" % what), "w") as f:
                    f.write(s.term.screen.text())
            s.term.kill()
        return out

    def do_ttft(self, s):
        res, enter = {}, []
        # Each mark is new: one of an earlier turn may still be on the screen.
        for kind, mark, key in (("ttft", "TOK", "tok_inline_p50_ms"), ("ttfl", "PAR", "tok_line_p50_ms")):
            lat = []
            for i in range(self.a.turns):
                name = "%s%d" % (kind, i)
                t_sub, visible, events = s.turn(name, "FIRST%s%d" % (mark, i), 30)
                s.wait_mark("DONE%s%d" % (mark, i), 30)
                s.term.settle(0.4, 2.0)
                for request, first, _, _ in main_requests(events, name)[:1]:
                    lat.append((visible - first) / 1e6)
                    enter.append((request["t_ns"] - t_sub) / 1e6)
            res[key] = statistics.median(lat)
            res["_lat_%s" % kind] = [round(v, 2) for v in lat]
        res["enter_to_request_p50_ms"] = statistics.median(enter)
        res["_enter"] = [round(v, 2) for v in enter]
        requests = self.requests_since(s.term.t_exec)
        res["first_request_bytes"] = next((e["bytes"] for e in requests if e["kind"] == "main"), None)
        res["aux_requests"] = sum(1 for e in requests if e["kind"] == "aux")
        return res

    def do_plain(self, s):
        return self.stream(s, "plain")

    def do_md(self, s):
        return self.stream(s, "md")

    def stream(self, s, name):
        t = s.term
        t.settle(0.3, 1.0)
        c0, b0, f0 = cpu_s(t.tree()), t.bytes, t.screen.frames
        _, visible, events = s.turn(name, "ENDMARKQ", self.a.limit)
        c1 = cpu_s(t.tree())
        t.sleep(2.0)
        rss, _, peak = mem_mb(t.tree())
        _, first, last, _ = main_requests(events, name)[0]
        out = {"wall_s": (visible - first) / 1e9, "send_s": (last - first) / 1e9, "cpu_s": cpu_s(t.tree()) - c0,
               "cpu_at_visible_s": c1 - c0, "tty_kb": (t.bytes - b0) / 1024, "frames": t.screen.frames - f0,
               "rss_mb": rss, "peak_rss_mb": peak}
        return {"%s_%s" % (name, key): value for key, value in out.items()}

    def do_tools(self, s):
        if not self.peer.uses_tools:
            raise Unsupported("no tool calls in this agent")
        c0 = cpu_s(s.term.tree())
        gaps, last = self.round_trips(s, "tools", self.a.tools)
        return {"tool_rt_p50_ms": statistics.median(gaps), "tool_rt_max_ms": max(gaps), "tool_cpu_s": cpu_s(s.term.tree()) - c0,
                "tool_last_req_kb": last["bytes"] / 1024, "tool_ok": "lazy dog" in json.dumps(last["body"]),
                "_gaps": [round(g, 2) for g in gaps]}

    def do_search(self, s):
        gaps, last = self.round_trips(s, "search", workload.SEARCHES)
        found = json.dumps(last["body"]).count("needle_")
        if found < 10 * workload.SEARCHES:
            raise Fail("only %d lines were found" % found)
        return {"search_rt_p50_ms": statistics.median(gaps), "search_rt_max_ms": max(gaps), "_gaps": [round(g, 2) for g in gaps]}

    def round_trips(self, s, name, expected):
        """Returns the milliseconds from the end of each reply with a call to the next request, and the last request."""
        _, _, events = s.turn(name, "ENDMARKQ", self.a.limit)
        steps = {}
        for request, _, _, end in main_requests(events, name):
            steps.setdefault(request["step"], (request, end))     # side requests may repeat a step
        steps = list(steps.values())
        gaps = [(after["t_ns"] - end) / 1e6 for (_, end), (after, _) in zip(steps, steps[1:])]
        if len(gaps) < expected:
            raise Fail("only %d round trips" % len(gaps))
        return gaps, steps[-1][0]

    def do_oneshot(self):
        """A prompt without a screen: start to request, start to exit, and CPU."""
        found = self.peer.one_shot(self.mock.port, self.home, self.proj, "BENCH:hi go")
        if not found:
            raise Unsupported("no mode without a screen in this adapter")
        argv, env = found
        started = now()
        child = subprocess.Popen(argv, env=env, cwd=self.proj, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        output = child.stdout.read()
        _, status, usage = os.wait4(child.pid, 0)
        ended = now()
        child.returncode = os.waitstatus_to_exitcode(status)
        errors = child.stderr.read().decode("utf-8", "replace")
        child.stdout.close()
        child.stderr.close()
        main = [e for e in self.requests_since(started) if e["kind"] == "main"]
        if status or not main or b"from the mock" not in output:
            raise Fail("exit status %d, %d requests: %s" % (child.returncode, len(main), errors.strip()))
        return {"oneshot_request_ms": (main[0]["t_ns"] - started) / 1e6, "oneshot_exit_ms": (ended - started) / 1e6,
                "oneshot_cpu_ms": 1000 * (usage.ru_utime + usage.ru_stime), "oneshot_peak_rss_mb": usage.ru_maxrss / 1024}


def summary(runs):
    """Returns the lines of a measurement: each figure with its median, minimum and maximum."""
    keys = list(dict.fromkeys(k for r in runs for k in r if not k.startswith("_")))
    for k in keys:
        v = [r[k] for r in runs if isinstance(r.get(k), (int, float)) and not isinstance(r[k], bool)]
        if v:
            yield "%-26s median %.2f, %.2f to %.2f, n %d" % (k, statistics.median(v), min(v), max(v), len(v))
    for r in runs:
        for problem in ("unsupported", "error"):
            if problem in r:
                yield "%s: %s" % (problem, r[problem].splitlines()[0])


def arguments():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("peers", nargs="+", help="adapter names (see adapters.py), or 'list'")
    p.add_argument("--peers-dir", default=os.environ.get("PEERS_DIR", os.path.expanduser("~/peers")))
    p.add_argument("--state", default=os.environ.get("BENCH_STATE", os.path.expanduser("~/.cache/tui-bench")))
    p.add_argument("--out", default="results.jsonl", help="one JSON line per run is appended")
    p.add_argument("--what", default=",".join(RUNS))
    p.add_argument("--runs", default="", help="such as startup=5,idle=3")
    p.add_argument("--tools", type=int, default=20)
    p.add_argument("--plain", type=int, default=5000)
    p.add_argument("--md", type=int, default=20000)
    p.add_argument("--keys", type=int, default=200)
    p.add_argument("--turns", type=int, default=5)
    p.add_argument("--idle-s", type=float, default=10.0)
    p.add_argument("--limit", type=float, default=180.0)
    p.add_argument("--gate-s", type=float, default=20.0, help="wait up to this long for a quiet machine before a run")
    p.add_argument("--gate-share", type=float, default=0.15, help="quiet means at most this many busy cores")
    p.add_argument("--nice", type=int, default=0, help="such as -15 as root, against other load")
    p.add_argument("--keep-screen", action="store_true")
    p.add_argument("--show", default="", help="run BENCH:<script> once (or 'none'), print the screen and the requests, and exit")
    return p


def main():
    sys.setswitchinterval(0.0005)
    a = arguments().parse_args()
    if a.nice:
        try:
            os.nice(a.nice)
        except OSError as e:
            print("nice: %s" % e, file=sys.stderr)
    a.state = os.path.abspath(a.state)
    known = adapters.load(os.path.abspath(a.peers_dir))
    if a.peers == ["list"]:
        for name, peer in known.items():
            print("%-12s %s" % (name, "installed" if peer.installed() else "missing"))
        return
    unknown = [name for name in a.peers if name not in known]
    if unknown:
        sys.exit("There is no adapter %s. `tui_bench.py list` shows all." % ", ".join(unknown))
    for name in a.peers:
        if not known[name].installed():
            print("%s: not installed" % name, file=sys.stderr)
    peers = [known[name] for name in a.peers if known[name].installed()]
    if a.show:
        for peer in peers:
            show(a, peer)
        return
    repetitions = dict(RUNS, **{k: int(v) for k, v in (kv.split("=") for kv in a.runs.split(",") if kv)})
    measure_all(a, peers, [(what, repetitions[what]) for what in a.what.split(",")])


def measure_all(a, peers, plan):
    """Measures the agents in turns, so that a change of the machine meets all of them."""
    benches = []
    try:
        for peer in peers:
            benches.append(Bench(a, peer))
            record(a, {"peer": peer.name, "what": "meta", "version": peer.version(), "install_mb": disk_mb(peer.paths())})
            benches[-1].measure("startup")                # warm caches, first-run setup
        for what, repetitions in plan:
            results = {b: [] for b in benches}
            for run in range(repetitions):
                for b in benches:
                    if results[b] and "unsupported" in results[b][0]:
                        continue
                    results[b].append(b.measure(what))
                    record(a, {"peer": b.peer.name, "what": what, "run": run, "res": results[b][-1]})
            for b in benches:
                for line in summary(results[b]):
                    print("%-10s %-8s %s" % (b.peer.name, what, line), flush=True)
    finally:
        for b in benches:
            b.mock.stop()


def record(a, result):
    with open(a.out, "a") as f:
        f.write(json.dumps(result) + "\n")


def show(a, peer):
    """Runs one script and prints what an agent did, to write its adapter."""
    b = Bench(a, peer)
    s = Session(b, peer, b.proj)
    t = s.term
    try:
        try:
            print("ready:", s.ready(30))
            if a.show != "none":
                s.clear_input()
                s.submit("BENCH:%s go" % a.show)
                t.sleep(float(os.environ.get("SHOW_S", "8")))
        except Fail as e:
            print("failed:", str(e)[:200])
        t.settle(0.5, 3)
        print("\n".join("|" + x for x in t.screen.lines() if x.strip()))
        print("modes", sorted(t.screen.modes), "unknown", t.screen.unknown, "bytes", t.bytes, "frames", t.screen.frames)
        for e in b.mock.events():
            if e["ev"] == "request":
                print("request", e["id"], e["method"], e["path"], e["kind"], e.get("script"), e.get("step"), e["bytes"],
                      "tools:", tool_names(e["body"].get("tools") or []))
        for pid in t.tree():
            try:
                with open("/proc/%d/cmdline" % pid, "rb") as f:
                    print("process", pid, f.read().replace(b"\0", b" ").decode()[:140], "rss %.0f MB" % mem_mb([pid])[0])
            except OSError:
                pass
    finally:
        t.kill()
        b.mock.stop()


def tool_names(tools):
    return [x.get("name") or (x.get("function") or {}).get("name") or [y["name"] for y in x.get("functionDeclarations", [])]
            or x.get("type") for x in tools if isinstance(x, dict)]


if __name__ == "__main__":
    main()
