#!/usr/bin/env python3
"""bench/papers/plot_jost.py [RESULT [SVG]]: figures 1 to 3 of Jost et al. (2009) from what bench_jost printed: time, and the residual that
is there at the end, over the rows of a matrix (bench/results/h200/papers_jost.txt; docs/pictures/papers_jost.svg). Needs matplotlib."""

import pathlib
import re
import sys

import matplotlib

matplotlib.use("svg")
matplotlib.rcParams |= {"svg.hashsalt": "wavesim", "svg.fonttype": "none", "font.size": 9, "font.family": "sans-serif"}
import matplotlib.pyplot as plot  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
ROW = re.compile(r" *(\d+) (single|double) +(CPU, 1 core|CPU, \d+ cores|GPU) +(\S+) +(\S+) +(\S+) +\d+ +(\S+) +converged")
COLOURS = {"CPU, 1 core": "#d1495b", "CPU": "#f08a24", "GPU": "#1f4e9c"}
MARKS = {"gauss-seidel": "o", "jacobi": "s", "bicg": "D", "bicgstab": "^"}


def read(lines):
    """(precision, device, method) -> rows, milliseconds, the same with copies, largest residual"""
    series = {}
    for line in lines:
        if found := ROW.match(line):
            rows, precision, device, method, *values = found.groups()
            series.setdefault((precision, device, method), []).append((int(rows), *map(float, values)))
    return series


def main():
    source = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "bench/results/h200/papers_jost.txt"
    target = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else ROOT / "docs/pictures/papers_jost.svg"
    series = read(source.read_text().splitlines())
    if not series:
        sys.exit(f"{source} has no rows of bench_jost")
    figure, axes = plot.subplots(2, 2, figsize=(8.6, 7.4), sharex=True)
    for column, precision in enumerate(("single", "double")):
        time, residual = axes[:, column]
        for (of, device, method), points in series.items():
            if of != precision:
                continue
            rows, alone, copied, left = zip(*sorted(points))
            colour = COLOURS.get(device, COLOURS["CPU"])
            style = {"color": colour, "marker": MARKS[method], "markersize": 4, "linewidth": 1.1}
            time.plot(rows, alone, label=f"{device}, {method}", **style)
            if device == "GPU":
                time.plot(rows, copied, **style | {"linestyle": "--", "markerfacecolor": "white"}, label=f"{device}, {method}, with copies")
            residual.plot(rows, left, **style)
        time.set(xscale="log", yscale="log", title=f"{precision} precision", ylabel="milliseconds of a solve" if column == 0 else None)
        residual.set(xscale="log", yscale="log", xlabel="rows", ylabel="largest |b - A x| at the end" if column == 0 else None)
        for axis in (time, residual):
            axis.grid(True, which="major", color="#dddddd", linewidth=0.5)
    handles, labels = axes[0, 0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="lower center", ncol=3, frameon=False)
    figure.tight_layout(rect=(0, 0.15, 1, 1))
    figure.savefig(target, metadata={"Date": None})


if __name__ == "__main__":
    main()
