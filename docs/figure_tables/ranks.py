"""Several GPUs, many shots at once, output of ranks."""

import re

from .common import NUMBER, Missing, digits, find, table

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
