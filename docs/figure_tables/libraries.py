"""Beside other libraries, on a GPU and on a CPU; the choices of `method: auto`."""

import re

from .common import NUMBER, Missing, Target, beyond, digits, find, processor, table, together


@table("h200/targets.txt", "h200/solvers_csr.txt", "h200/solvers_double.txt")
def libraries(targets, csr, double):
    rows = [["", "ours", "cuBLAS, cuSPARSE", "times as fast", "target", ""]]

    def row(what, ours, theirs, meant=None):
        rows.append([what, digits(ours), digits(theirs), f"{theirs / ours:.1f}", *([digits(float(meant.target)), meant.met()] if meant else ["", ""])])

    for n in (4, 8, 16, 32):
        for what, named in ((f"block-Jacobi set-up, blocks of {n}", f"`block-jacobi` set-up, blocks of {n}"),
                            (f"block-Jacobi application, blocks of {n}", "application")):
            t = Target(targets, what)
            row(named, t.number, min(t.others), t)
    for what, named in (("triangular solve", "solve with U of ILU(0), 4096²"), ("triangular analysis", "its analysis")):
        t = Target(targets, f"{what}, five-point ILU(0), 4096², natural order")
        row(named, t.number, t.others[0], t)
    theirs = float(find(csr, rf"double +8191  cuSPARSE CSR, cuBLAS: cg to 1e-08, a = 0\.5 +({NUMBER}) ms")[1])
    row("`cg` on `csr` to 1e-8, a = 0.5, 8191²", float(find(csr, rf"double +8191  csr: cg to 1e-8 +({NUMBER}) ms")[1]), theirs)
    row("the same on `stencil`", float(find(double, rf"double +8191  stencil: cg to 1e-8 +({NUMBER}) ms", r"  a = 0\.5,")[1]), theirs)
    return rows


@table("h200/study_cusparse.txt")
def study_cusparse(lines):
    """What `wavesim study bench/study_cusparse.yaml` printed; the stencil is the format of the run, which candidates do not name."""
    formats, units, point, of = ("csr", "csr-merge", "ellpack-r", "cusparse", "stencil"), {"ns": 1e-6, "us": 1e-3, "ms": 1, "s": 1000}, None, {}
    for line in lines:
        if found := re.match(rf"(\d+) x \d+ cells, Courant ({NUMBER})$", line):
            of[point := found.groups()] = {}
        elif point and (found := re.match(rf"  (cg|bicgstab)(?: (\S+))? +({NUMBER}) (ns|us|ms|s) +{NUMBER} \S+ +({NUMBER}) .*[\d%]$", line)):
            of[point][found[1], found[2] or "stencil"] = float(found[3]) * units[found[4]], found[5]
    rows, quotients = [["milliseconds of a solve", *(f"{n}² cells, Courant number {courant}" for n, courant in of)]], {name: [] for name in formats if name != "cusparse"}
    for method in ("cg", "bicgstab"):
        for name in formats:
            found = [solves.get((method, name)) for solves in of.values()]
            if not all(found):
                raise Missing(f"no solve by {method} on {name} at each point")
            rows.append([f"`{method}` on `{name}`", *(f"{digits(ms)} ({iterations})" for ms, iterations in found)])
        for name, times in quotients.items():
            times += [solves[method, "cusparse"][0] / solves[method, name][0] for solves in of.values()]
    said = [f"{digits(min(times))} to {digits(max(times))} of that on `{name}`" for name, times in quotients.items()]
    return [*rows, "", f"In brackets are the iterations. A solve with the products of cuSPARSE takes {together(said)}."]


@table("h200/csr_products.txt")
def rows_of_lengths(lines):
    """Prototypes of products on matrices of a million entries or more; of each kind the fastest, of tiles those that became csr-merge."""
    kinds = (("tiles, `csr-merge`", "row tiles 256 x 4"), ("CSR5", "csr5"), ("merge path", "merge"), ("cuSPARSE", "cuSPARSE"))
    rows, found, measured = [["milliseconds of a product", *(named for named, _ in kinds)]], [], []

    def add(named, count):
        times = [min(float(line[2]) for line in found if line[1].startswith(kind)) for _, kind in kinds]
        rows.append([f"{named}, {int(count) / 1e6:.1f} million entries", *(digits(ms) for ms in times)])
        measured.append(times)

    matrix = None
    for line in [*lines, "end: 0 rows, 0 entries"]:
        if heading := re.match(r"(.+): \d+ rows, (\d+) entries", line):
            if matrix and int(matrix[2]) >= 1000000:
                add(matrix[1].replace("^2", "²"), matrix[2])
            matrix, found = heading, []
        elif time := re.match(rf"  (\S.*?)  +({NUMBER}) +\d+ ", line):
            found.append(time)
    if not measured:
        raise Missing("no matrix of a million entries")
    said = []
    for kind, (named, _) in list(enumerate(kinds))[1:]:
        less = [100 * (1 - times[kind] / times[0]) for times in measured]
        ahead = sum(percent > 0 for percent in less)
        said.append(f"{named} is faster than tiles on {ahead or 'none'} of the {len(less)}" + (f" (by up to {max(less):.0f} %)" if ahead else ""))
    return [*rows, "", "; ".join(said).replace("merge path is", "the merge path is") + "."]


@table("h200/regret.txt", "h200/regret_2048.txt", "cpu16/regret.txt")
def regret(*files):
    rows = [["", "H200, configs and 512² cells", "H200, with 2048² cells", "16 CPU cores"]]
    found = [[float(x) for line in lines for x in re.findall(r"^ *regret of auto ([+-][\d.]+) %", line)] for lines in files]
    if not all(found):
        raise Missing("no regret")
    rows.append(["runs"] + [str(len(x)) for x in found])
    rows.append(["least and largest, %"] + [f"{min(x):+.1f}, {max(x):+.1f}" for x in found])
    more = []
    for lines, device in zip(files, ("the H200", "the H200, with 2048² cells", "16 CPU cores")):
        for line in lines:
            if heading := re.match(r"(\S+(?: \w+)?), Courant (\S+), \d+ steps$", line):
                case = f"{heading[1]} at Courant number {heading[2]}"
            elif (found := re.match(r" *regret of auto ([+-][\d.]+) %", line)) and float(found[1]) > 5:
                more.append(f"{case} on {device}, {found[1]} %")
    return [*rows, "", f"The target is 5 %. It is missed by {together(more)}." if more else "The target is 5 %. All runs meet it."]


def beside(ours, petsc):
    """Conjugate gradients beside Eigen's and PETSc's on all cores of a machine."""
    rows = [["4095², a = 0.5, to 1e-8", "solve", "an iteration", "share of triad", "product: share", "times as fast as PETSc"]]
    peer = float(find(petsc, rf" *4095  a = 0\.5  PETSc, assembled +({NUMBER}) ms")[1])
    each = float(find(petsc, rf" *4095  a = 0\.5  PETSc, assembled +{NUMBER} ms +\d+ iterations, +({NUMBER}) ms each")[1])
    triad, bound = float(find(ours, rf" *4095  triad ({NUMBER}) GB/s")[1]), {}
    release = find(petsc, r"PETSc (\d+\.\d+)\S*, (\d+) process")
    eigen = find(ours, r" *4095  triad .*, Eigen (\d+\.\d+)")

    def share(percent):
        """Of the triad, where 90 % are meant."""
        return "" if not percent else f"{percent} %" + ("" if int(percent) >= 90 else f" ({beyond(90, int(percent))})")

    for label, named in (("wavesim stencil", "`cg` on `stencil`"), ("wavesim dia", "`cg` on `dia`"), ("wavesim ellpack-r", "`cg` on `ellpack-r`"),
                         ("wavesim stencil, chebyshev", "`chebyshev` on `stencil`"), ("PETSc, assembled", f"PETSc {release[1]}, {release[2]} processes"),
                         ("Eigen, matrix-free", f"Eigen {eigen[1]}, matrix-free"), ("Eigen, assembled", f"Eigen {eigen[1]}, assembled")):
        lines = petsc if "PETSc" in label else ours
        found = find(lines, rf" *4095  a = 0\.5  {re.escape(label)} +({NUMBER}) ms +\d+ iterations, +({NUMBER}) ms each.*?(?:, ({NUMBER}) GB/s, (\d+) % of triad)?$")
        try:
            product = find(ours, rf" *4095  a = 0\.5  {re.escape(label)}, product .*, (\d+) % of triad")[1]
        except Missing:
            product = ""
        times, streamed = peer / float(found[1]), "chebyshev" in label
        fast = f"{times:.2f}" + (f" ({beyond(1.5, times)})" if label in ("wavesim stencil", "wavesim dia", "wavesim ellpack-r") else "")
        rows.append([named, digits(float(found[1])), digits(float(found[2])), f"{found[4]} %" if streamed else share(found[4]), share(product), "" if "PETSc" in label else fast])
        if found[3]:
            bound[named] = float(found[2]) * float(found[3]) / triad, float(found[1]) / peer, found[4]
    said = [f"The triad of the run moves {triad:.0f} GB/s. The targets of `cg` are 90 % of it, and 1.5 times the speed of PETSc."]
    said += [f"{named} takes {100 * (quotient - 1):.0f} % longer than PETSc, at {percent} % of the triad." for named, (_, quotient, percent) in bound.items() if quotient > 1]
    name, threads = processor(ours)
    limits = [(named, bound[named][0]) for named in ("`cg` on `dia`", "`cg` on `ellpack-r`")]
    return [*rows, "", *said, f"At the speed of the triad an iteration would take {together([f'{digits(ms)} ms for {named}' for named, ms in limits])}: {together([f'{each / ms:.2f}' for _, ms in limits])} times as fast as PETSc.",
            f"Processor: {name}, {threads} threads."]


@table("cpu16/peers.txt", "cpu16/petsc.txt")
def peers(ours, petsc):
    return beside(ours, petsc)


@table("cpu2/peers.txt", "cpu2/petsc.txt")
def peers_two(ours, petsc):
    return beside(ours, petsc)


def streamed(lines):
    """Steps in time of the streamed chebyshev beside those of cg on all cores of a machine."""
    rows = [["4096² cells", "constant medium", "varying medium"]]
    media = ("", "varying speed, ")
    times = {label: [float(find(lines, rf"{medium}{re.escape(label)} +({NUMBER}) ms a step")[1]) for medium in media]
             for label in ("chebyshev, 1e-8", "chebyshev, default tolerance", "cg, 1e-8", "cg, default tolerance")}
    for label, named in zip(times, ("`chebyshev`, to 1e-8", "default tolerance", "`cg`, to 1e-8", "default tolerance")):
        rows.append([named] + [digits(ms) for ms in times[label]])
    for tolerance, named in (("1e-8", "times as fast as `cg`, to 1e-8"), ("default tolerance", "default tolerance")):
        quotients = [cg / ms for cg, ms in zip(times[f"cg, {tolerance}"], times[f"chebyshev, {tolerance}"])]
        rows.append([named] + [f"{quotient:.1f} ({beyond(3, quotient)})" for quotient in quotients])
    name, threads = processor(lines)
    return [*rows, "", f"The target is a step 3 times as fast as one of `cg`. Processor: {name}, {threads} threads."]


@table("cpu16/steps.txt")
def steps_cpu(lines):
    return streamed(lines)


@table("cpu2/steps.txt")
def steps_two(lines):
    return streamed(lines)
