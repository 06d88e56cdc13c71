"""A language server for tests. A line with `ERROR name` has the error `name`, one with `WARN name` the warning. The first argument sets
the behaviour, the second, if any, is a file for the methods it receives."""

import json
import os
import re
import sys
import time
from urllib.parse import quote, unquote

behaves = sys.argv[1]
notes = sys.argv[2] if len(sys.argv) > 2 else None
texts = {}
clean = set()
out = sys.stdout.buffer


def note(line):
    if notes:
        with open(notes, "a") as file:
            file.write(line + "\n")


def send(message):
    data = json.dumps({"jsonrpc": "2.0", **message}).encode()
    out.write(b"Content-Length: %d\r\n\r\n" % len(data) + data)
    out.flush()


def receive():
    length = None
    while True:
        line = sys.stdin.buffer.readline()
        if not line:
            sys.exit(0)
        if line == b"\r\n":
            break
        if line.lower().startswith(b"content-length:"):
            length = int(line.split(b":")[1])
    return json.loads(sys.stdin.buffer.read(length))


def found(text):
    all = []
    for number, line in enumerate(text.splitlines()):
        for severity, word in ((1, "ERROR"), (2, "WARN")):
            hit = re.search(word + r" (\w+)", line)
            if hit:
                start = {"line": number, "character": hit.start()}
                end = {"line": number, "character": hit.end()}
                all.append({
                    "range": {"start": start, "end": end},
                    "severity": severity,
                    "message": hit.group(1),
                    "code": "fake",
                })
    return all


def publish(uri, version, items):
    params = {"uri": uri, "diagnostics": items}
    if behaves != "unversioned":
        params["version"] = version
    send({"method": "textDocument/publishDiagnostics", "params": params})


def flood(uri, version):
    one = json.dumps(found("ERROR flood")[0]).encode()
    head = b'{"jsonrpc":"2.0","method":"textDocument/publishDiagnostics","params":{"uri":"%s","diagnostics":[' % uri.encode()
    for count in (1_000_000, 50_000):
        data = head + b",".join([one] * count) + b"]}}"
        out.write(b"Content-Length: %d\r\n\r\n" % len(data) + data)
    data = b'{"jsonrpc":"2.0","method":"x","params":"' + b"y" * 50_000_000 + b'"}'
    while True:
        out.write(b"Content-Length: %d\r\n\r\n" % len(data) + data)
        for other in range(10_000):
            publish(uri + str(other), version, found("ERROR flood"))


def spread(uri, text):
    # Errors of this file show in another one.
    other = os.path.join(os.path.dirname(unquote(uri[7:])), "other.txt")
    publish("file://" + quote(other), None, found(text))


def changed(uri, version, text):
    is_change = uri in texts
    before = texts.get(uri, "")
    texts[uri] = text
    note("text %s %s" % (version, os.path.basename(unquote(uri))))
    if behaves == "hung":
        return
    if behaves == "deaf":
        time.sleep(3600)
    if behaves == "crash" and is_change:
        sys.stderr.write("it fell over\n")
        sys.exit(3)
    if behaves == "flood" and is_change:
        flood(uri, version)
    if behaves == "old":
        publish(uri, version - 1, found("ERROR of_an_older_version"))
        return
    if behaves == "late" and is_change:
        time.sleep(4)
    if behaves in ("pull", "loading", "unhealthy"):
        return
    if behaves == "unversioned" and not found(text) and uri in clean:
        # Nothing has changed.
        return
    if behaves == "spread" and is_change:
        spread(uri, text)
    (clean.discard if found(text) else clean.add)(uri)
    if behaves == "cached" and is_change:
        # Like pyright: first the diagnostics of the older text, for the new version.
        publish(uri, version, found(before))
        time.sleep(0.2)
    if behaves == "unversioned":
        # First what is quick to know, then all.
        publish(uri, version, [])
        time.sleep(0.1)
    if behaves == "beside":
        # An error in another file for each in this one.
        other = os.path.join(os.path.dirname(unquote(uri[7:])), "other.txt")
        publish("file://" + quote(other), None, found("\n".join(["ERROR old"] + [
            "ERROR of_" + item["message"] for item in found(text)])))
    publish(uri, version, found(text))
    if behaves == "spread_late" and is_change:
        time.sleep(0.5)
        spread(uri, text)
        note("spread")


def places(params, kind):
    uri = params["textDocument"]["uri"]
    line = texts[uri].splitlines()[params["position"]["line"]]
    at = params["position"]["character"]
    unit = line.encode("utf-16-le")[2 * at:].decode("utf-16-le")
    word = re.match(r"\w+", unit).group()
    where = {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 1}}
    all = [{"uri": "file:///usr/lib/elsewhere.txt", "range": where}] if kind == "references" else []
    for name, text in texts.items():
        for number, line in enumerate(text.splitlines()):
            if re.search((r"def " if kind == "definition" else r"\b") + word + r"\b", line):
                position = {"line": number, "character": 0}
                all.append({"uri": name, "range": {"start": position, "end": position}})
    return all


if behaves == "absent":
    sys.exit(1)
while True:
    message = receive()
    method, params = message.get("method", ""), message.get("params", {})
    note(method)
    if method == "initialize":
        abilities = {
            "textDocumentSync": {"openClose": True, "change": 2, "save": True},
            "definitionProvider": True,
            "referencesProvider": True,
        }
        if behaves in ("pull", "loading", "unhealthy"):
            abilities["diagnosticProvider"] = {"interFileDependencies": False, "workspaceDiagnostics": False}
        send({"id": message["id"], "result": {"capabilities": abilities}})
        note("folder " + params["rootUri"])
        note("cargo %s %s" % (os.environ.get("CARGO_NET_OFFLINE"), os.environ.get("CARGO_TARGET_DIR")))
        status = {"quiescent": behaves != "loading", "health": "ok", "message": None}
        if behaves == "unhealthy":
            status.update({"health": "warning", "message": "cannot load\nthe project"})
        send({"method": "experimental/serverStatus", "params": status})
    elif method == "textDocument/didOpen":
        document = params["textDocument"]
        changed(document["uri"], document["version"], document["text"])
    elif method == "textDocument/didChange":
        document = params["textDocument"]
        changed(document["uri"], document["version"], params["contentChanges"][0]["text"])
    elif method == "textDocument/diagnostic":
        items = found(texts.get(params["textDocument"]["uri"], ""))
        send({"id": message["id"], "result": {"kind": "full", "items": items}})
    elif method in ("textDocument/definition", "textDocument/references") and behaves != "hung":
        send({"id": message["id"], "result": places(params, method.split("/")[1])})
    elif "id" in message and method:
        send({"id": message["id"], "error": {"code": -32601, "message": "no"}})
