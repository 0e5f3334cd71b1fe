"""Beside other libraries, on a GPU and on a CPU; the choices of `method: auto`."""

import re

from .common import NUMBER, Missing, Target, digits, find, table


@table("h200/targets.txt", "h200/solvers_csr.txt", "h200/solvers_double.txt")
def libraries(targets, csr, double):
    rows = [["", "ours", "cuBLAS, cuSPARSE", "times as fast"]]

    def row(what, ours, theirs):
        rows.append([what, digits(ours), digits(theirs), f"{theirs / ours:.1f}"])

    for n in (4, 8, 16, 32):
        for what, named in ((f"block-Jacobi set-up, blocks of {n}", f"`block-jacobi` set-up, blocks of {n}"),
                            (f"block-Jacobi application, blocks of {n}", "application")):
            t = Target(targets, what)
            row(named, t.number, min(t.others))
    for what, named in (("triangular solve", "solve with U of ILU(0), 4096²"), ("triangular analysis", "its analysis")):
        t = Target(targets, f"{what}, five-point ILU(0), 4096², natural order")
        row(named, t.number, t.others[0])
    theirs = float(find(csr, rf"double +8191  cuSPARSE CSR, cuBLAS: cg to 1e-08, a = 0\.5 +({NUMBER}) ms")[1])
    row("`cg` on `csr` to 1e-8, a = 0.5, 8191²", float(find(csr, rf"double +8191  csr: cg to 1e-8 +({NUMBER}) ms")[1]), theirs)
    row("the same on `stencil`", float(find(double, rf"double +8191  stencil: cg to 1e-8 +({NUMBER}) ms", r"  a = 0\.5,")[1]), theirs)
    return rows


@table("h200/regret.txt", "h200/regret_2048.txt", "cpu16/regret.txt")
def regret(*files):
    rows = [["", "H200, configs and 512² cells", "H200, with 2048² cells", "16 CPU cores"]]
    found = [[float(x) for line in lines for x in re.findall(r"^ *regret of auto ([+-][\d.]+) %", line)] for lines in files]
    if not all(found):
        raise Missing("no regret")
    rows.append(["runs"] + [str(len(x)) for x in found])
    rows.append(["least and largest, %"] + [f"{min(x):+.1f}, {max(x):+.1f}" for x in found])
    return rows


@table("cpu16/peers.txt", "cpu16/petsc.txt")
def peers(ours, petsc):
    rows = [["4095², a = 0.5, to 1e-8", "solve", "an iteration", "share of triad", "product: share"]]
    for label, named in (("wavesim stencil", "`cg` on `stencil`"), ("wavesim dia", "`cg` on `dia`"), ("wavesim ellpack-r", "`cg` on `ellpack-r`"),
                         ("wavesim stencil, chebyshev", "`chebyshev` on `stencil`"), ("PETSc, assembled", "PETSc 3.18, 16 processes"),
                         ("Eigen, matrix-free", "Eigen 3.4, matrix-free"), ("Eigen, assembled", "Eigen 3.4, assembled")):
        lines = petsc if "PETSc" in label else ours
        found = find(lines, rf" *4095  a = 0\.5  {re.escape(label)} +({NUMBER}) ms +\d+ iterations, +({NUMBER}) ms each.*?(?:, (\d+ %) of triad)?$")
        try:
            product = find(ours, rf" *4095  a = 0\.5  {re.escape(label)}, product .*, (\d+ %) of triad")[1]
        except Missing:
            product = ""
        rows.append([named, digits(float(found[1])), digits(float(found[2])), found[3] or "", product])
    return rows


@table("cpu16/steps.txt")
def steps_cpu(lines):
    rows = [["4096² cells", "constant medium", "varying medium"]]
    for label, named in (("chebyshev, 1e-8", "`chebyshev`, to 1e-8"), ("chebyshev, default tolerance", "default tolerance"),
                         ("cg, 1e-8", "`cg`, to 1e-8"), ("cg, default tolerance", "default tolerance")):
        rows.append([named] + [digits(float(find(lines, rf"{medium}{re.escape(label)} +({NUMBER}) ms a step")[1]))
                               for medium in ("", "varying speed, ")])
    return rows
