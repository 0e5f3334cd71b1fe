"""The study of Nibbeling: triangular solves and products."""

import re

from .common import NUMBER, Missing, digits, table, together

VECTORS = (1, 5, 50, 100)


class Triangle:
    """What bench_nibbeling printed of one matrix: `ours` and `theirs` by the number of vectors, each with the columns as numbers."""

    def __init__(self, heading):
        self.name, self.order = heading[1], heading[2]
        self.rows, self.entries, self.levels = (int(x) for x in heading.groups()[2:])
        self.ours, self.theirs = {}, {}
        self.named = self.name.replace("grid ", "").replace("^2", "²")

    def is_grid(self):
        return self.name.startswith("grid ")

    def pairs(self, column):
        """(vectors, ours, theirs) of all numbers of vectors that were measured."""
        return [(n, self.ours[n][column], self.theirs[n][column]) for n in VECTORS if n in self.ours and n in self.theirs]


PRODUCT, ANALYSIS, SOLVE, BOTH = "product", "analysis", "solve", "both"


def triangles(lines):
    found = []
    for line in lines:
        if heading := re.match(r"(\S.*), (natural order|by level): (\d+) rows, (\d+) entries of U, (\d+) levels", line):
            found.append(Triangle(heading))
        elif cells := re.match(rf" +(\d+)  (ours|cuSPARSE) +({NUMBER}) +({NUMBER}) +({NUMBER}) +({NUMBER})(.*)", line):
            columns = dict(zip((PRODUCT, ANALYSIS, SOLVE, BOTH), (float(x) for x in cells.groups()[2:6])))
            if cells[2] == "ours":
                columns["csr-merge"] = float(cells[7].split()[-1])
            (found[-1].ours if cells[2] == "ours" else found[-1].theirs)[int(cells[1])] = columns
    if not found:
        raise Missing("no line of a triangle")
    return found


def behind(all_of, column):
    """How many cases are ahead, and in words which are not and by how many per cent."""
    ahead, cases, names = 0, 0, []
    for t in all_of:
        more = [(n, 100 * (ours / theirs - 1)) for n, ours, theirs in t.pairs(column)]
        cases += len(more)
        slower = [(n, percent) for n, percent in more if percent >= 0]
        ahead += len(more) - len(slower)
        if slower:
            at = together([str(n) for n, _ in slower]) + (" right-hand side" if slower[-1][0] == 1 else " right-hand sides")
            named = t.named if not t.is_grid() else f"{t.named}, {t.order}"
            names.append(f"{named} with {at} (by {together([f'{percent:.0f}' for _, percent in slower])} %)")
    return ahead, cases, names


def between(least, most):
    """0.39 to 0.40, or one number where both are the same."""
    return f"{least:.2f}" if f"{least:.2f}" == f"{most:.2f}" else f"{least:.2f} to {most:.2f}"


@table("h200/papers_nibbeling.txt")
def nibbeling(lines):
    rows = [["U of ILU(0)", "levels", "solve, 1 vector", "5 vectors", "50 vectors", "100 vectors", "analysis"]]
    all_of = triangles(lines)
    for t in all_of:
        if not t.is_grid() and t.rows < 1000:
            continue
        cells = {n: f"{digits(ours)} / {digits(theirs)}" for n, ours, theirs in t.pairs(SOLVE)}
        _, ours, theirs = t.pairs(ANALYSIS)[0]
        named = f"{t.named}, {t.order}" if t.is_grid() else f"{t.named}, {t.entries / t.rows:.0f} entries a row"
        rows.append([named, str(t.levels), *(cells.get(n, "") for n in VECTORS), f"{digits(ours)} / {digits(theirs)}"])

    said = [f"With the matrices of fewer than 1000 rows there are {sum(len(t.pairs(SOLVE)) for t in all_of)} cases, each of a matrix and a number of right-hand sides."]
    for column, what in ((SOLVE, "A solve without the analysis"), (BOTH, "A solve with the analysis")):
        ahead, count, names = behind(all_of, column)
        said.append(f"{what} is faster than cuSPARSE's in {'all' if ahead == count else ahead} of them"
                    + (". It is slower for " + "; ".join(names) if names else "") + ".")
    grids = [1000 * t.ours[1][SOLVE] / t.levels for t in all_of if t.is_grid()]
    real = [1000 * t.ours[1][SOLVE] / t.levels for t in all_of if not t.is_grid() and t.levels >= 50]
    said += [f"A solve with one right-hand side takes {between(min(grids), max(grids))} us a level on grids,",
             f"and {min(real):.1f} to {max(real):.1f} us on real matrices with 50 levels or more."]
    return [*rows, "", *said]


@table("h200/papers_nibbeling.txt")
def nibbeling_products(lines):
    rows, shares, faster = [["U of ILU(0)", "1 vector", "5 vectors", "50 vectors", "100 vectors"]], [], {}
    for t in triangles(lines):
        cells = {}
        for n, ours, theirs in t.pairs(PRODUCT):
            tiles = t.ours[n]["csr-merge"]
            shares.append(min(ours, tiles) / theirs)
            cells[n] = f"{digits(ours)} / {digits(tiles)} / {digits(theirs)}"
            faster.setdefault((t.is_grid(), n > 1), []).append(tiles < ours)
        if t.rows >= 1000:
            rows.append([f"{t.named}, {t.order}", *(cells.get(n, "") for n in VECTORS)])

    def counted(grid, several):
        found = faster[grid, several]
        return f"{sum(found)} of {len(found)}"

    return [*rows, "", f"The faster of our two formats takes {100 * min(shares):.0f} to {100 * max(shares):.0f} % of cuSPARSE's time in these products and those of smaller matrices, {len(shares)} in all.",
            f"Of the two, `csr-merge` is the faster one in {counted(True, False)} products with one vector on grids and {counted(False, False)} of real matrices,",
            f"and with several vectors in {counted(True, True)} on grids and {counted(False, True)} of real matrices."]


@table("h200/papers_nibbeling.txt")
def nibbeling_absent(lines):
    absent = [found[1] for line in lines if (found := re.match(r"(\S+) \(not here\): ", line))]
    if not absent:
        raise Missing("no line of a matrix that is not here")
    there = [found[1] for k, line in enumerate(lines) if (found := re.match(r"(\S+), by level: ", line)) and "paper, GTX 480" in "".join(lines[k + 3 : k + 6])]
    return [f"The paper has GTX 480 columns for {len(absent) + len(there)} matrices. Of these, {together(there)} are in the folder; the other {len(absent)} are not, so that",
            f"the output has the paper's rows without ours: {together(absent)}."]
