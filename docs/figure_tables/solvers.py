"""All methods, initial guesses, the speed of a step."""

import re

from .common import NUMBER, Missing, digits, find, table


# The newest first: a method's figure is that of the first file that has it.
@table("h200/methods_cg.txt", "h200/methods.txt", "h200/methods_multigrid.txt", "h200/methods_multigrid_a05.txt", "h200/methods_sine.txt", "h200/methods_4095_8191.txt",
       "h200/methods_1023.txt")
def methods(*files):
    rows = [["method", "1023², a = 0.5", "1023², a = 50", "8191², a = 0.5", "8191², a = 50"]]
    # The file of sine transforms ends with runs in single precision, after the sixth heading.
    files = list(files)
    places = [i for i, line in enumerate(files[4]) if line.startswith("wavesim ")]
    files[4] = files[4][: places[5]]

    def solve(name, n, a):
        for lines in files:
            try:
                found = find(lines, rf" *{n}  a = {re.escape(a)} +{re.escape(name)} +({NUMBER}) ms +(\d+) iterations")
            except Missing:
                continue
            return f"{digits(float(found[1]))} ({found[2]})"
        return ""

    for name, named in (
        ("chebyshev", "`chebyshev`"), ("cg", "`cg`"), ("cg-onchip", "`cg-onchip`"), ("cg+multigrid", "`cg` + `multigrid`"),
        ("cg+multigrid-single", "`cg` + `multigrid`, `arithmetic: single`"), ("sine-transform", "`sine-transform`"),
        ("cg+polynomial", "`cg` + `polynomial`"), ("cg+ssor", "`cg` + `ssor` (colours)"), ("cg+isai", "`cg` + `isai`"),
        ("cg+jacobi", "`cg` + `jacobi`"), ("cg+block-jacobi", "`cg` + `block-jacobi` (32)"), ("cg+ic0", "`cg` + `ic0`"),
        ("refinement", "`refinement`"), ("multigrid", "`multigrid`"), ("pipelined-cg", "`pipelined-cg`"), ("bicgstab", "`bicgstab`"),
        ("bicgstab+ilu0", "`bicgstab` + `ilu0`"), ("cgs", "`cgs`"), ("tfqmr", "`tfqmr`"), ("bicg", "`bicg`"), ("idr", "`idr`, s = 4"),
        ("fcg", "`fcg`"), ("gmres", "`gmres`, restart 30"), ("jacobi", "`jacobi`"),
        ("gauss-seidel", "`gauss-seidel`, `sor` at weight 1 (colours)"),
    ):
        rows.append([named] + [solve(name, n, a) for n in (1023, 8191) for a in ("0.5", "50")])
        if not any(rows[-1][1:]):
            raise Missing(f"no line of '{name}'")
    return rows


@table("h200/guesses.txt")
def guesses(lines):
    configs = [(c, t) for c in ("drum", "marmousi", "gulf", "membrane_4096") for t in ("default", "1e-8")]
    rows = [["guess"] + [c + (" at 1e-8" if t == "1e-8" else "") for c, t in configs]]
    for guess, named in (("previous", "`previous`"), ("extrapolate:0", "`extrapolate`, degree 0"), ("extrapolate:1", "degree 1"),
                         ("extrapolate:2", "degree 2"), ("projection:2", "`projection`, 2 solutions"), ("projection:4", "4"), ("projection:7", "7")):
        row = [named]
        for config, tolerance in configs:
            found = find(lines, rf"{config} {tolerance} {guess}: .*?({NUMBER}) steps/s.*?({NUMBER}) mean")
            row.append(f"{found[2]} ({float(found[1]):.0f})")
        rows.append(row)
    return rows


@table("h200/steps.txt", "h200/steps_others.txt", "h200/solvers_double.txt", "h200/solvers_csr.txt", "cpu16/steps.txt")
def speed(newer, others, double, csr, cpu):
    steps = [*newer, *others]

    def step(lines, label):
        return f"{digits(float(find(lines, rf'{re.escape(label)} +({NUMBER}) ms a step')[1]))} ms"

    ours = float(find(double, rf"double +8191  stencil: cg to 1e-8 +({NUMBER}) ms", r"  a = 0\.5,")[1])
    theirs = float(find(csr, rf"double +8191  cuSPARSE CSR, cuBLAS: cg to 1e-08, a = 0\.5 +({NUMBER}) ms")[1])
    return [
        ["in double precision", ""],
        ["a step of 8192 x 8192 cells on an NVIDIA H200, `chebyshev`", step(steps, "chebyshev, default tolerance")],
        ["`cg`", step(steps, "cg, default tolerance")],
        ["`sine-transform`, at any time step", step(steps, "sine-transform, Courant number 10")],
        ["`explicit`", step(steps, "explicit, Courant number 0.7")],
        ["a solve with `cg` on `stencil`, 8191 x 8191 unknowns, 20 iterations", f"{digits(ours)} ms"],
        ["the same by cuSPARSE and cuBLAS", f"{digits(theirs)} ms"],
        ["a step of 4096 x 4096 cells on 16 CPU cores, `chebyshev`", step(cpu, "chebyshev, default tolerance")],
    ]
