"""read_with_segyio.py FOLDER: the receivers' SEG-Y file as programs of seismics see it."""

import os
import sys

from small_run import skip

try:
    import numpy
    import segyio
except ImportError as e:
    skip(str(e))

path = os.path.join(sys.argv[1], "small.segy")
if not os.path.exists(path):
    skip("this build writes no SEG-Y")
with segyio.open(path, strict=False) as f:
    field = segyio.TraceField
    assert f.tracecount == 2 and len(f.samples) == 50, (f.tracecount, len(f.samples))
    assert int(f.format) == 5 and segyio.tools.dt(f) == 25000
    assert f.bin[segyio.BinField.SEGYRevision] == 1 or f.bin[segyio.BinField.SEGYRevision] == 256
    assert "SEG Y REV1" in bytes(f.text[0]).decode("ascii")
    for r, x in enumerate((0.25, 0.5)):
        assert numpy.array_equal(f.trace[r], numpy.arange(50) + 0.5 * r), r
        header = f.header[r]
        assert header[field.TRACE_SEQUENCE_FILE] == r + 1
        assert header[field.SourceGroupScalar] == -1000
        assert header[field.GroupX] == 1000 * x and header[field.GroupY] == 500
        assert header[field.TRACE_SAMPLE_COUNT] == 50 and header[field.TRACE_SAMPLE_INTERVAL] == 25000
print("ok")
