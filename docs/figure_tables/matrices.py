"""Matrices from files: what is solved, several right-hand sides, permuted rows; modes."""

import re

from .common import NUMBER, Missing, digits, find, processor, table, together


@table("cpu2/matrices.txt")
def matrices(lines):
    solved = find(lines, rf"solved: ({NUMBER}) of ({NUMBER}); without the direct method ({NUMBER})")
    rows = [["`wavesim solve` to 1e-6, by `auto`", ""],
            ["matrices", solved[2]], ["solved", solved[1]], ["solved with `--no-direct`", solved[3]]]
    unsolved = [line.split(" | ")[0].strip("| ") for line in lines
                if line.startswith("| ") and len(line.split(" | ")) > 8 and line.split(" | ")[7].strip() not in ("converged", "without direct")]
    quotient = find(lines, rf"auto to the best combination: median ({NUMBER}), largest ({NUMBER})")
    slow = [cells[0].strip("| ") for cells in (line.split(" | ") for line in lines) if len(cells) == 12 and re.match(r"\d", cells[11]) and float(cells[11].strip("| ")) > 5]
    matched = [line.split(" | ")[0].strip("| ") for line in lines if re.search(r" \| [\w ,.-]+, matched \| ", line)]
    return rows + [["solved after `--match`", ", ".join(matched) or "none"],
                   ["not solved with `--no-direct`", ", ".join(unsolved) or "none"],
                   ["time to that of the best combination, median", quotient[1]],
                   ["more than five times that", ", ".join(slow) or "none"]]


def at_once(lines):
    """Block conjugate gradients beside solves one by one, and which they are faster on."""
    found = [cells for line in lines if (cells := re.match(rf"(\S.*?) +(\d+) +\d+ +(\d+) +({NUMBER}) +({NUMBER}) +({NUMBER}) +({NUMBER}) +({NUMBER})$", line))]
    counts = sorted({int(cells[3]) for cells in found} - {1})
    if not counts:
        raise Missing("no line of several columns")
    of, alone = {}, {}
    for name, rows, count, iterations, one, _, _, times in (cells.groups() for cells in found):
        name = f"{name.replace('^2', '²')}, {rows} rows"
        alone[name] = one
        of.setdefault(name, {})[int(count)] = iterations, float(times)
    rows = [["", "iterations one by one", *(f"{n} at once" for n in counts), *(f"times as fast, {n} columns" for n in counts)]]
    faster = {}
    for name, measured in of.items():
        cells = [measured.get(n) for n in counts]
        rows.append([name, f"{float(alone[name]):.0f}", *(f"{float(c[0]):.0f}" if c else "" for c in cells), *(digits(c[1]) if c else "" for c in cells)])
        faster.setdefault(tuple(n for n in counts if n in measured and measured[n][1] > 1), []).append(name.split(",")[0])
    said = [(f"With {together([str(n) for n in some])} columns" if some else "With none of these numbers of columns") + f" they are faster at once on {together(names)}."
            for some, names in sorted(faster.items(), key=lambda pair: -len(pair[0]))]
    return [*rows, "", *said]


@table("cpu2/right_sides.txt")
def right_sides(lines):
    return at_once(lines)


@table("h200/right_sides.txt")
def right_sides_gpu(lines):
    return at_once(lines)


@table("cpu2/match.txt")
def match(lines):
    start = next((k for k, line in enumerate(lines) if line.startswith("matrix ")), None)
    if start is None or start + 1 == len(lines):
        raise Missing("no line of a matrix")
    heads = re.split(" {2,}", lines[start].strip())
    names = {"none": "alone", "none --match": "alone, `--match`", "ilu0": "`ilu0`", "ilu0 --match": "`ilu0`, `--match`", "parilut --match": "`parilut`, `--match`"}
    if unknown := [head for head in heads[1:] if head not in names]:
        raise Missing(f"no column that the table has a name for, but '{unknown[0]}'")
    rows = [["iterations of `bicgstab`", *(names[head] for head in heads[1:])]]
    for line in lines[start + 1:]:
        rows.append([cell.replace("max-iterations", "not in 5000") for cell in line.split()])
    return rows


@table("cpu2/modes.txt")
def modes(lines):
    name, threads = processor(lines)
    of, cells = {}, []
    for line in lines:
        if found := re.match(rf" *(\d+)  (\S+) +(\d+) +({NUMBER})  (\S+)$", line):
            cells += [found[1]] * (found[1] not in cells)
            times = f"{digits(float(found[4]))} s"
            of.setdefault(found[2], {})[found[1]] = f"{found[3]} ({times})" if found[5] == "converged" else f"more than {found[3]} ({times})"
    if not of:
        raise Missing("no line of a preconditioner")
    rows = [["`--preconditioner`", *(f"{n} x {n} cells" for n in cells)]]
    rows += [[f"`{preconditioner}`", *(found.get(n, "") for n in cells)] for preconditioner, found in of.items()]
    return [*rows, "", f"Iterations, and seconds with set-up on {name}, {threads} thread{'s' * (threads > 1)}."]
