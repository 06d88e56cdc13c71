#!/usr/bin/env python3
"""What ten configured servers of tools cost a bench at rest, beside one without any: benches/ten_servers.py BINARY [RUNS].

Each run is a new process in a terminal of 120x40, in turns without and with the ten. Measured: start to the first letter on the screen, and after
five seconds the memory of the process tree (PSS), its processor time in five more, and what it wrote meanwhile. Nothing is asked of any
server: the difference is to be that of a longer configuration file. Standard library only; each server would be `sleep`.
"""
import fcntl
import json
import os
import pty
import re
import select
import shutil
import signal
import statistics
import struct
import sys
import tempfile
import termios
import time

STEERING = re.compile(rb"\x1b\[[0-9;?>=<]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[PX^_].*?\x1b\\|\x1b.|[\x00-\x20]", re.S)
TEN = {f"server{n}": {"command": ["sleep", "1000"], "environment": {"N": str(n)}} for n in range(10)}


def tree(root):
    found, parents = {root}, {}
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            parents[int(pid)] = int(open(f"/proc/{pid}/stat").read().rsplit(")", 1)[1].split()[1])
        except OSError:
            pass
    while more := {pid for pid, parent in parents.items() if parent in found} - found:
        found |= more
    return found


def pss(pids):
    lines = (line for pid in pids for line in open(f"/proc/{pid}/smaps_rollup") if line.startswith("Pss:"))
    return sum(int(line.split()[1]) for line in lines) / 1024


def ticks(pids):
    fields = (open(f"/proc/{pid}/stat").read().rsplit(")", 1)[1].split() for pid in pids)
    return sum(int(field[11]) + int(field[12]) for field in fields)


def run(binary, servers):
    folder = tempfile.mkdtemp(prefix="ten-servers-")
    for name in ("home", "benchdog", "project"):
        os.mkdir(os.path.join(folder, name))
    config = {"model": "near/model", "provider": {"near": {"base_url": "http://127.0.0.1:9/v1", "models": {"model": {"context": 65536}}}}}
    with open(os.path.join(folder, "benchdog", "config.jsonc"), "w") as file:
        json.dump(dict(config, mcp=servers) if servers else config, file)
    environment = {"PATH": os.environ["PATH"], "TERM": "xterm-256color", "LANG": "C.UTF-8",
                   "HOME": f"{folder}/home", "BENCHDOG_HOME": f"{folder}/benchdog"}
    began = time.monotonic()
    pid, terminal = pty.fork()
    if pid == 0:
        os.chdir(f"{folder}/project")
        os.execve(binary, [binary], environment)
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))

    def read(until, enough=lambda seen: False):
        seen = b""
        while (left := until - time.monotonic()) > 0 and not enough(seen):
            if not select.select([terminal], [], [], left)[0]:
                continue
            try:
                seen += os.read(terminal, 65536)
            except OSError:
                # It has ended.
                break
        return seen

    read(began + 10, lambda seen: STEERING.sub(b"", seen))
    first = (time.monotonic() - began) * 1000
    read(time.monotonic() + 5)
    pids = tree(pid)
    memory, before = pss(pids), ticks(pids)
    written = len(read(time.monotonic() + 5))
    rest = {"first_ms": first, "pss_mb": memory, "ticks": ticks(pids) - before, "bytes": written, "processes": len(tree(pid))}
    os.kill(pid, signal.SIGTERM)
    read(time.monotonic() + 0.5)
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    os.close(terminal)
    shutil.rmtree(folder, ignore_errors=True)
    return rest


def main():
    binary, runs = os.path.abspath(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 7
    rows = {"none": [], "ten": []}
    for _ in range(runs):
        rows["none"].append(run(binary, {}))
        rows["ten"].append(run(binary, TEN))
    for name, of in rows.items():
        median = {key: round(statistics.median(row[key] for row in of), 2) for key in of[0]}
        print(f"{name:5}", "  ".join(f"{key} {value}" for key, value in median.items()))


if __name__ == "__main__":
    main()
