"""Rows of the tables, and the results of tui_bench.py as columns."""
import collections
import json
import statistics

# `floor`: the floor program does the same work, so that a ratio says something.
Row = collections.namedtuple("Row", "label what key digits floor")

ROWS = [
    Row("install size, MB", "meta", "install_mb", 0, False),
    Row("first frame, ms", "startup", "first_frame_ms", 1, True),
    Row("typed character echoed, ms", "startup", "input_ready_ms", 1, True),
    Row("session ready, ms", "startup", "session_ready_ms", 1, True),
    Row("hasty first request at the server, ms", "first", "first_request_ms", 0, False),
    Row("startup CPU, s", "startup", "start_cpu_s", 2, False),
    Row("idle RSS, MB", "idle", "idle_rss_mb", 1, False),
    Row("idle PSS, MB", "idle", "idle_pss_mb", 1, True),
    Row("idle CPU, %", "idle", "idle_cpu_pct", 1, False),
    Row("processes", "idle", "procs", 0, False),
    Row("key echo p50, ms", "idle", "key_p50_ms", 2, True),
    Row("key echo p99, ms", "idle", "key_p99_ms", 2, True),
    Row("CPU per key, ms", "idle", "key_cpu_ms_each", 3, True),
    Row("Enter to request p50, ms", "ttft", "enter_to_request_p50_ms", 1, True),
    Row("chunk to screen (its line continues) p50, ms", "ttft", "tok_inline_p50_ms", 2, True),
    Row("chunk to screen (it ends its line) p50, ms", "ttft", "tok_line_p50_ms", 2, True),
    Row("first request, KB", "ttft", "first_request_bytes", 1, False),
    Row("5,000 chunks: wall time, s", "plain", "plain_wall_s", 3, True),
    Row("5,000 chunks: CPU, s", "plain", "plain_cpu_s", 2, False),
    Row("5,000 chunks: written to the terminal, KB", "plain", "plain_tty_kb", 0, False),
    Row("20,000 Markdown chunks: wall time, s", "md", "md_wall_s", 3, False),
    Row("20,000 Markdown chunks: CPU, s", "md", "md_cpu_s", 2, False),
    Row("20,000 Markdown chunks: written to the terminal, KB", "md", "md_tty_kb", 0, False),
    Row("20,000 Markdown chunks: peak RSS, MB", "md", "md_peak_rss_mb", 0, False),
    Row("tool round trip p50, ms", "tools", "tool_rt_p50_ms", 2, True),
    Row("tool round trip max, ms", "tools", "tool_rt_max_ms", 1, False),
    Row("loop of 20 tools: CPU, s", "tools", "tool_cpu_s", 2, False),
    Row("search of 5,000 files: round trip p50, ms", "search", "search_rt_p50_ms", 1, True),
    Row("without a screen: start to request, ms", "oneshot", "oneshot_request_ms", 1, True),
    Row("without a screen: start to exit, ms", "oneshot", "oneshot_exit_ms", 1, True),
    Row("without a screen: peak RSS, MB", "oneshot", "oneshot_peak_rss_mb", 1, False),
]


class Results:
    """The results of one file, by agent and measurement."""

    def __init__(self, path):
        self.versions = {}
        self.errors = []
        self._runs = collections.defaultdict(list)
        with open(path) as f:
            for line in f:
                self._add(json.loads(line))

    def _add(self, r):
        peer, what = r["peer"], r["what"]
        if what == "meta":
            self.versions[peer] = r["version"]
            self._runs[peer, what].append({"install_mb": r["install_mb"]})
            return
        self._runs[peer, what].append(r["res"])
        if "error" in r["res"]:
            self.errors.append("%s, %s: %s" % (peer, what, r["res"]["error"].splitlines()[0]))

    def peers(self):
        return list(self.versions)

    def values(self, peer, row):
        runs = list(self._runs[peer, row.what])
        if row.what == "startup":      # every session starts up
            runs += [r for (name, what), more in self._runs.items() if name == peer and what not in ("startup", "meta") for r in more]
        scale = 1024 if row.key.endswith("_bytes") else 1
        return [r[row.key] / scale for r in runs if r.get(row.key) is not None]

    def median(self, peer, row):
        v = self.values(peer, row)
        return statistics.median(v) if v else None

    def cell(self, peer, row):
        v = self.values(peer, row)
        if not v:
            return "-"
        text = "%.*f" % (row.digits, statistics.median(v))
        if len(v) < 2:
            return text
        return "%s [%.*f-%.*f]" % (text, row.digits, min(v), row.digits, max(v))

    def foreign(self, peer):
        """Returns the cores that other programs used, or None."""
        v = [r["foreign_cores"] for (name, _), runs in self._runs.items() if name == peer for r in runs if "foreign_cores" in r]
        return "%.2f [%.2f-%.2f]" % (statistics.median(v), min(v), max(v)) if v else "-"


def table(header, lines):
    """Returns a Markdown table."""
    return "".join("| %s |\n" % " | ".join(cells) for cells in [header, ["---"] * len(header)] + lines)
