#!/usr/bin/env python3
"""coverage.py BUILD [LEAST]: the share of lines that tests ran, file by file, of a build with coverage:

  cmake -B BUILD -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS=--coverage; cmake --build BUILD; ctest --test-dir BUILD

Prints the files of sim/, solvers/ and output/ with less than LEAST percent (85), and each folder's share."""

import collections
import gzip
import json
import pathlib
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

ROOT = pathlib.Path(__file__).resolve().parents[2]
LAYERS = ("sim/", "solvers/", "output/")


def lines_of(note):
    """{file: {line: whether it ran}} of one object."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["gcov", "--json-format", str(note)], cwd=folder, capture_output=True, check=True)
        found = collections.defaultdict(dict)
        for path in pathlib.Path(folder).glob("*.gcov.json.gz"):
            with gzip.open(path) as text:
                for entry in json.load(text)["files"]:
                    name = pathlib.Path(entry["file"])
                    name = name if name.is_absolute() else ROOT / name
                    if not name.is_relative_to(ROOT):
                        continue
                    name = str(name.relative_to(ROOT))
                    if name.startswith(LAYERS):
                        for line in entry["lines"]:
                            ran = found[name].get(line["line_number"], False)
                            found[name][line["line_number"]] = ran or line["count"] > 0
        return found


def main():
    build, least = pathlib.Path(sys.argv[1]).resolve(), float(sys.argv[2]) if len(sys.argv) > 2 else 85
    total = collections.defaultdict(dict)
    with ThreadPoolExecutor() as pool:  # an inlined line counts where any object ran it
        for found in pool.map(lines_of, build.rglob("*.gcda")):
            for name, lines in found.items():
                for line, ran in lines.items():
                    total[name][line] = total[name].get(line, False) or ran
    share = lambda lines: 100 * sum(lines) / max(1, len(lines))
    for layer in LAYERS:
        all_lines = [ran for name, lines in total.items() if name.startswith(layer) for ran in lines.values()]
        print(f"{layer:10} {share(all_lines):5.1f} % of {len(all_lines)} lines")
    for name, lines in sorted(total.items()):
        if share(lines.values()) < least:
            missed = [str(n) for n in sorted(lines) if not lines[n]]
            print(f"{share(lines.values()):5.1f} %  {name}: {', '.join(missed[:40])}{' ...' if len(missed) > 40 else ''}")


if __name__ == "__main__":
    main()
