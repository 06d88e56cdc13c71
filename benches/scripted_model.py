#!/usr/bin/env python3
"""A scripted model that solves the tasks of `benches/tasks`: benches/scripted_model.py [--port N] [--host ADDRESS] [--log FILE].

It serves chat completions with streaming. The task is recognised by its instruction, and the next call by the number of earlier
answers, so a repeated request gets the same answer. For each file of `solution/files`, it reads the old file and writes the new one
with the agent's own tools. It shows that `benchdog bench` and an agent work, and says nothing about a model. Standard library only.
"""
import argparse
import http.server
import json
import os
import time

TASKS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "tasks")


def text(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def tasks():
    """Returns the instruction, the files and the old files of each task, by name."""
    found = {}
    for name in sorted(os.listdir(TASKS)):
        files = os.path.join(TASKS, name, "solution", "files")
        new = {file: text(os.path.join(files, file)) for file in sorted(os.listdir(files))}
        old = {file for file in new if os.path.exists(os.path.join(TASKS, name, "environment", file))}
        found[name] = (text(os.path.join(TASKS, name, "instruction.md")).strip(), new, old)
    return found


def said(message):
    content = message.get("content") or ""
    return content if isinstance(content, str) else "\n".join(part.get("text") or "" for part in content)


def argument(tool, word):
    """Returns the first argument of a tool whose name contains the word, such as `filePath`."""
    return next(name for name in tool["parameters"]["properties"] if word in name.lower())


def calls(tools, files, old):
    """Returns the calls that solve a task with the tools of the agent."""
    reader = next((name for name in ("read", "read_file") if name in tools), None)
    writer = next(name for name in ("write", "write_file") if name in tools)
    path, content = argument(tools[writer], "path"), argument(tools[writer], "content")
    out = []
    for file, new in files.items():
        if file in old and reader:
            out.append((reader, {argument(tools[reader], "path"): file}))
        out.append((writer, {path: file, content: new}))
    return out


class Model(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def reply(self, kind, body):
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        self.reply("application/json", json.dumps({"object": "list", "data": [{"id": "scripted", "object": "model"}]}).encode())

    def do_POST(self):
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        messages = request["messages"]
        prompt = "\n".join(said(message) for message in messages if message["role"] == "user")
        name = next((name for name, (instruction, _, _) in self.server.tasks.items() if instruction in prompt), None)
        tools = {tool["function"]["name"]: tool["function"] for tool in request.get("tools") or []}
        step = sum(message["role"] == "assistant" for message in messages)
        left = calls(tools, *self.server.tasks[name][1:])[step:] if name and tools else []
        with open(self.server.log, "a", encoding="utf-8") as log:
            line = {"time": time.time(), "from": self.client_address[0], "task": name, "step": step, "tools": len(tools)}
            log.write(json.dumps(line) + "\n")
        time.sleep(self.server.delay)
        if left:
            function = {"name": left[0][0], "arguments": json.dumps(left[0][1])}
            delta = {"tool_calls": [{"index": 0, "id": "call_%d" % step, "type": "function", "function": function}]}
        else:
            delta = {"content": "Done."}
        reason = "tool_calls" if left else "stop"
        usage = {"prompt_tokens": len(json.dumps(messages)) // 4, "completion_tokens": len(json.dumps(delta)) // 4}
        usage["total_tokens"] = sum(usage.values())
        common = {"id": "scripted", "created": int(time.time()), "model": "scripted"}
        if not request.get("stream"):
            choice = {"index": 0, "message": {"role": "assistant", "content": None, **delta}, "finish_reason": reason}
            whole = {**common, "object": "chat.completion", "choices": [choice], "usage": usage}
            return self.reply("application/json", json.dumps(whole).encode())
        chunk = {**common, "object": "chat.completion.chunk"}
        parts = [{"index": 0, "delta": {"role": "assistant", **delta}, "finish_reason": None}, {"index": 0, "delta": {}, "finish_reason": reason}]
        events = [{**chunk, "choices": [part]} for part in parts] + [{**chunk, "choices": [], "usage": usage}]
        body = "".join("data: %s\n\n" % json.dumps(event) for event in events) + "data: [DONE]\n\n"
        self.reply("text/event-stream", body.encode())


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--host", default="127.0.0.1")
    options.add_argument("--port", type=int, default=8940)
    options.add_argument("--delay", type=float, default=0.0, help="seconds before each answer")
    options.add_argument("--log", default=os.devnull, help="a file that gets one line of JSON for each request")
    options = options.parse_args()
    server = http.server.ThreadingHTTPServer((options.host, options.port), Model)
    server.tasks, server.log, server.delay = tasks(), options.log, options.delay
    server.serve_forever()


if __name__ == "__main__":
    main()
