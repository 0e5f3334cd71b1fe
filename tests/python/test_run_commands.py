"""run_commands.py finds what is wrong with a page: with a program that only says which options there are."""

import pathlib
import subprocess
import sys
import tempfile

script = pathlib.Path(__file__).with_name("run_commands.py")

PROGRAM = """#!/bin/sh
case "$*" in
  --help) printf '  run    \\n  list    \\n  --version\\n' ;;
  *--help) printf '  --set, -q\\n' ;;
  'list methods') printf 'cg  conjugate gradients\\n' ;;
  'run configs/drum.yaml') cat configs/drum.yaml ;;
  *) exit 2 ;;
esac
"""
DRUM = "name: drum\ngrid: {size: [1, 1], cells: [400, 400]}\n"


def said(page, readme=f"```yaml\n{DRUM}```\n"):
    with tempfile.TemporaryDirectory() as name:
        tree = pathlib.Path(name)
        (tree / "docs").mkdir()
        (tree / "configs").mkdir()
        (tree / "configs" / "drum.yaml").write_text(DRUM)
        (tree / "README.md").write_text(readme)
        (tree / "docs" / "page.md").write_text(page)
        (tree / "wavesim").write_text(PROGRAM)
        (tree / "wavesim").chmod(0o755)
        done = subprocess.run([sys.executable, script, tree / "wavesim", tree], capture_output=True, text=True)
        assert done.stderr == "", done
        return done.returncode, done.stdout


def right(page, end):
    status, text = said(page)
    assert status == 0 and text.endswith(end + ", 0 wrong\n"), (page, text)


def wrong(page, words):
    status, text = said(page)
    assert status == 1 and words in text, (page, text)


right("```sh\nwavesim list methods\n```\n", "1 blocks run, 0 marked as not run")
right("```sh\nwavesim run configs/drum.yaml | grep '80, 80'\n```\n", "1 blocks run, 0 marked as not run")  # small grids
right("```console\n$ wavesim list methods\ncg   anything\n```\n", "1 blocks run, 0 marked as not run")
right("<!-- not run: gpu -->\n```sh\nfalse\n```\n", "0 blocks run, 1 marked as not run")
right("```yaml\ngrid: {size: [1, 1], cells: [400, 400]}\n```\n`wavesim list` and `wavesim run --set x`\n", "0 blocks run, 0 marked as not run")

wrong("\n```sh\nfalse\ntrue\n```\n", "docs/page.md:2: exit status 1")
wrong("```sh\nfalse | true\n```\n", "exit status 1")
wrong("```sh\nwavesim lost\n```\n", "exit status 2")
wrong("```console\n$ wavesim list methods\njacobi   a method\n```\n", "no line that begins with 'jacobi'")
wrong("<!-- not run: too long -->\n```sh\nfalse\n```\n", "'too long' is no reason")
wrong("<!-- not run: gpu -->\n\nA sentence.\n\n```sh\nfalse\n```\n", "exit status 1")  # the mark is not above the block
wrong("```\nwavesim list\n```\n", "a fence of ''")
wrong("```yaml\ngrid: {size: [2, 2]}\n```\n", "no file of configs/ has these lines")
wrong("```python\nprint(1)\n```\n", "no test runs the Python")
wrong("Run\n\n    wavesim list methods\n", "docs/page.md:3: a command that is indented")
wrong("See `wavesim study`.\n", "no subcommand 'study'")
wrong("See `wavesim run --lost`.\n", "no option '--lost'")
wrong("```text\nwavesim CONFIG.yaml\n  --lost\n```\n", "no option '--lost'")
wrong("In `configs/lens.yaml`.\n", "there is no `configs/lens.yaml`")
wrong("In [a page](other.md).\n", "there is no other.md")
wrong("```sh\ntrue\n", "not closed")
status, text = said("", readme="```yaml\nname: drum\n```\n")
assert status == 1 and "README.md:1: this is not configs/drum.yaml" in text, text
