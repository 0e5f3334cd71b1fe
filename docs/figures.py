#!/usr/bin/env python3
"""docs/figures.py [--check] [--root FOLDER]

Writes the tables of measurements into README.md and the pages of docs/. Between the lines `<!-- figures: NAME -->` and
`<!-- end of figures -->` stands what the function NAME in docs/figure_tables/ makes of files in bench/results; the first
line names these files and their date. With --check it writes nothing and names the tables that differ.

Exit status: 0 written, or nothing differs; 1 a table differs; 2 a table has no function, or a file lacks a figure."""

import argparse
import pathlib
import re
import sys

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
from figure_tables import TABLES, Missing  # noqa: E402
from figure_tables.common import together  # noqa: E402

MARK = re.compile(r"(<!-- figures: (\S+) -->\n)(.*?)(<!-- end of figures -->)", re.DOTALL)


def heading(root, files, page):
    """Links to the files, with the dates that they name."""
    up = "../" * len(page.relative_to(root).parts[:-1])
    dates = set()
    for file in files:
        dates.update(re.findall(r"\b20\d\d-\d\d-\d\d\b", "\n".join((root / "bench/results" / file).read_text().splitlines()[:3])))
    links = ", ".join(f"[{file}]({up}bench/results/{file})" for file in files)
    return f"From {links}" + (f" ({together(sorted(dates))}):" if dates else ":")


def made(root, page, name):
    if name not in TABLES:
        raise Missing("docs/figures.py has no such table")
    files, function = TABLES[name]
    lines = []
    for file in files:
        path = root / "bench/results" / file
        if not path.exists():
            raise Missing(f"there is no {path}")
        lines.append(path.read_text().splitlines())
    try:
        rows = function(*lines)
    except Missing as why:
        raise Missing(f"table {name}, of {', '.join(files)}: {why}") from None
    text = [heading(root, files, page), ""]
    for i, row in enumerate(rows):
        if isinstance(row, str):
            text.append(row)
            continue
        text.append("| " + " | ".join(row) + " |")
        if i == 0:
            text.append("|" + "---|" * len(row))
    return "\n".join(text) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--root", type=pathlib.Path, default=HERE.parent, help="the tree with docs/ and bench/results/")
    options = parser.parse_args()
    root, status, count = options.root.resolve(), 0, 0
    for page in [root / "README.md", *sorted((root / "docs").rglob("*.md"))]:
        text = page.read_text()
        if len(re.findall(r"<!-- figures: ", text)) != len(MARK.findall(text)):
            print(f"{page.relative_to(root)}: a '<!-- figures: NAME -->' without its '<!-- end of figures -->'", file=sys.stderr)
            status = 2
            continue
        differs = []

        def replaced(found):
            new = made(root, page, found[2])
            if new != found[3]:
                differs.append(found[2])
            return found[1] + new + found[4]

        try:
            new = MARK.sub(replaced, text)
        except Missing as why:
            print(f"{page.relative_to(root)}: {why}", file=sys.stderr)
            status = 2
            continue
        count += len(MARK.findall(text))
        if differs and options.check:
            print(f"{page.relative_to(root)}: {', '.join(differs)} differ from bench/results; docs/figures.py writes them")
            status = max(status, 1)
        elif differs:
            page.write_text(new)
            print(f"{page.relative_to(root)}: wrote {', '.join(differs)}")
    if count == 0:
        print("no page has a table of figures", file=sys.stderr)
        return 2
    return status


if __name__ == "__main__":
    sys.exit(main())
