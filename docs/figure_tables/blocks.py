"""The study of Flegar et al.: blocks, and IDR with adaptive storage."""

import re

from .common import NUMBER, Missing, digits, find, table, together


def time_of(lines, n, what):
    return float(find(lines, rf" *{n}  {re.escape(what)} *({NUMBER}) ms")[1])


@table("h200/papers_flegar.txt")
def flegar(lines):
    columns = [("inverse: `gauss-jordan`", "extract, gauss-jordan"), ("cuBLAS `matinv`", "cuBLAS matinvBatched"), ("cuBLAS `getrf`, `getri`", "cuBLAS getrfBatched, getriBatched"),
               ("factors: `lu`", "extract, lu"), ("cuBLAS `getrf`", "cuBLAS getrfBatched "), ("apply the inverse", "apply gauss-jordan, double"),
               ("cuBLAS `gemv`", "cuBLAS gemvStridedBatched of inverses"), ("apply the factors", "apply lu, double"), ("cuBLAS `getrs`", "cuBLAS getrsBatched")]
    rows = [["block", *(heading for heading, _ in columns)]]
    for n in (4, 8, 16, 32):
        rows.append([str(n), *(digits(time_of(lines, n, what)) for _, what in columns)])

    sizes = sorted({int(found[1]) for line in lines if (found := re.match(r" *(\d+)  extract, lu ", line))})
    said = []
    for what, ours, *theirs in (("inverses", columns[0][1], columns[1][1], columns[2][1]), ("factorisations", columns[3][1], columns[4][1]),
                                ("applications of inverses", columns[5][1], columns[6][1]), ("applications of factors", columns[7][1], columns[8][1])):
        more = {n: 100 * (time_of(lines, n, ours) / min(time_of(lines, n, peer) for peer in theirs) - 1) for n in sizes}
        slower = {n: percent for n, percent in more.items() if percent >= 0}
        said.append(f"{what.capitalize()} are faster than cuBLAS's at {'all' if not slower else len(sizes) - len(slower)} of {len(sizes)} sizes from {sizes[0]} to {sizes[-1]} rows"
                    + (f", and slower at {together([str(n) for n in slower])} rows (by {together([f'{x:.0f}' for x in slower.values()])} %)" if slower else "") + ".")
    return [*rows, "", *said]


@table("h200/papers_flegar.txt")
def flegar_idr(lines):
    solved = find(lines, r"of (\d+) matrices IDR solves (\d+) with none, (\d+) with jacobi, (\d+) with block, (\d+) with adaptive")
    shares = find(lines, rf"shares of the blocks, mean over matrices: ({NUMBER}) % half, ({NUMBER}) % single, ({NUMBER}) % double")
    more = find(lines, rf"iterations with adaptive storage: at most 5 % more for (\d+) of (\d+) matrices, median ([+-]{NUMBER}) %")
    energy = find(lines, rf"energy foreseen with adaptive storage: median ({NUMBER}) % less")
    rows = [["IDR on real matrices, blocks of at most 32 rows", ""],
            ["matrices", solved[1]],
            ["solved without a preconditioner", solved[2]],
            ["with scalar Jacobi", solved[3]],
            ["with block-Jacobi, in double precision", solved[4]],
            ["with block-Jacobi, adaptive", solved[5]],
            ["blocks in half, single, double precision", " %, ".join(shares.groups()) + " %"],
            ["at most 5 % more iterations with adaptive storage", f"{more[1]} of {more[2]}"],
            ["more iterations, median", f"{more[3]} %"],
            ["energy saved by the paper's model, median", f"{energy[1]} %"]]
    grown = []
    for line in lines:  # double and adaptive, the shares, more iterations, energy of an iteration and of the solve
        if (found := re.match(rf"(\S+) .* (\d+) +(\d+)(?: +{NUMBER} %){{3}} +\+({NUMBER}) % +-?{NUMBER} % +(-?{NUMBER}) %$", line)) and float(found[4]) > 5:
            grown.append(f"{found[1]} (+{found[4]} %, {found[2]} to {found[3]}; energy saved {found[5]} %)")
    if len(grown) != int(more[2]) - int(more[1]):
        raise Missing("the lines of matrices differ from their summary")
    return [*rows, "", f"More than 5 % more iterations: {together(grown)}."]
