#!/usr/bin/env python3
"""bench/accuracy_peers/plot.py [RESULT [SVG]]: error against seconds, of one thread in double precision, a panel a case, from what
bench/accuracy_peers printed (bench/results/cpu2/accuracy_peers.txt; docs/pictures/accuracy_peers.svg). Needs matplotlib and numpy."""

import pathlib
import sys

import matplotlib

matplotlib.use("svg")
matplotlib.rcParams |= {"svg.hashsalt": "wavesim", "svg.fonttype": "none", "font.size": 9, "font.family": "sans-serif"}
sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import matplotlib.pyplot as plot  # noqa: E402
import report  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
# ours in blue and green with filled marks, peers in warm colours with open ones; a name keeps its colour in all panels
OURS = ("#1f4e9c", "#5a9bd5", "#2a9d8f", "#0b6e4f", "#7a5195")
THEIRS = ("#d1495b", "#f08a24", "#b5651d", "#8c2f39", "#c98bb9", "#e0a458", "#6d597a", "#9a031e")
MARKS = "osD^vPXp"


def is_peer(name):
    return name.split(",")[0] in ("Devito", "deepwave", "dolfinx")


def main():
    source = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "bench/results/cpu2/accuracy_peers.txt"
    target = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else ROOT / "docs/pictures/accuracy_peers.svg"
    points = [p for p in report.read(source.read_text().splitlines()) if (p.threads, p.precision) == (1, "double")]
    if not points:
        sys.exit(f"{source} has no points of one thread in double precision")
    cases, names = list(dict.fromkeys(p.case for p in points)), sorted(dict.fromkeys(p.name for p in points), key=is_peer)
    style, count = {}, {False: 0, True: 0}
    for name in names:
        peer = is_peer(name)
        k = count[peer]
        count[peer] += 1
        colours = THEIRS if peer else OURS
        style[name] = {"color": colours[k % len(colours)], "marker": MARKS[k % len(MARKS)], "markerfacecolor": "white" if peer else None,
                       "linestyle": "--" if peer else "-"}
    columns = min(3, len(cases))
    rows = -(-len(cases) // columns)
    legend = 0.2 * -(-len(names) // 3) + 0.2  # inches
    height = 3.2 * rows + legend
    figure, axes = plot.subplots(rows, columns, figsize=(4.1 * columns, height), squeeze=False)
    for axis, case in zip(axes.flat, cases):
        for name in names:
            mine = sorted((p for p in points if (p.case, p.name) == (case, name) and p.seconds > 0), key=lambda p: p.cells)
            if mine:
                axis.plot([p.seconds for p in mine], [100 * p.error for p in mine], label=name, linewidth=1.2, markersize=4, **style[name])
        axis.set(xscale="log", yscale="log", title=case, xlabel="seconds of stepping", ylabel="error of the traces, %", ylim=(0.02, 200))
        for error in report.ERRORS:
            axis.axhline(100 * error, color="#bbbbbb", linewidth=0.6, zorder=0)
    for axis in list(axes.flat)[len(cases):]:
        axis.remove()
    known = {}
    for axis in figure.axes:
        known |= dict(zip(*reversed(axis.get_legend_handles_labels())))
    figure.legend([known[name] for name in names], names, loc="lower center", ncol=3, frameon=False)
    figure.tight_layout(rect=(0, legend / height, 1, 1))
    figure.savefig(target, metadata={"Date": None})


if __name__ == "__main__":
    main()
