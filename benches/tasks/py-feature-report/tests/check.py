import subprocess
import sys


def run(*arguments):
    done = subprocess.run([sys.executable, "report.py", *arguments], capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


assert run("ledger.txt") == (0, "food -75\nrent -1800\nsalary 2500\n", ""), run("ledger.txt")
assert run("ledger.txt", "--since", "2026-02-01")[:2] == (0, "food -35\nrent -900\nsalary 2500\n")
assert run("--since", "2026-02-02", "ledger.txt")[:2] == (0, "food -35\nsalary 2500\n")
assert run("ledger.txt", "--since", "2027-01-01")[:2] == (0, "")
code, out, err = run("ledger.txt", "--since", "2026-02-30")
assert code == 2 and out == "" and err.strip(), (code, out, err)
