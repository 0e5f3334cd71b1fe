#!/usr/bin/env python3
"""bench/papers/plot_pozzo.py [RESULT [SVG]]: figure 8 of Pozzo, Idagawa et al. (2010) from what bench_pozzo printed: time over the size of
the grid, of each part and of the four cases (bench/results/h200/papers_pozzo.txt; docs/pictures/papers_pozzo.svg). Needs matplotlib."""

import pathlib
import re
import sys

import matplotlib

matplotlib.use("svg")
matplotlib.rcParams |= {"svg.hashsalt": "wavesim", "svg.fonttype": "none", "font.size": 9, "font.family": "sans-serif"}
import matplotlib.pyplot as plot  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
ROW = re.compile(r" *\d+(?: +(?:\d+\.\d+|-)){12}$")
# column of the table -> label, colour, mark
PARTS = {
    1: ("made on the CPU", "#f08a24", "o"),
    4: ("solved on the CPU", "#d1495b", "s"),
    7: ("copied to the GPU", "#777777", "v"),
    8: ("copied to the CPU", "#777777", "^"),
    2: ("made on the GPU", "#6fa8dc", "o"),
    5: ("solved on the GPU", "#1f4e9c", "s"),
}
CASES = {
    9: ("case 1: made on the CPU and copied", "#d1495b", "o"),
    10: ("case 2: made on the GPU and copied", "#1f4e9c", "s"),
    11: ("case 3: made on both, the GPU first", "#f08a24", "^"),
    12: ("case 4: made on both, the CPU first", "#777777", "v"),
}


def read(lines):
    """Rows below the line of figure 8: the size and twelve values, None where there is none."""
    rows, below = [], False
    for line in lines:
        below = below or line.startswith("figure 8:")
        if below and ROW.match(line):
            rows.append([None if cell == "-" else float(cell) for cell in line.split()])
    return sorted(rows)


def main():
    source = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "bench/results/h200/papers_pozzo.txt"
    target = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else ROOT / "docs/pictures/papers_pozzo.svg"
    rows = read(source.read_text().splitlines())
    if not rows:
        sys.exit(f"{source} has no table of figure 8, which bench_pozzo prints")
    figure, axes = plot.subplots(1, 2, figsize=(8.6, 4.6), sharex=True, sharey=True)
    for axis, series, title in zip(axes, (PARTS, CASES), ("parts", "totals of the cases")):
        for column, (label, colour, mark) in series.items():
            points = [(row[0], row[column]) for row in rows if row[column] is not None]
            if points:  # a run without a GPU has none of what a GPU does
                axis.plot(*zip(*points), label=label, color=colour, marker=mark, markersize=4, linewidth=1.1)
        axis.set(title=title, xlabel="points along a side of the grid")
        axis.set_xscale("log", base=2)
        axis.set_yscale("log")
        axis.set_xticks([row[0] for row in rows], [f"{row[0]:.0f}" for row in rows])
        axis.grid(True, which="major", color="#dddddd", linewidth=0.5)
        if axis.lines:
            axis.legend(frameon=False, loc="upper left")
    axes[0].set_ylabel("milliseconds")
    figure.tight_layout()
    figure.savefig(target, metadata={"Date": None})


if __name__ == "__main__":
    main()
