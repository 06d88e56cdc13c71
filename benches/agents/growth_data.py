"""Data of growth.py: texts, session logs and folders of any size. The same seed gives the same data."""
import copy
import itertools
import json
import os
import random
import shutil

from workload import commit_all

CONSONANTS, VOWELS = "bcdfghjklmnprstvwz", "aeiou"
CJK = ["修复 订单 货币 精度 测试 文件 路径 会话 索引 搜索 结果 错误 消息 服务器 请求 响应".split(),
       "カタカナ の 設定 を 確認 して 保存 する テスト 実行 結果 表示".split(),
       "세션 검색 결과 파일 경로 설정 저장 오류 메시지 요청 응답".split()]
PATHS = ["src/%s/%s.rs", "tests/%s/%s_test.py", "docs/%s/%s.md", "lib/%s/%s.ts"]
# Log bytes between two compactions in a window of 131,072 tokens.
BETWEEN = 400 << 10
LINES = 60_000
FILES_A_FOLDER = 100
CONTENTS = 1000
YEAR_2023 = 1_700_000_000_000


class Text:
    """Lines of prose, code, tool output and Chinese, Japanese and Korean. Few words are frequent, as in a language."""

    def __init__(self, seed=7):
        self.random = random.Random(seed)
        syllables = [c + v for c in CONSONANTS for v in VOWELS]
        words = {"".join(self.random.choices(syllables, k=self.random.randint(2, 4))) for _ in range(60_000)}
        self.words = sorted(words)
        self.random.shuffle(self.words)
        # Zipf's law: the word of rank n is drawn with a weight of 1/n.
        self.weights = list(itertools.accumulate(1 / rank for rank in range(1, len(self.words) + 1)))
        self.pool = [self.line(number) for number in range(LINES)]

    def some_words(self, count):
        return self.random.choices(self.words, cum_weights=self.weights, k=count)

    def line(self, number):
        words = self.some_words(10)
        kind = number % 10
        if kind < 5:
            return " ".join(words).capitalize() + "."
        if kind < 7:
            return "    let %s = %s(&%s, %d)?; // %s" % (words[0], words[1], words[2], self.random.randint(0, 9999), " ".join(words[3:6]))
        if kind < 9:
            return "%s:%d:%d: warning: `%s` is %s" % (self.path(), self.random.randint(1, 900), self.random.randint(1, 80), words[0], words[1])
        return "".join(self.random.choices(CJK[number // 10 % 3], k=10)) + " " + words[0]

    def path(self):
        return self.random.choice(PATHS) % tuple(self.some_words(2))

    def lines(self, size):
        """Returns whole lines of about `size` bytes."""
        return "\n".join(self.random.choices(self.pool, k=max(1, size // 70)))

    def queries(self, count):
        """Returns words to search for: frequent, rare, parts of words, two words, and Chinese, Japanese and Korean."""
        found = []
        for number in range(count):
            rank = int(len(self.words) ** self.random.random())
            word = self.words[min(rank, len(self.words) - 1)]
            other = self.some_words(1)[0]
            cjk = "".join(self.random.sample(CJK[number // 5 % 3], 1 + number // 5 % 2))
            found.append((word, "%s %s" % (word, other), word[:4], rare(number * 7), cjk)[number % 5])
        return found


def rare(number):
    """Returns a word of session `number` alone."""
    return "rare%05dq" % number


class Log:
    """Writes logs for `benchdog sessions import`. Each turn is like the turn in `exported`, the export of a real session."""

    def __init__(self, exported, text):
        lines = [json.loads(line) for line in exported.splitlines()]
        self.meta, self.text = lines[0], text
        self.turn = [entry for entry in lines[1:] if entry.get("kind") in ("user", "assistant", "call_started", "tool_result")]

    def write(self, path, size, result, first="", last="", compact=False, minute=0):
        """Writes a log of about `size` bytes, with outputs of about `result` bytes. Returns the bytes written.

        `first` begins the title and the first prompt, `last` ends the last answer, and `minute` is the time.
        """
        self.time = YEAR_2023 + minute * 60_000
        self.meta["session"].update(title=first, created=self.time, updated=self.time)
        number, turn, written, since = 0, 0, 0, 0
        with open(path, "w") as file:
            file.write(json.dumps(self.meta) + "\n")
            while written < size:
                turn += 1
                before = written
                entries = [self.entry(entry, turn, result) for entry in self.turn]
                if turn == 1:
                    entries[0]["text"] = first + " " + entries[0]["text"]
                if written + result * 1.2 >= size:
                    entries[-1]["text"] += "\n\n" + last
                    size = 0
                elif compact and since > BETWEEN:
                    since = 0
                    entries.append(compaction(turn, self.time, number - 4 * len(self.turn)))
                for entry in entries:
                    number += 1
                    entry["id"] = number
                    line = json.dumps(entry, ensure_ascii=False)
                    written += len(line.encode()) + 1
                    file.write(line + "\n")
                since += written - before
        return written

    def entry(self, template, turn, result):
        entry = copy.deepcopy(template)
        entry.update(turn=turn, time=self.time)
        if entry["kind"] == "user":
            entry["text"] = self.text.lines(300)
        elif entry.get("text"):
            entry["text"] = self.text.lines(min(1500, result))
        if "output" in entry:
            entry["output"] = self.text.lines(result)
        if entry.get("calls"):
            entry["calls"][0]["id"] = "call-%d" % turn
        if "call" in entry:
            entry["call"] = "call-%d" % turn
            entry["title"] = self.text.path()
        return entry


def compaction(turn, time, upto):
    return {"v": 2, "turn": turn, "time": time, "kind": "compaction", "why": "threshold", "before": 100_000, "after": 10_000, "cuts": [],
            "dropped": [], "replaced": {"upto": upto, "summary": "The currency bug is fixed. 订单测试通过。", "kept": []}}


def make_folder(path, files, text, only_once):
    """Makes a git repository with so many small files. Few contents are repeated, so that git stays fast."""
    shutil.rmtree(path, ignore_errors=True)
    contents = ["needle_%03d\n%s\n" % (number, text.lines(400)) for number in range(CONTENTS)]
    for folder in range(files // FILES_A_FOLDER):
        inside = os.path.join(path, "part_%03d" % (folder // 100), "unit_%05d" % folder)
        os.makedirs(inside)
        for number in range(folder * FILES_A_FOLDER, (folder + 1) * FILES_A_FOLDER):
            with open(os.path.join(inside, "file_%07d.txt" % number), "w") as file:
                file.write(contents[number % CONTENTS])
    with open(os.path.join(path, "README.md"), "w") as file:
        file.write("# many files\n\n%s\n" % only_once)
    commit_all(path)
