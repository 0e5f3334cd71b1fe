"""read_killed.py FOLDER: what killed runs left, named killed_CALL_FRAMES.vtkhdf, read with h5py and with a current VTK."""

import glob
import os
import sys

import vtkhdf
from small_run import plane, skip, time

try:
    import h5py
except ImportError as e:
    skip(str(e))

files = glob.glob(os.path.join(sys.argv[1], "**", "killed_*.vtkhdf"), recursive=True)
assert len(files) >= 20, f"only {len(files)} samples in {sys.argv[1]}"
for path in files:
    finished = int(os.path.basename(path).rsplit(".", 1)[0].split("_")[2])
    with h5py.File(path, "r") as f:
        steps = f["VTKHDF/Steps"]
        assert steps.attrs["NSteps"] >= max(finished, 2), path
        for n in range(finished):
            assert steps["Values"][n] == time(n), (path, n)
            at = steps["PointDataOffsets/displacement"][n]
            assert f["VTKHDF/PointData/displacement"][at].tolist() == plane(n), (path, n)
        newest = int(steps.attrs["NSteps"]) - 1
        newest_without_time = newest if newest >= len(steps["Values"]) else None
    vtkhdf.check(path, finished, newest_without_time)
print(len(files), "files read")
