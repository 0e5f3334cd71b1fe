"""The study of Flegar et al.: blocks, and IDR with adaptive storage."""

import re

from .common import NUMBER, digits, find, table


@table("h200/papers_flegar.txt")
def flegar(lines):
    columns = [("inverse: `gauss-jordan`", "extract, gauss-jordan"), ("cuBLAS `matinv`", "cuBLAS matinvBatched"), ("cuBLAS `getrf`, `getri`", "cuBLAS getrfBatched, getriBatched"),
               ("factors: `lu`", "extract, lu"), ("cuBLAS `getrf`", "cuBLAS getrfBatched "), ("apply the inverse", "apply gauss-jordan, double"),
               ("cuBLAS `gemv`", "cuBLAS gemvStridedBatched of inverses"), ("apply the factors", "apply lu, double"), ("cuBLAS `getrs`", "cuBLAS getrsBatched")]
    rows = [["block", *(heading for heading, _ in columns)]]
    for n in (4, 8, 16, 32):
        rows.append([str(n), *(digits(float(find(lines, rf" *{n}  {re.escape(what)} *({NUMBER}) ms")[1])) for _, what in columns)])
    return rows


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
    for name in ("nos1", "olm1000"):
        found = find(lines, rf"{name} .*?([+-]{NUMBER}) % +{NUMBER} % +(-?{NUMBER}) %$")
        rows.append([f"{name}: more iterations; energy saved", f"{found[1]} %; {found[2]} %"])
    return rows
