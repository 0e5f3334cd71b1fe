"""run_documents.py PAGE FOLDER: runs the Python blocks of a page, as they stand, in a folder with results/drum/drum.vtkhdf.

A block whose library is absent is left out with a line; ends with 77 if that leaves none.
"""

import importlib.util
import os
import pathlib
import re
import sys
import tempfile

page, folder = (pathlib.Path(a).resolve() for a in sys.argv[1:3])
os.environ["MPLBACKEND"] = "Agg"
blocks = re.findall(r"```python\n(.*?)```", page.read_text(), re.DOTALL)
assert blocks, f"{page} has no Python"
done = 0
with tempfile.TemporaryDirectory() as work:
    os.chdir(work)
    os.makedirs("results")
    os.symlink(folder, "results/drum")
    assert os.path.exists("results/drum/drum.vtkhdf"), f"no result in {folder}"
    for block in blocks:
        names = [n.split(".")[0] for n in re.findall(r"import (.*)", block)[0].replace(",", " ").split() if n not in ("as", "plt")]
        absent = [n for n in names if importlib.util.find_spec(n) is None]
        if absent:
            print("left out, without", *absent)
            continue
        before = set(os.listdir())
        exec(compile(block, str(page), "exec"), {})
        made = set(os.listdir()) - before
        for name in re.findall(r'savefig\("(.*?)"\)', block):
            assert name in made and os.path.getsize(name) > 5000, f"{name} is missing or empty"
        done += 1
sys.exit(0 if done else 77)
