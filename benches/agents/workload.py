"""The work of the agents: scripted answers of the mock server, and the folders they work in."""
import os
import shutil
import subprocess

SEARCHES = 5
LARGE_FOLDERS, LARGE_FILES = 50, 100      # files in each folder


def scenario(peer, sizes):
    """Returns the scenario of mock_openai.py for an agent. A prompt with BENCH:NAME selects the script NAME."""
    scripts = {"hi": [{"chunks": ["Hello", " from", " the", " mock", ".\n"]}]}
    words = [" word%d" % k for k in range(24)]
    for i in range(8):
        # The first token is followed by more tokens of the same line.
        scripts["ttft%d" % i] = [{"first_delay_ms": 250, "delay_ms": 40,
                                  "chunks": ["FIRSTTOK%d" % i] + words + ["\n\nDONETOK%d\n" % i]}]
        # The first token ends its paragraph.
        scripts["ttfl%d" % i] = [{"first_delay_ms": 250, "delay_ms": 40,
                                  "chunks": ["FIRSTPAR%d\n\n" % i] + words + ["\n\nDONEPAR%d\n" % i]}]
    scripts["plain"] = [{"first_delay_ms": 250, "gen": {"kind": "plain", "n": sizes.plain, "end": "ENDMARKQ"}}]
    scripts["md"] = [{"first_delay_ms": 250, "gen": {"kind": "markdown", "n": sizes.md, "end": "ENDMARKQ"}}]
    if peer.uses_tools:
        scripts["tools"] = calls([peer.read_call("file_%02d.txt" % i) for i in range(sizes.tools)])
    if peer.search_call("x"):
        scripts["search"] = calls([peer.search_call("needle_%03d" % (i * 7)) for i in range(SEARCHES)])
    return {"model": "mock-model", "context": 1000000, "tools_required": peer.uses_tools, "aux_text": peer.aux_text, "scripts": scripts}


def calls(pairs):
    steps = [{"tool_calls": [{"name": name, "arguments": arguments}]} for name, arguments in pairs]
    return steps + [{"chunks": ["Everything was read. ", "ENDMARKQ\n"]}]


def make_project(path, files):
    """Makes a git repository with a few files of 40 lines."""
    shutil.rmtree(path, ignore_errors=True)
    os.makedirs(path)
    for i in range(files):
        write_lines(os.path.join(path, "file_%02d.txt" % i), i)
    with open(os.path.join(path, "README.md"), "w") as f:
        f.write("# demo project\n")
    commit_all(path)


def make_large_project(path):
    """Makes a git repository with 5,000 files. Each needle_NNN is in ten of them."""
    shutil.rmtree(path, ignore_errors=True)
    number = 0
    for folder in range(LARGE_FOLDERS):
        inside = os.path.join(path, "part_%02d" % folder)
        os.makedirs(inside)
        for _ in range(LARGE_FILES):
            write_lines(os.path.join(inside, "file_%04d.txt" % number), number, "needle_%03d\n" % (number % 500))
            number += 1
    commit_all(path)


def write_lines(path, number, more=""):
    with open(path, "w") as f:
        for k in range(40):
            f.write("file %d line %d: the quick brown fox jumps over the lazy dog\n" % (number, k))
        f.write(more)


def commit_all(path):
    if not shutil.which("git"):
        return
    env = dict(os.environ, GIT_CONFIG_GLOBAL="/dev/null", GIT_AUTHOR_NAME="b", GIT_AUTHOR_EMAIL="b@localhost",
               GIT_COMMITTER_NAME="b", GIT_COMMITTER_EMAIL="b@localhost")
    for arguments in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "x"]):
        subprocess.run(["git"] + arguments, cwd=path, env=env, check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
