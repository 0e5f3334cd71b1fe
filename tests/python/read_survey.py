"""read_survey.py WAVESIM: the gather of a survey as programs of seismics see it."""

import csv
import os
import pathlib
import subprocess
import sys
import tempfile

from small_run import skip

try:
    import numpy
    import segyio
except ImportError as e:
    skip(str(e))

CONFIG = """name: survey
device: cpu
grid: {size: [100, 50], cells: [50, 25]}
medium: {speed: 1000}
sources: [{at: [1, 2], ricker: {frequency: 50, delay: 0.02}}]
shots: [{at: [20, 40]}, {from: [30.5, 40], to: [70, 40], count: 2}]
receivers: [{name: line, from: [10, 45], to: [90, 45], count: 9}]
time: {step: 1e-3, steps: 60}
output: {fields: {every: 60}}
"""
wavesim = os.path.abspath(sys.argv[1])
with tempfile.TemporaryDirectory() as folder:
    pathlib.Path(folder, "survey.yaml").write_text(CONFIG)
    subprocess.run([wavesim, "survey.yaml", "--quiet"], cwd=folder, check=True)
    results = pathlib.Path(folder, "results/survey")
    if not (results / "survey.segy").exists():
        skip("this build writes no SEG-Y")
    field = segyio.TraceField
    with segyio.open(results / "survey.segy", strict=False) as f:
        assert f.tracecount == 27 and len(f.samples) == 61, (f.tracecount, len(f.samples))
        assert "3 SHOTS" in bytes(f.text[0]).decode("ascii")
        largest = 0
        for shot, x in enumerate((20, 30.5, 70)):
            with open(results / f"shot-00{shot + 1}/shot-00{shot + 1}_receivers.csv") as table:
                rows = list(csv.reader(table))[1:]
            for r in range(9):
                t = 9 * shot + r
                header = f.header[t]
                assert header[field.FieldRecord] == header[field.EnergySourcePoint] == shot + 1
                assert header[field.TraceNumber] == r + 1 and header[field.TRACE_SEQUENCE_FILE] == t + 1
                assert header[field.SourceGroupScalar] == -1000
                assert header[field.SourceX] == 1000 * x and header[field.SourceY] == 40000
                assert header[field.GroupX] == 10000 * (1 + r) and header[field.GroupY] == 45000
                recorded = numpy.array([float(row[2 + r]) for row in rows], dtype=numpy.float32)
                largest = max(largest, abs(recorded).max())
                assert numpy.array_equal(f.trace[t], recorded), (shot, r)
        assert largest > 0
print("ok")
