"""The mock model server as a process of the harness: its scenario and its log."""
import json
import os
import re
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))


class Mock:
    def __init__(self, work, scenario):
        self.scenario_path = os.path.join(work, "scenario.json")
        self.log_path = os.path.join(work, "mock.jsonl")
        port_path = os.path.join(work, "port")
        with open(self.scenario_path, "w") as f:
            json.dump(scenario, f)
        self.proc = subprocess.Popen([sys.executable, os.path.join(HERE, "mock_openai.py"), "--scenario", self.scenario_path,
                                      "--log", self.log_path, "--port-file", port_path], stdout=subprocess.DEVNULL)
        self.port = self._port(port_path)
        self.pos = 0

    @staticmethod
    def _port(path):
        for _ in range(500):
            if os.path.exists(path):
                with open(path) as f:
                    text = f.read()
                if text:
                    return int(text)
            time.sleep(0.02)
        raise RuntimeError("the mock server did not start")

    def events(self):
        with open(self.log_path) as f:
            return [json.loads(line) for line in f if line.endswith("\n")]

    def count(self):
        """Returns the size of the log. It grows as soon as a request arrives."""
        return os.path.getsize(self.log_path) if os.path.exists(self.log_path) else 0

    def prompts(self):
        """Returns the number of requests with a prompt. Questions about the server and its models do not count."""
        if not os.path.exists(self.log_path):
            return 0
        with open(self.log_path, "rb") as f:
            return f.read().count(b'"kind":"main"')

    def mark(self):
        self.pos = self.count()

    def sent_all(self):
        """Returns whether the last token of a main reply was sent since mark()."""
        with open(self.log_path, "rb") as f:
            f.seek(self.pos)
            d = f.read()
        ids = re.findall(rb'"id":(\d+),[^\n]{0,200}"kind":"main"', d)
        return any(b'"ev":"last","id":%s,' % i in d for i in ids)

    def stop(self):
        self.proc.terminate()
        self.proc.wait()
