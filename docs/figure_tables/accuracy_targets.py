"""What is meant for error per second, and by how much it is missed."""

import re

from .common import NUMBER, Missing, beyond, digits, find, processor, table, together


def seconds_to(lines, case, pattern, percent, precision="double"):
    """The shortest time of the candidates of a case whose name matches, on one thread; beyond the finest grid by the slope."""
    column = {"5": 0, "1": 1, "0.1": 2}[percent] + (3 if precision == "single" else 0)
    inside, best = False, None
    for line in lines:
        if re.match(r"\w+ +\| 1 thread, double  ", line):
            inside = line.startswith(case)
        elif inside and re.match(pattern, line) and "error of" not in line:
            text = re.findall(r"[^\s|]+", line.split("|", 1)[1])[column].strip("<*")
            if re.fullmatch(NUMBER, text):
                best = min(best or float(text), float(text))
    if best is None:
        raise Missing(f"no time to {percent} % of '{pattern}' in the case {case}")
    return best


@table("cpu2/accuracy_peers.txt", "cpu2/accuracy_peers_amd.txt", "h200/steps.txt", "h200/steps_nine_points.txt")
def accuracy_targets(intel, amd, steps, nine):
    machines = [(processor(lines)[0], lines) for lines in (intel, amd)]
    rows = [["seconds on one thread", "wanted", *(name for name, _ in machines)]]
    ours, implicit, devito = r"explicit", r"crank-nicolson|numerov", r"Devito"

    def row(what, wanted, case, pattern, percent, precision="double"):
        cells = []
        for _, lines in machines:
            most = wanted or seconds_to(lines, case, devito, percent, precision)
            measured = seconds_to(lines, case, pattern, percent, precision)
            cells.append(f"{digits(measured)} ({beyond(measured, most)})")
        rows.append([what, digits(wanted) if wanted else "Devito's best", *cells])

    row("to 1 %, homogeneous, implicit, double precision", 0.05, "homogeneous", implicit, "1")
    row("to 0.1 %", 0.3, "homogeneous", implicit, "0.1")
    for precision in ("double", "single"):
        row(f"to 1 %, homogeneous, explicit, {precision} precision", None, "homogeneous", ours, "1", precision)
        row("to 0.1 %", None, "homogeneous", ours, "0.1", precision)
    row("to 1 %, Marmousi, implicit, double precision", 0.3, "marmousi", implicit, "1")
    row("to 1 %, Marmousi, explicit, double precision", 0.07, "marmousi", ours, "1")
    said = []
    for what, wanted, lines, label in (("`numerov` on nine points, to 1e-7", 1.0, nine, "nine points, numerov, chebyshev, 1e-7"),
                                       ("`explicit`", 0.08, steps, "explicit, Courant number 0.7"),
                                       ("`explicit` with `space: {order: 8}`", 0.35, steps, "order 8, explicit, Courant number 0.7")):
        ms = float(find(lines, rf"{re.escape(label)} +({NUMBER}) ms a step")[1])
        said.append(f"{digits(ms)} ms with {what} ({digits(wanted)}, {beyond(ms, wanted)})")
    return [*rows, "", f"A step on 8192² cells of one H200, in brackets what is wanted: {together(said)}."]
