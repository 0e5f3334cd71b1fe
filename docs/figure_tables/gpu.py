"""Kernels, solves and steps in time on one GPU."""

import re

from .common import NUMBER, Missing, Target, beyond, digits, find, table, together


@table("h200/targets.txt")
def kernels(lines):
    rows, met = [["kernel", "4095², double", "8191², double", "4095², single", "8191², single"]], []
    for what, double, single in (("product with <p, q>, dia", 7, 7), ("product with <p, q>, ellpack-r", 10, 13),
                                 ("assembly, dia", 5, 5), ("assembly, ellpack-r", 8, 11)):
        found = [Target(lines, f"{what}, {words} words, {n}², {precision}")
                 for precision, words in (("double", double), ("single", single)) for n in (4095, 8191)]
        words = f"{double} words" if double == single else f"{double} words, single {single}"
        rows.append([f"{what.replace('ellpack-r', '`ellpack-r`').replace('dia', '`dia`')}, {words}"]
                    + [f"{digits(t.number)} ({t.share}{t.missed()})" for t in found])
        met += [t.met() == "met" for t in found]
    return [*rows, "", f"The target is 95 % of the floor; {sum(met)} of {len(met)} meet it."]


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
    rows, met = [["microseconds an iteration", "256²", "512²", "1024²"]], []
    for what in ("cg on stencil, one launch a solve", "cg on dia, one graph a solve", "cg on ellpack-r, one graph a solve", "cg-onchip"):
        found = [Target(lines, f"{what}, {n}², an iteration") for n in (256, 512, 1024)]
        named = re.sub(r"^(\S+)(?: on (\S+))?,? ?.*", lambda m: f"`{m[1]}`" + (f" on `{m[2].rstrip(',')}`" if m[2] else ""), what)
        rows.append([named] + [f"{1000 * t.number:.1f} ({1000 * float(t.target):.0f}{t.missed()})" for t in found])
        met += [t.met() == "met" for t in found]
    of = {name: Target(lines, f"cg on {name}, one graph a solve, 1024², an iteration") for name in ("dia", "ellpack-r")}
    gigabytes = {name: 8e-9 * words * 1024**2 for name, words in (("dia", 16), ("ellpack-r", 19))}
    moved = [f"{1000 * gigabytes[name]:.0f} MB on `{name}` ({gigabytes[name] / t.number:.1f} TB/s)" for name, t in of.items()]
    return [*rows, "", f"{sum(met) or 'None'} of the {len(met)} figures {'meets its' if sum(met) < 2 else 'meet their'} target. At 1024² an iteration of `cg` moves {together(moved)}."]


# steps_others.txt has the labels that the newer file lacks.
@table("h200/steps.txt", "h200/steps_others.txt", "h200/targets.txt")
def steps(lines, others, targets):
    def step(label, meant=None):
        try:
            found = find([*lines, *others], rf"{re.escape(label)} +({NUMBER}) ms a step +\d+ least, ({NUMBER}) mean")
        except Missing:
            return ""
        passes = float(found[2]) / 8
        verdict = f", {beyond(float(found[1]), float(meant.target))}" if meant else ""
        return digits(float(found[1])) + (f" ({passes:.3g}{verdict})" if "chebyshev" in label else "")

    def target(what):
        return Target(targets, f"whole step, 8192² cells, Courant number 1: {what}")

    rows = [["8192² cells", "constant medium", "varying medium"]]
    smooth, varying = target("pulse to 1e-8, 4 words"), target("varying medium, pulse to 1e-8, 7 words")
    rough, single = target("rough field to 1e-8, 4 + 5 words"), target("pulse, single precision, 4 words")
    for label, named, *meant in (
        ("explicit, Courant number 0.7", "`explicit`, Courant number 0.7"),
        ("chebyshev, 1e-8", "`chebyshev`, pulse, to 1e-8", smooth, varying),
        ("chebyshev, default tolerance", "the same, default tolerance", smooth, varying),
        ("chebyshev, 1e-8, pulse of 40 cells", "`chebyshev`, pulse of 40 cells, to 1e-8", smooth),
        ("chebyshev, 1e-8, rough field", "`chebyshev`, rough field, to 1e-8", rough),
        ("chebyshev, 1e-5, single", "`chebyshev`, single precision, to 1e-5", single),
        ("cg, 1e-8", "`cg`, pulse, to 1e-8"),
        ("cg, default tolerance", "the same, default tolerance"),
        ("cg, 1e-8, rough field", "`cg`, rough field, to 1e-8"),
        ("sine-transform, Courant number 10", "`sine-transform`, Courant number 10"),
    ):
        rows.append([named, step(label, *meant[:1]), step(f"varying speed, {label}", *meant[1:])])
        if not rows[-1][1]:
            raise Missing(f"no line '{label}'")
    ms = [digits(float(t)) for t in (smooth.target, varying.target, rough.target, single.target, smooth.floor, varying.floor)]
    return [*rows, "", f"Targets in milliseconds: a pulse {ms[0]}, in the varying medium {ms[1]}, a rough field {ms[2]}, single precision {ms[3]}.",
            f"Floors: 4 words in the constant medium, {ms[4]}, and 7 in the varying one, {ms[5]}."]


@table("h200/steps_small.txt")
def steps_small(lines):
    rows, missed, meant = [["microseconds a step", "128²", "512²", "1024²"]], [], (15, 15, 25)
    for label, named in (("explicit, Courant number 0.7", "`explicit`, Courant number 0.7"), ("chebyshev, 1e-8", "`chebyshev` to 1e-8"),
                         ("chebyshev, default tolerance", "the same, default tolerance")):
        found = [find(lines, rf"{re.escape(label)} +({NUMBER}) ms a step +\d+ least, ({NUMBER}) mean", f"grid {size}$") for size in (128, 512, 1024)]
        passes = [float(f[2]) / 8 for f in found]
        rows.append([named] + [f"{1000 * float(f[1]):.1f}" + (f" ({n:.3g})" if n else "") for f, n in zip(found, passes)])
        if "chebyshev" in label:
            missed.append(["beside it, to 1e-8" if "1e-8" in label else "beside it, default tolerance", *(beyond(1000 * float(f[1]), t) for f, t in zip(found, meant))])
    rows += [["the target of `chebyshev`", *(str(t) for t in meant)], *missed]
    return rows


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


@table("h200/configs.txt")
def configs(lines):
    rows, meant = [["seconds, without pictures", "steps", "run", "of it solves", "output", "target"]], {"drum": 0.2}
    for name in ("drum", "marmousi", "gulf"):
        under = rf"--- {name}$"
        done = find(lines, rf"done +(\d+) steps in ({NUMBER}) s", under)
        parts = find(lines, rf"time +assembly {NUMBER} s .*?, solve ({NUMBER}) s .*?, output ({NUMBER}) s", under)
        target = f"{meant[name]:g}, {beyond(float(done[2]), meant[name])}" if name in meant else ""
        rows.append([f"`configs/{name}.yaml`", done[1], *(digits(float(s)) for s in (done[2], parts[1], parts[2])), target])
    return rows


@table("h200/accuracy.txt")
def accuracy(lines):
    rows = [["", "from the exact solution", "from the scheme's own"]]
    for label, named in (("chebyshev to 1e-08 (relative-2)", "`chebyshev` to 1e-8 of b + A u"), ("cg to 1e-08 (relative-2)", "`cg` to the same"),
                         ("cg to 1e-06 (increment)", "`cg`, default tolerance")):
        found = find(lines, rf"mode, {re.escape(label)}: .*after the last ({NUMBER}) from the exact solution, ({NUMBER}) from the scheme's own")
        rows.append([named, found[1], found[2]])
    return rows


@table("h200/targets.txt")
def output(lines):
    rows = [["frames of 67 MB, 4096² cells", "`cg`", "`chebyshev`"]]
    for what in ("every 500 steps to disk", "every 50 steps to memory"):
        rows.append([what] + [f"{t.text} ({t.met()})" for t in (Target(lines, f"output {what}, 4096² cells, {m}") for m in ("cg", "chebyshev"))])
    return rows
