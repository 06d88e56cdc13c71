"""A program in a pseudo-terminal: keys go in, and its output is timestamped and shown on an emulated screen."""
import fcntl
import os
import pty
import signal
import struct
import termios
import threading
import time

import processes
from vtscreen import Screen

COLS, ROWS = 120, 40
now = time.monotonic_ns


class Term:
    """A program in a pseudo-terminal. Output is timestamped when it is read, and parsed on demand."""

    def __init__(self, argv, env, cwd, tag):
        self.tag = ("BENCH_TAG=" + tag).encode()
        env = dict(env, BENCH_TAG=tag)
        self.log = []                      # (t_ns, bytes)
        self.parsed = 0
        self.first_frame = None
        self.bytes = 0
        self.closed = False
        self.t_exec = now()
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            try:
                fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLS, COLS * 10, ROWS * 20))
                os.chdir(cwd)
                os.execvpe(argv[0], argv, env)
            finally:
                os._exit(127)
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLS, COLS * 10, ROWS * 20))
        self.screen = Screen(COLS, ROWS, self._reply)
        self.seen = 0
        self.cond = threading.Condition()
        threading.Thread(target=self._reader, daemon=True).start()

    def _reply(self, b):
        if not self.closed:
            try:
                os.write(self.fd, b)
            except OSError:
                self.closed = True

    def write(self, s):
        if isinstance(s, str):
            s = s.encode()
        os.write(self.fd, s)
        return now()

    def echo_off(self):
        try:
            return not (termios.tcgetattr(self.fd)[3] & termios.ECHO)
        except termios.error:
            return False

    def _reader(self):
        """Reads and timestamps on its own thread, and never parses: the program must not wait for the harness."""
        while True:
            try:
                d = os.read(self.fd, 262144)
            except OSError:
                d = b""
            t = now()
            with self.cond:
                if d:
                    self.log.append((t, d))
                    self.bytes += len(d)
                else:
                    self.closed = True
                self.cond.notify()
            if not d:
                return

    def read(self, timeout):
        """Waits for new output. Returns whether some arrived."""
        with self.cond:
            if len(self.log) == self.seen and not self.closed:
                self.cond.wait(timeout)
            got = len(self.log) > self.seen
            self.seen = len(self.log)
        if not got and self.closed:
            time.sleep(min(timeout, 0.01))
        return got

    def parse(self, enough=None):
        """Parses what was read. Stops after the read for which enough(screen) holds, and returns its time."""
        while self.parsed < len(self.log):
            t, d = self.log[self.parsed]
            self.parsed += 1
            self.screen.feed(d)
            if self.first_frame is None and not self.screen.blank():
                self.first_frame = t
            if enough and enough(self.screen):
                return t
        return None

    def until(self, pred, timeout, step=0.05):
        """Reads until pred(screen) holds. Returns the time of the read that made it hold, or None."""
        end = now() + int(timeout * 1e9)
        self.parse()
        if pred(self.screen):
            return self.log[-1][0] if self.log else now()
        while now() < end and not self.closed:
            if self.read(min(step, max(0.0, (end - now()) / 1e9))):
                t = self.parse(pred)
                if t is not None:
                    return t
        return None

    def sleep(self, s):
        end = now() + int(s * 1e9)
        while now() < end:
            self.read(max(0.0, min(0.05, (end - now()) / 1e9)))
            self.parse()

    def settle(self, quiet=0.5, limit=5.0):
        """Reads until there is no output for `quiet` seconds. A spinner may prevent that, so there is a limit."""
        end = now() + int(limit * 1e9)
        last = now()
        while now() < end and (now() - last) < quiet * 1e9:
            if self.read(0.02):
                last = now()
            self.parse()

    def type(self, text, gap=0.015):
        for ch in text:
            self.write(ch)
            self.sleep(gap)

    def tree(self):
        return processes.tree(self.pid, self.tag)

    def kill(self):
        """Ends the processes of this terminal, each by its pid."""
        pids = self.tree()
        for sig in (signal.SIGTERM, signal.SIGKILL):
            for p in pids:
                try:
                    os.kill(p, sig)
                except OSError:
                    pass
            end = time.monotonic() + 0.7
            while time.monotonic() < end and any(os.path.exists("/proc/%d" % p) for p in pids):
                self.read(0.02)
                try:
                    os.waitpid(self.pid, os.WNOHANG)
                except ChildProcessError:
                    pass
                time.sleep(0.01)
            pids = [p for p in self.tree() if p != os.getpid()]
            if not pids:
                break
        try:
            os.close(self.fd)
        except OSError:
            pass
        self.closed = True
