"""Processes of an agent and what they cost: CPU time and memory, from /proc."""
import os
import re
import time

TICK = os.sysconf("SC_CLK_TCK")
PAGE = os.sysconf("SC_PAGE_SIZE")


def _stat(pid):
    """Returns the parent, the CPU ticks of the process, and those of its ended children."""
    with open("/proc/%d/stat" % pid) as f:
        s = f.read()
    r = s[s.rindex(")") + 2:].split()
    return int(r[1]), int(r[11]) + int(r[12]), int(r[13]) + int(r[14])


def tree(root, tag):
    """Returns the pids of the descendants of root, and of processes with the tag in their environment (daemons)."""
    kids, alive = {}, []
    for d in os.listdir("/proc"):
        if d.isdigit():
            try:
                kids.setdefault(_stat(int(d))[0], []).append(int(d))
                alive.append(int(d))
            except (OSError, ValueError):
                pass
    out, todo = set(), [root]
    while todo:
        p = todo.pop()
        if p in alive and p not in out:
            out.add(p)
            todo += kids.get(p, [])
    for p in alive:
        if p not in out:
            try:
                with open("/proc/%d/environ" % p, "rb") as f:
                    if tag in f.read():
                        out.add(p)
            except OSError:
                pass
    return sorted(out)


def cpu_s(pids):
    """Returns the CPU seconds of processes and of their ended children, in steps of a clock tick."""
    t = 0
    for p in pids:
        try:
            _, own, ended = _stat(p)
            t += own + ended
        except OSError:
            pass
    return t / TICK


def thread_cpu_ms(pids):
    """Returns the CPU milliseconds of the threads that are alive, in nanosecond steps.

    A clock tick is too coarse for single keys. Without scheduler statistics, ticks are used.
    """
    t = 0
    for p in pids:
        try:
            for thread in os.listdir("/proc/%d/task" % p):
                with open("/proc/%d/task/%s/schedstat" % (p, thread)) as f:
                    t += int(f.read().split()[0])
        except FileNotFoundError:
            if not os.path.exists("/proc/self/schedstat"):
                return 1000 * cpu_s(pids)
        except OSError:
            pass
    return t / 1e6


def mem_mb(pids):
    """Returns the RSS, the PSS and the peak RSS of processes, each as a sum in MiB."""
    rss = pss = peak = 0
    for p in pids:
        try:
            with open("/proc/%d/statm" % p) as f:
                rss += int(f.read().split()[1]) * PAGE
            with open("/proc/%d/smaps_rollup" % p) as f:
                m = re.search(r"^Pss:\s+(\d+)", f.read(), re.M)
                pss += int(m.group(1)) * 1024 if m else 0
            with open("/proc/%d/status" % p) as f:
                m = re.search(r"^VmHWM:\s+(\d+)", f.read(), re.M)
                peak += int(m.group(1)) * 1024 if m else 0
        except OSError:
            pass
    return rss / 1048576, pss / 1048576, peak / 1048576


def private_mb(pids):
    """Returns the memory of processes in MiB without pages of files. Unlike PSS, other processes of the same program do not change it."""
    total = 0
    for p in pids:
        try:
            with open("/proc/%d/smaps_rollup" % p) as f:
                m = re.search(r"^Pss_Anon:\s+(\d+)", f.read(), re.M)
            total += int(m.group(1)) * 1024 if m else 0
        except OSError:
            pass
    return total / 1048576


def busy_s():
    """Returns the CPU seconds of the whole machine without idle and I/O wait."""
    with open("/proc/stat") as f:
        v = [int(x) for x in f.readline().split()[1:]]
    return (v[0] + v[1] + v[2] + v[5] + v[6] + (v[7] if len(v) > 7 else 0)) / TICK


def wait_until_quiet(limit_s, cores):
    """Waits until at most so many cores are busy, or until the limit. Returns the busy cores last seen."""
    t_end = time.monotonic() + limit_s
    while True:
        b0, t0 = busy_s(), time.monotonic()
        time.sleep(1.0)
        busy = (busy_s() - b0) / (time.monotonic() - t0)
        if busy <= cores or time.monotonic() > t_end:
            return busy


def disk_mb(paths):
    """Returns the disk space of files and folders in MiB. A file with several names counts once."""
    total, seen = 0, set()
    for p in paths:
        files = [p] if os.path.isfile(p) else [os.path.join(root, f) for root, _, names in os.walk(p) for f in names]
        for f in files:
            st = os.stat(f) if f == p else os.lstat(f)
            if (st.st_dev, st.st_ino) not in seen:
                seen.add((st.st_dev, st.st_ino))
                total += st.st_blocks * 512
    return total / 1048576
