"""The study of Nibbeling: triangular solves and products."""

import re

from .common import NUMBER, Missing, digits, find, table


@table("h200/papers_nibbeling_solves.txt")
def nibbeling(lines):
    rows = [["U of ILU(0)", "levels", "solve, 1 vector", "5 vectors", "50 vectors", "100 vectors", "analysis"]]

    def add(heading, named):
        levels, cells, analysis = re.search(r"(\d+) levels", heading)[1], [], None
        for vectors in (1, 5, 50, 100):
            try:
                ours, theirs = (find(lines, rf" +{vectors} +{who} +{NUMBER} +({NUMBER}) +({NUMBER})", re.escape(heading)) for who in ("ours", "cuSPARSE"))
            except Missing:
                cells.append("")
                continue
            analysis = analysis or (ours[1], theirs[1])
            cells.append(f"{digits(float(ours[2]))} / {digits(float(theirs[2]))}")
        rows.append([named, levels, *cells, " / ".join(digits(float(x)) for x in analysis)])

    for line in lines:
        if found := re.match(r"grid (\d+)\^2, (natural order|by level): ", line):
            add(line, f"{found[1]}², {found[2]}")
        elif (found := re.match(r"(\w+), by level: (\d+) rows, (\d+) entries", line)) and int(found[2]) >= 1000:
            add(line, f"{found[1]}, {int(found[3]) / int(found[2]):.0f} entries a row")
    return rows


@table("h200/papers_nibbeling.txt")
def nibbeling_products(lines):
    rows, shares = [["U of ILU(0)", "1 vector", "5 vectors", "50 vectors", "100 vectors"]], []
    for line in lines:
        if not (found := re.match(r"(.+), (natural order|by level): (\d+) rows", line)) or "(not here)" in line:
            continue
        cells = []
        for vectors in (1, 5, 50, 100):
            try:
                ours = find(lines, rf" +{vectors} +ours +({NUMBER}).* ({NUMBER})$", re.escape(line))
                theirs = find(lines, rf" +{vectors} +cuSPARSE +({NUMBER})", re.escape(line))
            except Missing:
                cells.append("")
                continue
            shares.append(min(float(ours[1]), float(ours[2])) / float(theirs[1]))
            cells.append(" / ".join(digits(float(x)) for x in (ours[1], ours[2], theirs[1])))
        if int(found[3]) >= 1000:
            rows.append([f"{found[1].replace('grid ', '').replace('^2', '²')}, {found[2]}", *cells])
    return [*rows, "", f"The faster of our two formats takes {100 * min(shares):.0f} to {100 * max(shares):.0f} % of cuSPARSE's time in these products and those of smaller matrices, {len(shares)} in all."]
