#!/usr/bin/env python3
"""docs/figures.py [--check] [--root FOLDER]

Writes the tables of measurements into README.md and the pages of docs/. Between the lines `<!-- figures: NAME -->` and
`<!-- end of figures -->` stands what the function NAME below makes of files in bench/results; the first line names
these files and their date. With --check it writes nothing and names the tables that differ.

Exit status: 0 written, or nothing differs; 1 a table differs; 2 a table has no function, or a file lacks a figure."""

import argparse
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
NUMBER = r"\d+(?:\.\d+)?(?:e[+-]?\d+)?"
MARK = re.compile(r"(<!-- figures: (\S+) -->\n)(.*?)(<!-- end of figures -->)", re.DOTALL)
TABLES = {}


class Missing(Exception):
    pass


def table(*files):
    """Registers a function of the files' lines that returns the rows of a table, the heading first, and lines of text, which stand as they are."""

    def register(function):
        TABLES[function.__name__] = (files, function)
        return function

    return register


def digits(value):
    """Three digits, as tables have them."""
    return f"{value:.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}" if value >= 1 else f"{value:#.3g}"


def find(lines, pattern, under=None):
    """The first match at the start of a line; with `under`, below a heading that matches it and above the next one."""
    below = under is None
    for line in lines:
        if under and re.match(r"  a = |--- |grid |table \d|CPU with |\w+, by level: ", line):
            below = bool(re.match(under, line))
        elif below and (found := re.match(pattern, line)):
            return found
    plain = re.sub(r"\\(\W)", r"\1", pattern.replace(NUMBER, "NUMBER"))
    raise Missing(f"no line like '{plain}'" + (f" under '{under}'" if under else ""))


class Target:
    """A row of bench/targets' table: milliseconds, or percents for what output costs."""

    def __init__(self, lines, what):
        for line in lines:
            cells = [cell.strip() for cell in line.split(" | ")]
            if cells[0] == what:
                break
        else:
            raise Missing(f"no row '{what}'")
        self.text, self.floor, self.target, self.share, self.verdict = cells[1:6]
        self.number = float(self.text.split()[0])
        self.others = [float(x) for x in re.findall(rf"cu[A-Z][^,]*?(?:, getri\w*)?(?: of inverses)? ({NUMBER})(?=,|:|$)", self.verdict)]

    def met(self):
        return re.match(r"met|missed by \d+ %|missed|", self.verdict)[0]


@table("h200/targets.txt")
def kernels(lines):
    rows = [["kernel", "4095², double", "8191², double", "4095², single", "8191², single"]]
    for what, double, single in (("product with <p, q>, dia", 7, 7), ("product with <p, q>, ellpack-r", 10, 13),
                                 ("assembly, dia", 5, 5), ("assembly, ellpack-r", 8, 11)):
        found = [Target(lines, f"{what}, {words} words, {n}², {precision}")
                 for precision, words in (("double", double), ("single", single)) for n in (4095, 8191)]
        words = f"{double} words" if double == single else f"{double} words, single {single}"
        rows.append([f"{what.replace('ellpack-r', '`ellpack-r`').replace('dia', '`dia`')}, {words}"]
                    + [f"{digits(t.number)} ({t.share})" for t in found])
    return rows


@table("h200/targets.txt")
def solves(lines):
    rows = [["at 8191²", "ms", "floor", "share", "target", ""]]
    for what, named in (
        ("cg on stencil, 8 words, 8191², an iteration", "`cg` on `stencil`, 8 words, an iteration"),
        ("cg on dia, 16 words, 8191², an iteration", "`cg` on `dia`, 16 words, an iteration"),
        ("cg on ellpack-r, 19 words, 8191², an iteration", "`cg` on `ellpack-r`, 19 words, an iteration"),
        ("bicgstab on stencil, 19 words, 8191², an iteration", "`bicgstab` on `stencil`, 19 words, an iteration"),
        ("bicgstab on dia, 29 words, 8191², an iteration", "`bicgstab` on `dia`, 29 words, an iteration"),
        ("8 sweeps for a given b, 3 words, 8191²", "eight sweeps, 3 words"),
        ("8 sweeps with the right-hand side, 4 words, 8191²", "the same as a fused step, 4 words"),
        ("8 sweeps for a given b, varying medium, 6 words, 8191²", "eight sweeps, varying medium, 6 words"),
        ("8 sweeps with the right-hand side, varying medium, 7 words, 8191²", "the same as a fused step, 7 words"),
        ("sine-transform, a solve, 17.5 words, 8191²", "`sine-transform`, a solve, 17.5 words"),
        ("cg + multigrid, a = 50, to 1e-8, 6 x 12.67 words, 8191²", "`cg` with `multigrid` to 1e-8, 6 x 12.67 words"),
        ("the same, cycles in single precision, 8191²", "the same, `arithmetic: single`"),
    ):
        t = Target(lines, what)
        rows.append([named, digits(t.number), t.floor and digits(float(t.floor)), t.share, digits(float(t.target)), t.met()])
    return rows


@table("h200/targets.txt")
def small(lines):
    rows = [["microseconds an iteration", "256²", "512²", "1024²"]]
    for what in ("cg on stencil, one graph a solve", "cg on dia, one graph a solve", "cg on ellpack-r, one graph a solve", "cg-onchip"):
        found = [Target(lines, f"{what}, {n}², an iteration") for n in (256, 512, 1024)]
        named = re.sub(r"^(\S+)(?: on (\S+))?,? ?.*", lambda m: f"`{m[1]}`" + (f" on `{m[2].rstrip(',')}`" if m[2] else ""), what)
        rows.append([named] + [f"{1000 * t.number:.1f} ({1000 * float(t.target):.0f})" for t in found])
    return rows


@table("h200/steps.txt")
def steps(lines):
    def step(label):
        try:
            found = find(lines, rf"{re.escape(label)} +({NUMBER}) ms a step +\d+ least, ({NUMBER}) mean")
        except Missing:
            return ""
        passes = float(found[2]) / 8
        return digits(float(found[1])) + (f" ({passes:.3g})" if "chebyshev" in label else "")

    rows = [["8192² cells", "constant medium", "varying medium"]]
    for label, named in (
        ("explicit, Courant number 0.7", "`explicit`, Courant number 0.7"),
        ("chebyshev, 1e-8", "`chebyshev`, pulse, to 1e-8"),
        ("chebyshev, default tolerance", "the same, default tolerance"),
        ("chebyshev, 1e-8, pulse of 40 cells", "`chebyshev`, pulse of 40 cells, to 1e-8"),
        ("chebyshev, 1e-8, rough field", "`chebyshev`, rough field, to 1e-8"),
        ("chebyshev, 1e-5, single", "`chebyshev`, single precision, to 1e-5"),
        ("cg, 1e-8", "`cg`, pulse, to 1e-8"),
        ("cg, default tolerance", "the same, default tolerance"),
        ("cg, 1e-8, rough field", "`cg`, rough field, to 1e-8"),
        ("sine-transform, Courant number 10", "`sine-transform`, Courant number 10"),
    ):
        rows.append([named, step(label), step(f"varying speed, {label}")])
        if not rows[-1][1]:
            raise Missing(f"no line '{label}'")
    return rows


@table("h200/steps_small.txt", "h200/small.txt")
def steps_small(lines, alone):
    rows = [["microseconds a step", "128²", "512²", "1024²"]]
    for label, named in (("explicit, Courant number 0.7", "`explicit`, Courant number 0.7"), ("chebyshev, 1e-8", "`chebyshev` to 1e-8"),
                         ("chebyshev, default tolerance", "the same, default tolerance")):
        found = [find(lines, rf"{re.escape(label)} +({NUMBER}) ms a step +\d+ least, ({NUMBER}) mean", f"grid {size}$") for size in (128, 512, 1024)]
        passes = [float(f[2]) / 8 for f in found]
        rows.append([named] + [f"{1000 * float(f[1]):.1f}" + (f" ({n:.3g})" if n else "") for f, n in zip(found, passes)])
    rows.append(["the target of `chebyshev`", "15", "15", "25"])
    one = [1000 * float(find(alone, rf"double +{n} +stencil: 8 sweeps, step in time +({NUMBER}) ms")[1]) for n in (511, 1023)]
    return rows + [["one pass alone, without the look at its norms", ""] + [f"{t:.1f}" for t in one]]


@table("h200/steps_nine_points.txt")
def steps_nine_points(lines):
    rows = [["8192² cells, constant medium", "milliseconds a step", "iterations"]]
    for label, named in (
        ("chebyshev, 1e-7", "`chebyshev`, pulse, to 1e-7"),
        ("chebyshev, 1e-7, rough field", "`chebyshev`, rough field, to 1e-7"),
        ("chebyshev, 1e-5, single", "`chebyshev`, single precision, to 1e-5"),
        ("chebyshev, damped, 1e-7", "`chebyshev`, damped, pulse, to 1e-7"),
        ("cg, 1e-7", "`cg`, pulse, to 1e-7"),
        ("cg on dia, 1e-7", "the same on `dia`"),
        ("cg, 1e-5, single", "`cg`, single precision, to 1e-5"),
    ):
        found = find(lines, rf"nine points, numerov, {re.escape(label)} +({NUMBER}) ms a step +\d+ least, ({NUMBER}) mean")
        rows.append([named, digits(float(found[1])), found[2]])
    return rows


@table("h100/steps_explicit.txt")
def steps_explicit(lines):
    def step(size, label):
        try:
            return digits(float(find(lines, rf"{label} +({NUMBER}) ms a step", f"grid {size}")[1]))
        except Missing:
            return ""

    rows = [["`explicit`, milliseconds a step", "constant medium", "varying medium"]]
    for size in (8192, 2048, 512):
        for label, named in (("", "double precision"), (", single", "single precision"), (", maxima", "double precision, with `max-displacement`")):
            label = f"explicit, Courant number 0.7{label}"
            rows.append([f"{size}² cells, {named}", step(size, label), step(size, f"varying speed, {label}")])
            if not rows[-1][1]:
                raise Missing(f"no line '{label}' under 'grid {size}'")
    return rows


SCALED = (("explicit", "`explicit`"), ("chebyshev", "`chebyshev`, one pass a step"), ("varying speed, chebyshev", "`chebyshev`, one pass a step, varying speed"),
          ("nine points, numerov, chebyshev", "`numerov` with nine points, `chebyshev`"), ("cg", "`cg`"))


LARGE_STEPS = (("cg with multigrid, Courant number 10", "`cg` with `multigrid`, Courant number 10"),
               ("sine-transform, Courant number 10", "`sine-transform`, Courant number 10"))


def case_of(line):
    return re.split(" {2,}", line)[0]


def scaled(measured, foreseen, sizes, counts):
    """Of each case that was measured: milliseconds of one GPU, the slowest, and of several, with the efficiency."""

    def first(lines, pattern):
        return next((found.groups() for line in lines if (found := re.match(pattern, line))), None)

    def of(case, gpus):  # milliseconds, efficiency
        return first(measured, rf"{re.escape(case)} +{gpus} +({NUMBER}) +{NUMBER} +{NUMBER} +({NUMBER}) %")

    rows = [["milliseconds a step", "one GPU"] + [word for n in counts for word in (f"{n} GPUs", "efficiency", "foreseen")]]
    for size, sized in sizes:
        for name, named in (*SCALED, *LARGE_STEPS):
            case = f"{size}, {name}"
            alone = [float(found[0]) for k in range(max(counts)) if (found := of(case, rf"1 \(GPU {k}\)"))]
            if not alone:
                continue
            model = dict(zip((2, 4, 8), first(foreseen, rf"{re.escape(case)} +({NUMBER}) +({NUMBER}) +({NUMBER})$") or ()))
            row = [f"{sized}, {named}", digits(max(alone))]
            for n in counts:
                if found := of(case, n):
                    row += [digits(float(found[0])), f"{found[1]} %", f"{float(model[n]):.0f} %" if model else ""]
                else:
                    row += [""] * 3
            rows.append(row)
    if len(rows) == 1:
        raise Missing("no line of a case")
    return rows


@table("h200/scaling.txt", "h200/efficiency.txt")
def scaling(measured, foreseen):
    return scaled(measured, foreseen, (("weak 8192^2", "8192² a GPU"), ("strong 8192^2", "8192² in all")), (2, 4))


@table("h200/scaling_sizes.txt", "h200/efficiency.txt")
def scaling_sizes(measured, foreseen):
    return scaled(measured, foreseen, [(f"strong {n}^2", f"{n}² in all") for n in (16384, 8192, 4096, 2048)], (2,))


@table("h200/scaling_two.txt", "h200/efficiency.txt", "h200/scaling.txt", "h200/scaling_sizes.txt")
def scaling_two(measured, foreseen, *later):
    known = {case_of(line) for lines in later for line in lines}
    more = [line for line in measured if case_of(line) not in known]
    return scaled(more, foreseen, (("strong 8192^2", "8192² in all"), ("strong 4096^2", "4096² in all")), (2,))


@table("h200/shots.txt")
def shots(lines):
    rows = [["microseconds a step of all", "one run of 4096²", "64 shots of 512²", "points a second, in % of the one run"]]
    for case, named in (("explicit", "explicit steps, double"), ("explicit, single", "single"), ("explicit, perfectly matched layers, receivers", "double, with perfectly matched layers and 101 receivers, sampled each step")):
        one = find(lines, rf"{case} +one run of 4096\^2 +({NUMBER})")
        many = find(lines, rf"{case} +64 shots of 512\^2, auto at once +({NUMBER})")
        share = find(lines[lines.index(many.string) :], rf" +({NUMBER}) % of the one run")
        rows.append([named, digits(float(one[1])), digits(float(many[1])), f"{float(share[1]):.0f} %"])
    return rows


@table("h200/membrane_large.txt")
def large(lines):
    rows = [["two GPUs", "milliseconds a step", "memory of each GPU, foreseen", "in use", "seconds before the first step"]]
    for n, method in ((48000, "chebyshev"), (56000, "explicit")):
        run = rf"--- {n}\^2, {method}"
        rate = find(lines, rf"done +\d+ steps in {NUMBER} s, ({NUMBER}) steps/s", run)
        memory = find(lines, rf"  memory +on each rank ({NUMBER}) GB", run)
        used = find(lines, r"most memory (\d+) MiB", run)
        start = find(lines, rf"start +device ({NUMBER}) s, model ({NUMBER}) s, state ({NUMBER}) s", run)
        rows.append([f"{n}², `{method}`", digits(1000 / float(rate[1])), f"{memory[1]} GB", f"{int(used[1]) * 2**20 / 1e9:.1f} GB", digits(sum(float(x) for x in start.groups()))])
    return rows


@table("h200/papers_jost.txt")
def jost(lines):
    rows = [["3,000,000 rows, milliseconds of a solve (with copies)", "CPU, 1 core", "CPU, 16 cores", "GPU", "times as fast as one core"]]
    for precision in ("single", "double"):
        for method in ("jacobi", "bicg", "bicgstab"):
            cells = []
            for device in ("CPU, 1 core", "CPU, 16 cores", "GPU"):
                found = find(lines, rf" *3000000 {precision} +{device} +{method} +({NUMBER}) +({NUMBER})")
                cells.append((float(found[1]), float(found[2])))
            (one, _), (all_, _), (gpu, copied) = cells
            rows.append([f"`{method}`, {precision}", digits(one), digits(all_), f"{digits(gpu)} ({digits(copied)})", f"{one / gpu:.0f} ({one / copied:.0f})"])
    return rows


@table("h200/papers_jost.txt", "cpu2/papers_jost_diagonal.txt")
def mcca(stored, scaled):
    rows = [["mcca, largest residual on the CPU", "the paper", "as it is stored", "rows over their diagonal"]]
    for number, precision in ((1, "single"), (2, "double")):
        cells = [find(lines, rf"mcca +{who} +(.*)", f"table {number}:")[1].split() for lines, who in ((stored, "paper"), (stored, "ours"), (scaled, "ours"))]
        # the paper has no Gauss-Seidel and no Jacobi of it
        for method, of_paper, of_ours in (("bicg", 0, 2), ("bicgstab", 2, 4)):
            rows.append([f"`{method}`, {precision}", cells[0][of_paper], cells[1][of_ours], cells[2][of_ours]])
    return rows


@table("h200/papers_pozzo.txt")
def pozzo(lines):
    rows = [["case 3 of table 1, milliseconds", "made, CPU", "made, GPU", "solved, CPU", "solved, GPU"]]
    cell = rf"({NUMBER})(?:±({NUMBER}))?"  # older files have no standard deviations
    columns = rf"{cell} +{cell} +- +{cell} +{cell}"  # of ours case 3 is the first with all of them
    for who, line, heading in (("the paper, one core", "case 3 +paper +", "CPU with 1 thread$"), ("ours, one core", " +ours +", "CPU with 1 thread$"), ("ours, 16 cores", " +ours +", "CPU with 16 threads")):
        found = find(lines, line + columns, heading).groups()
        rows.append([who, *(f"{mean} ± {deviation}" if deviation else digits(float(mean)) for mean, deviation in zip(found[::2], found[1::2]))])
    return rows


@table("h200/papers_pozzo.txt")
def pozzo_sizes(lines):
    if not any(line.startswith("figure 8:") for line in lines):
        return ["An older program made this file; it has no times over the size of the grid."]
    rows = [["milliseconds", "made, CPU", "made, GPU", "solved, CPU", "solved, GPU", "to the GPU", "to the CPU", *(f"case {k}" for k in range(1, 5))]]
    for line in lines[next(i for i, line in enumerate(lines) if line.startswith("figure 8:")) :]:
        if found := re.match(rf" *(\d+)((?: +(?:{NUMBER}|-)){{12}})$", line):
            printed = found[2].split()
            cells = ["" if cell == "-" else digits(float(cell)) for cell in printed]
            for time, share in ((1, 2), (4, 5)):
                cells[time] += f" ({printed[share]} %)" if cells[time] else ""
            rows.append([f"{found[1]}²", *(cells[k] for k in (0, 1, 3, 4, *range(6, 12)))])
    if len(rows) == 1:
        raise Missing("no line of a size under 'figure 8:'")
    return [*rows, "", "![time over the size of the grid](pictures/papers_pozzo.svg)"]


@table("h200/papers_fiorentini.txt")
def fiorentini(lines):
    launches = any(line.split()[-2:] == ["launches", "ours"] for line in lines)  # older files have no column for them
    rows = [["", "the paper", *(["its algorithm here"] if launches else []), "ours"]]
    for what, named in (("rows ", "rows"), ("longest chain of dependencies", "longest chain of dependencies"), ("seconds on the CPU, serial", "seconds on the CPU, one core"),
                        ("seconds on the GPU", "seconds on the GPU"), ("times faster", "times as fast"), ("largest relative difference", "largest relative difference of CPU and GPU"),
                        *([("kernel launches a sweep", "kernel launches a sweep")] if launches else [])):
        line = next((line for line in lines if line.startswith(what)), None)
        if line is None:
            raise Missing(f"no line '{what}'")
        rows.append([named, *("" if cell == "-" else cell for cell in line.split()[-3 if launches else -2:])])
    return rows


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


@table("h200/efficiency.txt")
def efficiency(lines):
    rows = [["foreseen", "2 GPUs", "4", "8"]]
    for size, sized in (("weak 8192^2", "8192² a GPU"), ("strong 16384^2", "16384² in all"), ("strong 8192^2", "8192² in all"), ("strong 4096^2", "4096² in all")):
        for name, named in SCALED:
            if name in ("explicit", "chebyshev", "cg"):
                found = find(lines, rf"{re.escape(f'{size}, {name}')} +({NUMBER}) +({NUMBER}) +({NUMBER})$")
                rows.append([f"{sized}, {named}"] + [f"{float(x):.0f} %" for x in found.groups()])
    return rows


@table("h200/exchange.txt")
def exchange(lines):
    rows = [["microseconds, launch included", "by kernels", "through NCCL"]]
    for what, named in (("ghost rows +8193 columns, +1 x 1, +65664 bytes", "a row of 8193 nodes, 66 kB each way"),
                        ("ghost rows +8193 columns, +10 x 2, +1313280 bytes", "ten rows of two fields, 1.3 MB each way"),
                        ("ghost rows +20000 columns, +10 x 2, +3202560 bytes", "the same of 20000 nodes, 3.2 MB"),
                        ("a sum +128 columns, +1 x 1, +8 bytes", "a sum over all rows")):
        rows.append([named] + [digits(float(find(lines, rf"{way} +{what}: +({NUMBER}) us")[1])) for way in ("kernels", "nccl")])
    return rows


@table("h200/output_of_ranks.txt")
def output_of_ranks(lines):
    rows = [["a frame of 16384² every 100 steps", "run, seconds", "more than with the first alone", "GB/s of the program", "of one writer's"]]
    for method in ("cg", "chebyshev"):
        for gpus, named in ((2, "two GPUs"), (1, "one GPU")):
            for place in ("memory", "disk"):
                found = find(lines, rf"{method} +{gpus} +{place} +({NUMBER}) +\+({NUMBER})% +{NUMBER} +{NUMBER} +({NUMBER}) +(\d+)%$")
                rate = [found[3], f"{found[4]} %"] if float(found[2]) > 5 else ["", ""]  # else it is the computation that takes the time
                rows.append([f"`{method}`, {named}, to {place}", digits(float(found[1])), f"{found[2]} %", *rate])
    writers = [digits(float(find(lines, rf"written to {place} by {n} +process(?:es)?: +({NUMBER}) GB/s$")[1])) for place in ("memory", "disk") for n in (1, 2)]
    return [*rows, "", f"One process writes {writers[0]} GB/s to memory and {writers[2]} to that disk, two that share a file {writers[1]} and {writers[3]}."]


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


@table("h200/targets.txt")
def output(lines):
    rows = [["frames of 67 MB, 4096² cells", "`cg`", "`chebyshev`"]]
    for what in ("every 500 steps to disk", "every 50 steps to memory"):
        rows.append([what] + [Target(lines, f"output {what}, 4096² cells, {m}").text for m in ("cg", "chebyshev")])
    return rows


@table("h200/accuracy.txt")
def accuracy(lines):
    rows = [["", "from the exact solution", "from the scheme's own"]]
    for label, named in (("chebyshev to 1e-08 (relative-2)", "`chebyshev` to 1e-8 of b + A u"), ("cg to 1e-08 (relative-2)", "`cg` to the same"),
                         ("cg to 1e-06 (increment)", "`cg`, default tolerance")):
        found = find(lines, rf"mode, {re.escape(label)}: .*after the last ({NUMBER}) from the exact solution, ({NUMBER}) from the scheme's own")
        rows.append([named, found[1], found[2]])
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


# The newest first: a method's figure is that of the first file that has it.
@table("h200/methods.txt", "h200/methods_multigrid.txt", "h200/methods_multigrid_a05.txt", "h200/methods_sine.txt", "h200/methods_4095_8191.txt",
       "h200/methods_1023.txt")
def methods(*files):
    rows = [["method", "1023², a = 0.5", "1023², a = 50", "8191², a = 0.5", "8191², a = 50"]]
    # The file of sine transforms ends with runs in single precision, after the sixth heading.
    files = list(files)
    places = [i for i, line in enumerate(files[3]) if line.startswith("wavesim ")]
    files[3] = files[3][: places[5]]

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


@table("h200/steps.txt", "h200/solvers_double.txt", "h200/solvers_csr.txt", "cpu16/steps.txt")
def speed(steps, double, csr, cpu):
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


@table("cpu2/matrices.txt")
def matrices(lines):
    solved = find(lines, rf"solved: ({NUMBER}) of ({NUMBER}); without the direct method ({NUMBER})")
    rows = [["`wavesim solve` to 1e-6, by `auto`", ""],
            ["matrices", solved[2]], ["solved", solved[1]], ["solved with `--no-direct`", solved[3]]]
    unsolved = [line.split(" | ")[0].strip("| ") for line in lines
                if line.startswith("| ") and len(line.split(" | ")) > 8 and line.split(" | ")[7].strip() not in ("converged", "without direct")]
    quotient = find(lines, rf"auto to the best combination: median ({NUMBER}), largest ({NUMBER})")
    slow = [cells[0].strip("| ") for cells in (line.split(" | ") for line in lines) if len(cells) == 12 and re.match(r"\d", cells[11]) and float(cells[11].strip("| ")) > 5]
    return rows + [["not solved with `--no-direct`", ", ".join(unsolved) or "none"],
                   ["time to that of the best combination, median", quotient[1]],
                   ["more than five times that", ", ".join(slow) or "none"]]


def heading(root, files, page):
    """Links to the files, with the dates that they name."""
    up = "../" * len(page.relative_to(root).parts[:-1])
    dates = set()
    for file in files:
        dates.update(re.findall(r"\b20\d\d-\d\d-\d\d\b", "\n".join((root / "bench/results" / file).read_text().splitlines()[:3])))
    links = ", ".join(f"[{file}]({up}bench/results/{file})" for file in files)
    return f"From {links}" + (f" ({' and '.join(sorted(dates))}):" if dates else ":")


def made(root, page, name):
    if name not in TABLES:
        raise Missing("docs/figures.py has no such table")
    files, function = TABLES[name]
    lines = []
    for file in files:
        path = root / "bench/results" / file
        if not path.exists():
            raise Missing(f"there is no {path}")
        lines.append(path.read_text().splitlines())
    try:
        rows = function(*lines)
    except Missing as why:
        raise Missing(f"table {name}, of {', '.join(files)}: {why}") from None
    text = [heading(root, files, page), ""]
    for i, row in enumerate(rows):
        if isinstance(row, str):
            text.append(row)
            continue
        text.append("| " + " | ".join(row) + " |")
        if i == 0:
            text.append("|" + "---|" * len(row))
    return "\n".join(text) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--root", type=pathlib.Path, default=HERE.parent, help="the tree with docs/ and bench/results/")
    options = parser.parse_args()
    root, status, count = options.root.resolve(), 0, 0
    for page in [root / "README.md", *sorted((root / "docs").rglob("*.md"))]:
        text = page.read_text()
        if len(re.findall(r"<!-- figures: ", text)) != len(MARK.findall(text)):
            print(f"{page.relative_to(root)}: a '<!-- figures: NAME -->' without its '<!-- end of figures -->'", file=sys.stderr)
            status = 2
            continue
        differs = []

        def replaced(found):
            new = made(root, page, found[2])
            if new != found[3]:
                differs.append(found[2])
            return found[1] + new + found[4]

        try:
            new = MARK.sub(replaced, text)
        except Missing as why:
            print(f"{page.relative_to(root)}: {why}", file=sys.stderr)
            status = 2
            continue
        count += len(MARK.findall(text))
        if differs and options.check:
            print(f"{page.relative_to(root)}: {', '.join(differs)} differ from bench/results; docs/figures.py writes them")
            status = max(status, 1)
        elif differs:
            page.write_text(new)
            print(f"{page.relative_to(root)}: wrote {', '.join(differs)}")
    if count == 0:
        print("no page has a table of figures", file=sys.stderr)
        return 2
    return status


if __name__ == "__main__":
    sys.exit(main())
