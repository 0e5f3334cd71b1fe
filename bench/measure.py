"""What the scripts of this folder share: the first lines of a result, programs that are run with their output kept as it is, and
tables of what they printed."""

import datetime
import pathlib
import re
import shlex
import subprocess
import time

HEADING = re.compile(r"--- |  a = |grid |a run of one step:")
NUMBER = r"\d+(?:\.\d+)?(?:e[+-]?\d+)?"


def first_lines(program):
    """Of a result: date, version, build, GPU and CPU."""
    info = subprocess.run([program, "info"], capture_output=True, text=True).stdout.splitlines()
    return [str(datetime.datetime.now(datetime.timezone.utc).date()),
            *(line for line in info if line.startswith(("wavesim ", "built ", "cuda ", "cpu ")))]


def run(commands, file, timeout, environment=None):
    """Runs commands one after the other, their output into the file; returns seconds and what went wrong."""
    begin, wrong = time.monotonic(), []
    with open(file, "w") as out:
        for command in commands:
            if isinstance(command, str):  # a heading
                out.write(f"--- {command}\n")
                out.flush()
                continue
            left = timeout - (time.monotonic() - begin)
            name = shlex.join(str(word) for word in command)
            try:
                done = subprocess.run(
                    [str(word) for word in command], stdout=out, stderr=subprocess.PIPE, env=environment, timeout=max(1, left)
                )
            except subprocess.TimeoutExpired:
                wrong.append(f"{name} took longer than it had")
                continue
            except OSError as why:
                wrong.append(f"{name}: {why}")
                continue
            if done.returncode != 0:
                last = done.stderr.decode(errors="replace").strip().splitlines()[-1:]
                wrong.append(f"{name}: exit status {done.returncode}" + "".join(f": {line}" for line in last))
    return time.monotonic() - begin, wrong


class Results:
    """Figures in files of a folder; what is not there is None."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)

    def lines(self, file):
        path = self.folder / file
        return path.read_text().splitlines() if path.exists() else []

    def heading(self):
        """Program, commit, date and device, of the first file that says them."""
        for path in sorted(self.folder.glob("*.txt")):
            for line in path.read_text().splitlines()[:3]:
                if re.match(r"^wavesim \S+ \([^)]*\), \d{4}-\d\d-\d\d, ", line):
                    return line
        return None

    def find(self, file, pattern, under=None):
        """The first match of a pattern at the start of a line; with `under`, of those between a heading that matches it
        and the next one."""
        below = under is None
        for line in self.lines(file):
            if under and HEADING.match(line):
                below = re.match(under, line) is not None
            elif below and (found := re.match(pattern, line)):
                return found
        return None

    def number(self, file, pattern, under=None):
        found = self.find(file, pattern, under)
        return float(found[1]) if found else None


def table(heads, rows):
    """Lines of columns, the first to the left, the others to the right but for the last."""
    cells = [heads, *rows]
    widths = [max(len(row[k]) for row in cells) for k in range(len(heads))]
    lines = []
    for row in cells:
        line = [row[0].ljust(widths[0])]
        line += [row[k].rjust(widths[k]) for k in range(1, len(heads) - 1)]
        lines.append(" | ".join([*line, row[-1]]).rstrip())
    lines.insert(1, "-|-".join("-" * w for w in widths))
    return lines
