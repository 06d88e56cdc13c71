import os
import shutil
import subprocess
import sys
import tempfile

RIGHT = open("slug.py", encoding="utf-8").read()
CHANGES = [
    ("title.lower()", "title"),
    ('elif out and out[-1] != "-":', "elif out:"),
    ('[:limit].strip("-")', '[:limit]'),
    ('"".join(out)[:limit].strip("-")', '"".join(out).strip("-")'),
    ("letter.isascii() and letter.isalnum()", "letter.isalnum()"),
    ("letter.isascii() and letter.isalnum()", "letter.isascii() and letter.isalpha()"),
    (' or "untitled"', ""),
    ("limit=20", "limit=30"),
]


def passes(source):
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy("test_slug.py", folder)
        with open(os.path.join(folder, "slug.py"), "w", encoding="utf-8") as file:
            file.write(source)
        done = subprocess.run([sys.executable, "-m", "unittest"], cwd=folder, capture_output=True, text=True)
        return done.returncode == 0 and "Ran 0 tests" not in done.stderr


assert os.path.exists("test_slug.py"), "there is no test_slug.py"
assert passes(RIGHT), "the tests fail for the right version"
for old, new in CHANGES:
    assert old in RIGHT, f"slug.py was changed: {old}"
    # An edge is only seen by a title that begins or ends with other characters.
    assert not passes(RIGHT.replace(old, new)), f"not found: {old} -> {new}"
