"""deepwave (PyPI), module scalar: order 8 in space, second order in time. `corrected`: its own filters take the known error of the
time step out of source and traces (Koene et al. 2018). A record that breaks off has all frequencies, so it is a tenth longer then and
fades there, and a thin absorbing layer keeps that part calm; else edges are odd images (boundary: free)."""

import math
import time
import warnings

import numpy
import peer

warnings.simplefilter("ignore")
import deepwave  # noqa: E402
import torch  # noqa: E402
from deepwave import time_dispersion  # noqa: E402

CRITICAL = {2: 1.0, 4: 0.8660254037844386, 6: 0.8134892168024669, 8: 0.7843687748745656}  # deepwave's own limits


def measure(job, case, n):
    order, corrected = job["order"], job.get("corrected", False)
    real = torch.float64 if job["precision"] == "double" else torch.float32
    torch.set_num_threads(job["threads"])
    begin = time.perf_counter()
    h = case.unit / n
    # a face that is "free" lies one node beyond the arrays
    x, y = (axis[1:-1] for axis in peer.nodes(case, n))
    v = torch.tensor(1 / numpy.sqrt(peer.masses(case, n, job["medium"])[1:-1, 1:-1]), dtype=real)
    courant = 0.99 * CRITICAL[order] * job.get("share", 1)
    limit = courant * h / math.sqrt(2) / float(v.max())
    steps = math.ceil(case.end / limit)
    dt = case.end / steps
    more = math.ceil(0.1 * steps) if corrected else 0
    t = numpy.arange(steps + 1 + more) * dt

    def places(points):
        at = [[(px - x[0]) / h, (py - y[0]) / h] for px, py in points]
        whole = all(abs(k - round(k)) < 1e-6 for pair in at for k in pair)
        at = torch.tensor([at])
        if whole:
            return at.round().long()
        return deepwave.Hicks(at, halfwidth=peer.REACH, free_surfaces=[True] * 4, free_surface_locs=[-1, v.shape[0], -1, v.shape[1]],
                              model_shape=list(v.shape), dtype=real)

    edges = ["pml" if corrected else "free"] * 3 + ["free" if case.returns or not corrected else "pml"]
    options = dict(accuracy=order, pml_width=[4 if edge == "pml" else 0 for edge in edges], boundary=edges, courant_number=0.995 * CRITICAL[order],
                   receiver_locations=places(case.receivers), nt=len(t))
    if case.source:
        # deepwave's right-hand side is -v^2 f, on a node; a point force is spread over the area of a cell
        signal = torch.tensor(-case.signal(t) / h**2, dtype=real)[None, None]
        options |= dict(source_locations=places([case.source]), pml_freq=case.frequency)
        if corrected:
            signal = time_dispersion.correct_source(signal, dt)
    else:
        grid = numpy.meshgrid(x, y, indexing="ij")
        options |= dict(wavefield_0=torch.tensor(case.displacement(*grid, 0)[None], dtype=real),
                        wavefield_m1=torch.tensor(case.displacement(*grid, dt)[None], dtype=real), pml_freq=1.0)

    def run(count):
        start = time.perf_counter()
        with torch.no_grad():
            if case.source:
                out = deepwave.scalar(v, h, dt, source_amplitudes=signal[..., :count], **(options | {"nt": count}))
            else:
                out = deepwave.scalar(v, h, dt, **(options | {"nt": count}))
            traces = out[-1]
            if corrected and count == len(t):
                traces = traces.clone()
                traces[..., steps + 1 :] *= torch.tensor((1 + numpy.cos(numpy.pi * numpy.arange(1, more + 1) / (more + 1))) / 2, dtype=real)
                traces = time_dispersion.correct_receivers(traces, dt)
        return time.perf_counter() - start, traces

    run(2)
    few, _ = peer.shortest(lambda: run(2), 0.1)  # what a call takes beside its steps
    setup = time.perf_counter() - begin
    seconds, traces = peer.shortest(lambda: run(len(t)))
    return {"setup": setup, "seconds": max(seconds - few, 0.0), "dt": dt, "traces": traces[0, :, : steps + 1].T.double().numpy()}


peer.work(measure)
