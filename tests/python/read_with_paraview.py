"""read_with_paraview.py FOLDER: the .pvd series in ParaView (5.11 and newer), run by pvpython."""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from small_run import NX, NY, plane, skip, time

try:
    from paraview import servermanager, simple
except ImportError as e:
    skip(str(e))

path = os.path.join(sys.argv[1], "six", "small.pvd")
if not os.path.exists(path):
    skip("this build writes no .pvd (it is without VTK)")
source = simple.OpenDataFile(path)
times = list(source.TimestepValues)
assert times == [time(n) for n in range(6)], times
for n, t in enumerate(times):
    source.UpdatePipeline(t)
    image = servermanager.Fetch(source)
    assert image.GetDimensions() == (NX, NY, 1) and image.GetSpacing() == (0.5, 1, 1)
    values = image.GetPointData().GetArray("displacement")
    expected = [v for row in plane(n) for v in row]
    assert [values.GetValue(k) for k in range(NX * NY)] == expected, n
print("read", len(times), "frames")
