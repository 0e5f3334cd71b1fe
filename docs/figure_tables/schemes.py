"""Accuracy of schemes, beside that of other programs."""

import re

from .common import NUMBER, Missing, find, table


@table("cpu2/accuracy_of_schemes.txt")
def schemes(lines):
    rows = [["one thread", "seconds to 1 %", "to 0.1 %"]]
    for label, named in (
        ("crank-nicolson", "`crank-nicolson`, Courant number 0.5, `chebyshev`"),
        ("explicit", "`explicit`, Courant number 0.7"),
        ("explicit, single", "the same, single precision"),
        ("numerov, nine points", "`numerov` with `space: {order: 4}`, Courant number 0.7, `chebyshev`"),
        ("numerov, nine points, single", "the same, single precision"),
    ):
        rows.append([named] + [find(lines, rf"{re.escape(label)} +to {percent} %: ({NUMBER} s\*?|{NUMBER}\*? s\*?)")[1].replace(" s", "")
                               for percent in ("1", "0.1")])
    return rows


@table("cpu2/accuracy_of_marmousi.txt")
def marmousi(lines):
    rows = [["two threads", "cells", "error", "seconds"]]
    for line in lines:
        if found := re.match(rf"(.+?) +(\d+) m +error +({NUMBER}) % +({NUMBER}) s", line):
            rows.append([f"`{found[1]}`" if " " not in found[1] else found[1], f"{found[2]} m", f"{found[3]} %", found[4]])
    if len(rows) == 1:
        raise Missing("no line with an error")
    return rows


@table("cpu2/accuracy_peers.txt")
def accuracy_peers(lines):
    """Of each case and group of candidates the one that reaches 1 % first, or else 5 %: one thread, seconds of stepping."""
    groups = (("explicit", r"explicit"), ("implicit", r"crank-nicolson|numerov"), ("Devito", r"Devito"), ("deepwave", r"deepwave"),
              ("dolfinx", r"dolfinx"))
    rows, case, best = [["case", "settings", "1 %, double", "0.1 %", "1 %, single", "0.1 %"]], None, {}

    def seconds(text):
        return float(text.strip("<*")) if re.fullmatch(rf"<?{NUMBER}\*?", text) else float("inf")

    for line in lines:
        if found := re.match(r"(\w+) +\| 1 thread, double", line):
            case = found[1]
        elif case and (found := re.match(r"(\S.*?) *\| *(\S+) +(\S+) +(\S+) +\| *(\S+) +(\S+) +(\S+)", line)):
            group = next((name for name, pattern in groups if re.match(pattern, found[1])), None)
            if group and "error of" not in found[1]:
                order = (seconds(found[3]), seconds(found[2]))
                if order < best.setdefault((case, group), ((float("inf"),) * 2, None))[0]:
                    best[case, group] = order, [found[1], found[3], found[4], found[6], found[7]]
    for (case, _), (_, cells) in best.items():
        if cells:
            rows.append(["" if any(row[0] == case for row in rows) else case, *cells])
    if len(rows) == 1:
        raise Missing("no summary of a case")
    return rows
