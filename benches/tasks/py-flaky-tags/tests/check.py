import os
import shutil
import subprocess
import sys
import tempfile

with tempfile.TemporaryDirectory() as folder:
    shutil.copy("tags.py", folder)
    shutil.copy(os.path.join(os.path.dirname(os.path.abspath(__file__)), "test_tags.py"), folder)
    # The order of a set depends on the seed of the hash.
    for seed in range(1, 9):
        environment = {**os.environ, "PYTHONHASHSEED": str(seed)}
        done = subprocess.run([sys.executable, "-m", "unittest"], cwd=folder, env=environment, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
