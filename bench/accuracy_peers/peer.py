"""What the programs of peers share. A job is a JSON file; for each number of cells a line of JSON comes back, and the traces lie in
an .npz file of the job's folder. A run is repeated while it is short, and the shortest time counts."""

import json
import pathlib
import sys

import numpy

from cases import CASES

WORTH = 0.6  # seconds that repetitions of a run may take together

REACH = 8  # cells to each side that a point between nodes is spread over by a windowed sinc; 4 leave an error of 0.5 %


def nodes(case, n, ghosts=(0, 0)):
    """Coordinates along x and y of the grid's nodes, with so many more beyond both ends."""
    axes = []
    for start, length, cells, more in zip(case.origin, case.size, case.cells(n), ghosts):
        axes.append(start + length / cells * numpy.arange(-more, cells + more + 1))
    return axes


def masses(case, n, medium, ghosts=(0, 0)):
    """1 / speed^2 on nodes (x, y): of the medium at the node, or its mean over the square of a cell round it. Beyond an edge lies the
    mirror image, as an odd wave has it there."""
    x, y = nodes(case, n)
    x, y = numpy.meshgrid(x, y, indexing="ij")
    mass = case.mean_mass(x, y, case.unit / n) if medium == "means" else 1 / case.speed(x, y) ** 2
    return numpy.pad(mass, [(more, more) for more in ghosts], mode="reflect") if any(ghosts) else mass


def shortest(run, budget=WORTH):
    """What run returns, with the least of its seconds: run() gives (seconds, result)."""
    spent, (best, result) = 0, run()
    spent, count = best, 1
    while spent < budget and count < 5:
        seconds, result = run()
        best, spent, count = min(best, seconds), spent + seconds, count + 1
    return best, result


def work(measure, speaks=True):
    """measure(job, case, n) gives a dict with setup, seconds, dt and traces (steps x receivers), the first at t = 0. Of several
    processes one speaks."""
    job = json.loads(pathlib.Path(sys.argv[1]).read_text())
    case, slowest, before = CASES[job["case"]], job["limit"], None
    for n in job["cells"]:
        if before and before[1] * (n / before[0]) ** 3 > slowest:
            break  # would take too long
        found = measure(job, case, n)
        before = n, found["seconds"]
        if speaks:
            file = pathlib.Path(job["folder"]) / f"{n}.npz"
            numpy.savez(file, traces=found.pop("traces"))
            print(json.dumps({"cells": n, "file": str(file), **found}), flush=True)
