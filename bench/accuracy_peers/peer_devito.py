"""Devito (PyPI), order 8 in space. time: 2, leapfrog; 4, Lax-Wendroff, u_tttt = L L u with L = laplace / m. Each at its stable step.

The force at fourth order would also take (dt^2/12)(f_tt + L f): L f acts at the source alone, and away from it equals that of a signal with
f_tt once more, for L u = u_tt - f there. So the signal is f + (dt^2/6) f_tt. Fixed edges that waves come back from: images of odd
sign on rows beyond them. Points between nodes: sinc interpolation (Hicks 2002) with its image. Seconds are those of the compiled
loop, as Devito's profiler gives them, without the way to it through Python."""

import logging
import math
import os
import time

import numpy
import peer

threads = int(os.environ["OMP_NUM_THREADS"])
os.environ |= {"DEVITO_LANGUAGE": "openmp" if threads > 1 else "C", "DEVITO_LOGGING": "ERROR", "DEVITO_ARCH": "gcc"}
from devito import Constant, Eq, Function, Grid, Operator, SparseTimeFunction, TimeFunction  # noqa: E402
from devito.operations.interpolators import SincInterpolator  # noqa: E402

logging.getLogger("Devito").setLevel(logging.ERROR)
BUILT, PRESENT = {}, {}
_weights = SincInterpolator._arg_defaults


def _weights_of_present(self, coords=None, sfunc=None):
    """Devito 4.8.23 takes the weights of sinc from the spacing of the grid that an operator was built with, not of that it is applied to."""
    return _weights(self, coords=coords, sfunc=sfunc and PRESENT[sfunc.name])


SincInterpolator._arg_defaults = _weights_of_present


def limit(order):
    """The largest eigenvalue of -h^2 laplace in two dimensions: of central differences on the shortest wave of both axes."""
    weights = {2: (1,), 4: (4 / 3, -1 / 12), 8: (8 / 5, -1 / 5, 8 / 315, -1 / 560)}[order]
    return 2 * sum(4 * w for w in weights[::2])


def points(case, name, grid, steps, at, start, h, images):
    """Sparse points; with images, their mirrors about a fixed edge, which a wide footprint reaches over, are points as well."""
    whole = all(abs((p - s) / h - round((p - s) / h)) < 1e-6 for pair in at for p, s in zip(pair, start))
    options = {} if whole else {"interpolation": "sinc", "r": peer.REACH}
    found = SparseTimeFunction(name=name, grid=grid, npoint=len(at) + len(images), nt=steps + 1, **options)
    place = (numpy.array([*at, *images]) - numpy.array(start)) / h
    if not whole:  # Devito rounds down twice, in C and in Python: a coordinate on a node goes a little beyond it
        little = 1e-6 if grid.dtype == numpy.float64 else 1e-3
        place = numpy.where(abs(place - numpy.round(place)) < little, numpy.round(place) + little, place)
    found.coordinates.data[:] = place * h
    return found


def measure(job, case, n):
    order, in_time = job["order"], job["time"]
    real = numpy.float64 if job["precision"] == "double" else numpy.float32
    begin = time.perf_counter()
    h = case.unit / n
    more = 8 if case.returns else 0  # of a second laplace, and of points
    axes = peer.nodes(case, n, (more, more))
    start = [axis[0] for axis in axes]
    grid = Grid(shape=tuple(len(axis) for axis in axes), extent=tuple(axis[-1] - axis[0] for axis in axes), origin=(0, 0), dtype=real)
    top = [1.0] if case.constant else peer.masses(case, n, job["medium"], (more, more))
    fastest = 1 / math.sqrt(numpy.min(top))
    share = 0.99 * job.get("share", 1)
    steps = math.ceil(case.end / (share * math.sqrt((4 if in_time == 2 else 12) / limit(order)) * h / fastest))
    dt = case.end / steps
    t = numpy.arange(steps + 1) * dt

    u = TimeFunction(name="u", grid=grid, time_order=2, space_order=order)
    speed2 = Constant(name="c2", dtype=real, value=1.0) if case.constant else Function(name="c2", grid=grid, space_order=order)
    if not case.constant:
        speed2.data_with_halo[:] = 1
        speed2.data[:] = 1 / top
    fields = {"u": u, "c2": speed2}
    if case.source:
        top_edge = case.origin[1] + case.size[1]
        mirrors = [(case.source[0], 2 * top_edge - case.source[1])] if case.returns and top_edge - case.source[1] < peer.REACH * h else []
        source = points(case, "source", grid, steps, [case.source], start, h, mirrors)
        signal = case.signal(t) + (dt**2 / 6 * case.curvature(t) if in_time == 4 else 0)
        source.data[:, 0] = signal / h**2
        if mirrors:
            source.data[:, 1] = -signal / h**2
        fields["source"] = source
    else:
        x, y = numpy.meshgrid(*axes, indexing="ij")
        # the field of before is read at index -1
    record = points(case, "record", grid, steps, case.receivers, start, h, [])
    fields["record"] = record

    PRESENT.update(fields)
    key = (record.interpolation, fields["source"].npoint if case.source else 0)
    if key not in BUILT:  # one operator serves all grids
        s = grid.stepping_dim.spacing
        once = speed2 * u.laplace
        update = 2 * u - u.backward + s**2 * once
        if in_time == 4:
            update += s**4 / 12 * speed2 * once.laplace
        equations = [Eq(u.forward, update)]
        if case.source:
            equations.append(source.inject(field=u.forward, expr=source * s**2 * speed2))
        if more:
            equations += images(grid, u, more)
        BUILT[key] = Operator([*equations, record.interpolate(expr=u)], name="Step")
    operator = BUILT[key]

    def run():
        u.data_with_halo[:] = 0
        if not case.source:
            u.data[0], u.data[2] = case.displacement(x, y, 0), case.displacement(x, y, dt)
        summary = operator.apply(**fields, dt=real(dt), time_m=0, time_M=steps)
        return sum(section.time for section in summary.values()), numpy.array(record.data, dtype=float)

    if job.get("once"):
        seconds, traces = run()
        return {"setup": 0.0, "seconds": seconds, "dt": dt, "traces": traces[:, : len(case.receivers)]}
    few = min(2, steps)
    operator.apply(**fields, dt=real(dt), time_m=0, time_M=few)  # compiles
    setup = time.perf_counter() - begin
    seconds, traces = peer.shortest(run)
    return {"setup": setup, "seconds": seconds, "dt": dt, "traces": traces[:, : len(case.receivers)]}


def images(grid, u, more):
    """u = 0 on the four edges, and odd beyond."""
    t, (x, y) = grid.stepping_dim, grid.dimensions
    found = []
    for axis in (x, y):
        for edge, out in ((axis.symbolic_min + more, -1), (axis.symbolic_max - more, 1)):
            for k in range(more + 1):
                here, there = ([edge + sign * out * k if d is axis else d for d in (x, y)] for sign in (1, -1))
                found.append(Eq(u[(t + 1, *here)], -u[(t + 1, *there)] if k else 0))
    return found


peer.work(measure)
