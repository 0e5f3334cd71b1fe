"""Who runs a candidate's series of grids: wavesim here, a peer in a process of its own."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

import numpy

import ours
from settings import CELLS, PRECISIONS

HERE = pathlib.Path(__file__).resolve().parent
INSTALL = {"devito": "pip install devito", "deepwave": "pip install deepwave",
           "dolfinx": "apt install python3-dolfinx (another Python: --dolfinx)"}


class Absent(Exception):
    """A peer that is not installed."""


class Programs:
    def __init__(self, build, dolfinx, limit):
        self.build, self.limit = pathlib.Path(build).resolve(), limit
        self.python = {"devito": sys.executable, "deepwave": sys.executable, "dolfinx": dolfinx}
        self._versions = {}

    def version(self, program):
        """As the program says it; None where it is absent."""
        if program not in self._versions:
            try:
                done = subprocess.run([self.python[program], "-W", "ignore", "-c", f"import {program}; print({program}.__version__)"],
                                      capture_output=True, text=True)
                self._versions[program] = done.stdout.strip().splitlines()[-1] if done.returncode == 0 else None
            except OSError:
                self._versions[program] = None
        return self._versions[program]

    def series(self, case, candidate, threads, precision, enough):
        """Points of a candidate, one a grid: dict with cells, setup, seconds, dt, traces. `enough(point)`: no finer grid."""
        cells = CELLS[case.name][candidate.cells]
        if candidate.program == "wavesim":
            yield from self._own(case, candidate, threads, precision, enough, cells)
        else:
            yield from self.peer(case, candidate.program, candidate.options | {"precision": precision}, threads, cells, self.limit)

    def _own(self, case, candidate, threads, precision, enough, cells):
        before = None
        for n in cells:
            if before and before["seconds"] * (n / before["cells"]) ** 3 > self.limit:
                return
            before = {"cells": n, **self.own(case, n, PRECISIONS[precision] | candidate.options, threads)}
            yield before
            if enough(before):
                return

    def own(self, case, n, settings, threads):
        return ours.run(self.build, case, n, settings, threads)

    def peer(self, case, program, options, threads, cells, limit):
        if self.version(program) is None:
            raise Absent(f"{program} is not installed: {INSTALL[program]}")
        with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:
            job = pathlib.Path(folder) / "job.json"
            job.write_text(json.dumps({"case": case.name, "cells": cells, "threads": threads, "limit": limit, "folder": folder, **options}))
            command = [self.python[program], str(HERE / f"peer_{program}.py"), str(job)]
            environment = {**os.environ, "OMP_NUM_THREADS": str(threads), "PYTHONDONTWRITEBYTECODE": "1"}
            if program == "dolfinx":  # processes, not threads
                environment |= {"OMP_NUM_THREADS": "1", "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
                if threads > 1:
                    command = ["mpirun", "-n", str(threads), "--bind-to", "core", *command]
            done = subprocess.run(command, capture_output=True, text=True, env=environment)
            if done.returncode:
                raise RuntimeError(f"{program} failed: {done.stderr.strip().splitlines()[-1:]}")
            for line in done.stdout.splitlines():
                if line.startswith("{"):
                    point = json.loads(line)
                    yield point | {"traces": numpy.load(point["file"])["traces"]}
