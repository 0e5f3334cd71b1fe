"""The studies of Jost et al., Pozzo et al. and Fiorentini."""

import re

from .common import NUMBER, Missing, digits, find, table


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
    said = next((found for line in lines if (found := re.match(rf"(\d+) iterations, true residual ({NUMBER}) of \|b\|$", line))), None)  # older files lack it
    return [*rows, *(["", f"Ours takes {said[1]} iterations, to a true residual of {said[2]} of |b|."] if said else [])]


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
