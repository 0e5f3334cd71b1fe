"""What is run: candidates, one line each, and grids. A candidate: name, order of its grids, options, cases (None: all).
Options of wavesim are keys of its config; those of peers are explained in peer_*.py."""

import dataclasses

CELLS = {  # a unit of the case, by case and kind of grid; a series ends where a run would take too long or is accurate enough
    "homogeneous": {"2": (10, 20, 40, 60, 90), "4": (6, 8, 10, 14, 20, 28), "8": (5, 6, 8, 10, 12, 16, 20)},
    "lens": {"2": (10, 20, 40, 60, 90), "4": (8, 10, 14, 20, 28), "8": (6, 8, 10, 12, 16, 20)},
    "marmousi": {"2": (5, 10, 20, 30), "4": (5, 7, 10, 14, 20), "8": (4, 5, 7, 10, 14, 20)},
    "layer": {"2": (8, 16, 32, 64, 96), "4": (8, 12, 16, 24, 32, 48), "8": (8, 12, 16, 24, 32, 48)},
    "drum": {"2": (10, 20, 40, 80, 120), "4": (8, 10, 14, 20, 28, 40, 57)},
    "lake": {"2": (10, 20, 40, 80, 120), "4": (8, 10, 14, 20, 28, 40, 57)},
}
for name in ("homogeneous", "lens", "marmousi", "layer"):  # second order in time takes finer grids
    CELLS[name]["8, time 2"] = (8, 12, 20, 28, 40) if name != "marmousi" else (5, 10, 14, 20, 28)
for elements in (CELLS["drum"], CELLS["lake"]):
    elements |= {"degree 4": (2, 3, 4, 6, 8, 12), "degree 8": (1, 2, 3, 4)}
SMOOTH, ROUGH, DISCS = ("homogeneous", "lens"), ("marmousi", "layer"), ("drum", "lake")
PRECISIONS = {"double": {}, "single": {"precision": "single", "solver.tolerance": 1e-5}}  # of wavesim, below the settings of a candidate


@dataclasses.dataclass
class Candidate:
    name: str
    cells: str  # which grids of CELLS
    options: dict
    cases: tuple = None
    program: str = "wavesim"
    precisions: tuple = ("double", "single")


NUMEROV = {"space.order": 4, "time.scheme": "numerov", "time.courant": 0.7, "solver.tolerance": "auto"}
NICOLSON = {"time.scheme": "crank-nicolson", "time.courant": 0.5}
FOURTH = {"space.order": 4, "time.order": 4, "solver.tolerance": "auto"}
CHEBYSHEV, JACOBI = {"solver.method": "chebyshev"}, {"solver.preconditioner": "jacobi"}
DEVITO = DEEPWAVE = {"order": 8, "medium": "samples"}
CONSTANT = ("homogeneous", *DISCS)
VARYING = ("lens", *ROUGH)
CANDIDATES = [
    Candidate("explicit", "2", {"time.scheme": "explicit", "time.courant": 0.7}),
    Candidate("crank-nicolson", "2", NICOLSON | CHEBYSHEV, CONSTANT),
    Candidate("crank-nicolson", "2", NICOLSON | JACOBI, VARYING),
    Candidate("crank-nicolson, nine points, order 4", "4", NICOLSON | CHEBYSHEV | FOURTH, CONSTANT),
    Candidate("crank-nicolson, nine points, order 4", "4", NICOLSON | JACOBI | FOURTH, VARYING),
    Candidate("numerov, nine points", "4", NUMEROV | CHEBYSHEV, CONSTANT),
    Candidate("numerov, nine points", "4", NUMEROV | JACOBI, VARYING),
    Candidate("numerov, nine points, chebyshev", "4", NUMEROV | CHEBYSHEV, VARYING),
    Candidate("explicit, order 8", "8", {"time.scheme": "explicit", "space.order": 8, "time.courant": 0.6}, (*SMOOTH, *ROUGH)),
    # Above 0.7 of its stable step the fourth order in time lets the shortest waves of a grid ring at low frequencies. Means of 1 / speed^2
    # over a cell keep the order at jumps, and have an error of second order where a medium is smooth.
    Candidate("Devito, order 8", "8, time 2", DEVITO | {"time": 2}, SMOOTH, "devito"),
    Candidate("Devito, order 8", "8, time 2", DEVITO | {"time": 2, "medium": "means"}, ROUGH, "devito"),
    Candidate("Devito, order 8, time 4", "8", DEVITO | {"time": 4, "share": 0.7}, SMOOTH, "devito"),
    Candidate("Devito, order 8, time 4, shorter step", "8", DEVITO | {"time": 4, "share": 0.5}, SMOOTH, "devito"),
    Candidate("Devito, order 8, time 4", "8", DEVITO | {"time": 4, "share": 0.7, "medium": "means"}, ROUGH, "devito"),
    Candidate("Devito, order 8, time 4, samples", "8", DEVITO | {"time": 4, "share": 0.7}, ROUGH, "devito"),
    Candidate("deepwave, order 8", "8, time 2", DEEPWAVE, SMOOTH, "deepwave"),
    Candidate("deepwave, order 8", "8, time 2", DEEPWAVE | {"medium": "means"}, ROUGH, "deepwave"),
    Candidate("deepwave, order 8, time filtered", "8", DEEPWAVE | {"corrected": True}, SMOOTH, "deepwave"),
    Candidate("deepwave, order 8, time filtered", "8", DEEPWAVE | {"corrected": True, "medium": "means"}, ("marmousi",), "deepwave"),
    Candidate("dolfinx, degree 4, time 4", "degree 4", {"order": 4}, DISCS, "dolfinx", ("double",)),
    Candidate("dolfinx, degree 8, time 4", "degree 8", {"order": 8}, DISCS, "dolfinx", ("double",)),
]


def of_case(case):
    return [candidate for candidate in CANDIDATES if candidate.cases is None or case in candidate.cases]
