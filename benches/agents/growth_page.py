"""The page of growth.py: its rows, their goals and notes."""
import collections
import json
import sys

from rows import table

# `growth` is the largest ratio: 2 for work that doubles, and about 1 for the cost of one screen. Times of a shared machine vary by
# a tenth, so `SLACK` is added. `limit` is the largest figure at 2N.
Row = collections.namedtuple("Row", "case key label digits growth limit")
WORK, FLAT, SLACK = 2.0, 1.0, 1.1


def rows(case, *lines):
    return [Row(case, *(line + (None,) * (5 - len(line)))) for line in lines]


ROWS = (
    rows("hours", ("rss_mb", "RSS, MB", 1, FLAT), ("private_mb", "private memory, MB", 1, FLAT), ("turn_ms", "turn p50, ms", 1, FLAT), ("turn_p95_ms", "turn p95, ms", 1, FLAT),
         ("idle_percent", "idle CPU, %", 1))
    + rows("day", ("private_mb", "private memory, MB", 1, FLAT), ("peak_mb", "peak RSS, MB", 1, FLAT), ("turn_ms", "turn p50, ms", 1, FLAT),
           ("cpu_s", "CPU, s", 1, WORK))
    + rows("log", ("import_s", "import, s", 1, WORK), ("import_cpu_s", "CPU of the import, s", 1, WORK), ("import_peak_mb", "peak RSS of the import, MB", 1, FLAT),
           ("index_s", "first search, s", 2, WORK), ("index_cpu_s", "CPU of the first search, s", 2, WORK),
           ("index_peak_mb", "peak RSS of the first search, MB", 1, FLAT),
           ("open_ms", "start to the end of the conversation on screen, ms", 1, FLAT), ("open_private_mb", "private memory, MB", 1, FLAT),
           ("page_ms", "`PageUp` p50, ms", 2, FLAT), ("unfold_ms", "`o` on the folded turns to the first prompt, ms", 1, WORK),
           ("unfolded_private_mb", "private memory with all turns unfolded, MB", 1, WORK), ("old_page_ms", "`PageUp` p50 in old turns, ms", 2, FLAT),
           ("old_page_p95_ms", "`PageUp` p95 in old turns, ms", 2, FLAT), ("scrolled_private_mb", "private memory after 150 pages, MB", 1, WORK),
           ("request_ms", "Enter to request, ms", 1, FLAT),
           ("turn_private_mb", "private memory after another turn, MB", 1, FLAT))
    + rows("streams", ("chunk_ms", "chunk to screen p50, ms", 2, FLAT), ("chunk_p95_ms", "chunk to screen p95, ms", 2, WORK),
           ("cpu_percent", "CPU, % of a core", 1, WORK), ("private_mb", "private memory, MB", 1, WORK), ("more_mb", "the same without the empty workbench, MB", 1, WORK))
    + rows("files", ("first_frame_ms", "first frame, ms", 1, FLAT), ("session_ready_ms", "session ready, ms", 1, FLAT),
           ("indexed_ms", "start to a file in the list of `@`, ms", 0, WORK), ("start_cpu_s", "CPU until idle, s", 2, WORK),
           ("private_mb", "private memory with all files listed, MB", 1, WORK), ("mention_ms", "name after `@` to the list p50, ms", 1, WORK),
           ("mention_p95_ms", "name after `@` to the list p95, ms", 1, WORK), ("tree_ms", "folder of the tree opens, ms", 1, FLAT),
           ("filter_ms", "filter of the file tree, ms", 1, WORK), ("search_ms", "`grep` of all files: round trip, ms", 0, WORK),
           ("bash_ms", "`bash` round trip, ms", 1, WORK), ("write_ms", "`write` round trip, ms", 1, FLAT),
           ("used_private_mb", "private memory at the end, MB", 1, WORK), ("idle_percent", "idle CPU, %", 1))
    + rows("sessions", ("import_ms", "import of one more session, ms", 1, FLAT),
           ("adopt_s", "first list after an import of half of them, s", 1, WORK), ("index_s", "build of the search index, s", 1, WORK),
           ("index_cpu_s", "the same, CPU s", 1, WORK),
           ("index_gb_a_minute", "the same, GB a minute", 2), ("index_more_mb", "the same, more peak RSS, MB", 1, FLAT, 60),
           ("search_ms", "`sessions search` p50, ms", 1, WORK), ("search_p95_ms", "`sessions search` p95, ms", 1, WORK, 50),
           ("search_cpu_ms", "`sessions search` CPU, ms", 1, WORK),
           ("search_peak_mb", "`sessions search` peak RSS, MB", 1, WORK), ("live_ms", "`/search`, last key to last output p50, ms", 1, WORK),
           ("live_p95_ms", "`/search`, last key to last output p95, ms", 1, WORK, 50), ("live_more_mb", "`/search`, more private memory, MB", 1, WORK, 60),
           ("first_frame_ms", "first frame, ms", 1, FLAT), ("session_ready_ms", "session ready, ms", 1, FLAT),
           ("list_command_ms", "`sessions list`, ms", 1, WORK), ("list_ms", "`Ctrl+O` to the list, ms", 1, WORK),
           ("filter_ms", "filter of the list, ms", 1, WORK), ("list_private_mb", "private memory with the list, MB", 1, WORK))
    + rows("agents", ("agents_ms", "`benchdog agents` p50, ms", 1, WORK, 30), ("agents_p95_ms", "`benchdog agents` p95, ms", 1, WORK),
           ("agents_min_ms", "`benchdog agents` least, ms", 1, WORK),
           ("agents_cpu_ms", "`benchdog agents` CPU, ms", 1, WORK), ("agents_peak_mb", "`benchdog agents` peak RSS, MB", 1, FLAT),
           ("hosts_pss_mb", "PSS of all workbenches, MB", 0, WORK))
)


def read(path):
    """Returns the newest result of each case."""
    with open(path) as file:
        return {result["case"]: result for result in map(json.loads, file)}


def notes(path):
    found, known = {}, {"%s.%s" % (row.case, row.key) for row in ROWS}
    with open(path) as file:
        for number, line in enumerate(file, 1):
            key, tab, note = line.rstrip("\n").partition("\t")
            if not tab or key not in known:
                sys.exit("%s:%d: expected the case and the key of a row of growth.py, a tab and the note" % (path, number))
            found[key] = note
    return found


# Title and unit of each case, in the order of the page.
TITLES = {
    "hours": ("The hours of a day: 5,000 turns in one session", "h"),
    "day": ("A day in one session", "turns"),
    "log": ("A long session, with compactions", "MB"),
    "streams": ("Sessions that stream at once, 50 chunks a second each", "sessions"),
    "files": ("A workspace of many files", "files"),
    "sessions": ("Many sessions, 2 GB in 10,000", "sessions"),
    "agents": ("Detached workbenches, 8 in 50 at work", "workbenches"),
}


def written(results, known):
    """Returns the page, and the rows that miss their goal without a note."""
    parts, missed = [], []
    for case, (title, unit) in TITLES.items():
        if case not in results:
            continue
        sizes = list(results[case]["figures"])
        lines, explained = [], []
        for row in ROWS:
            pair = [results[case]["figures"][size].get(row.key) for size in sizes]
            if row.case != case or None in pair:
                continue
            ratio = pair[1] / pair[0] if pair[0] else None
            lines.append([row.label] + ["%.*f" % (row.digits, value) for value in pair]
                         + ["%.2f" % ratio if ratio is not None and row.growth else "", goal(row)])
            key = "%s.%s" % (case, row.key)
            if misses(row, pair[1], ratio) or key in known:
                explained.append("- **%s**: %s\n" % (row.label, known.get(key, "not explained yet.")))
            if misses(row, pair[1], ratio) and key not in known:
                missed.append(row)
        head = ["", *("%s %s" % (format(int(size), ","), unit) for size in sizes), "ratio", "goal"]
        parts.append("## %s\n\n%s\n%s%s" % (title, table(head, lines), "".join(explained), "\n" * bool(explained)))
    return PAGE % {"facts": facts_table(results), "parts": "".join(parts).rstrip("\n")}, missed


def goal(row):
    goals = ["ratio %g" % row.growth] if row.growth else []
    return ", ".join(goals + (["at most %g" % row.limit] if row.limit else []))


def misses(row, value, ratio):
    grows = row.growth and ratio is not None and ratio > row.growth * SLACK
    return grows or (row.limit is not None and value > row.limit)


def facts_table(results):
    """Returns the table of machine and program. Cases may have been measured on different days."""
    newest = max((result["facts"] for result in results.values()), key=lambda facts: facts["date"])
    busy = ", ".join("%s %.1f" % (case, result["busy_cores"]) for case, result in results.items() if case != "hours")
    quick = [case for case, result in results.items() if result["quick"]]
    lines = [["date", newest["date"]], ["machine", newest["machine"]], ["file system", newest["disk"]],
             ["program", "%s, profile `%s`, %s MB" % (newest["program"], newest["profile"], newest["size_mb"])],
             ["busy cores during the run, with all programs", busy]]
    lines += [["remark", remark] for remark in dict.fromkeys(result.get("remark") for result in results.values()) if remark]
    return table(["", ""], lines + ([["small sizes (`--quick`)", ", ".join(quick)]] if quick else []))


PAGE = """# Growth

The cost of long and large work, at a size and at twice that size, measured with the real program in a terminal.
`just growth` writes this page. [How it is measured](../benches/agents/README.md).

%(facts)s
Lower is better, except GB a minute. A ratio of 2 means that double work costs twice as much. A ratio of 1 means that the cost does not depend on the
size. A goal is missed if the ratio is over the goal by more than a tenth, or if the figure at the larger size is over its limit. Private memory has no
pages of files, so that other programs do not change it.

%(parts)s"""
