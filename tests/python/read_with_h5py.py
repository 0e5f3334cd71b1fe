"""read_with_h5py.py FOLDER: the result file as an HDF5 user sees it."""

import os
import sys

from small_run import NX, NY, plane, skip, time

try:
    import h5py
    import numpy
except ImportError as e:
    skip(str(e))


def check(path, frames):
    with h5py.File(path, "r") as f:
        root, ours = f["VTKHDF"], f["wavesim"]
        assert list(root.attrs["Version"]) == [2, 0]
        kind = root.attrs.get_id("Type")
        assert kind.get_type().get_size() == 9 and not kind.get_type().is_variable_str()
        assert kind.get_type().get_cset() == h5py.h5t.CSET_ASCII and root.attrs["Type"] == b"ImageData"
        assert list(root.attrs["WholeExtent"]) == [0, NX - 1, 0, NY - 1, 0, 0]
        assert list(root.attrs["Origin"]) == [-1, 0, 0] and list(root.attrs["Spacing"]) == [0.5, 1, 1]
        assert list(root.attrs["Direction"]) == [1, 0, 0, 0, 1, 0, 0, 0, 1]

        steps = root["Steps"]
        count = steps.attrs["NSteps"]
        assert count == max(frames, 2) == len(steps["Values"])
        assert [steps["Values"][n] for n in range(frames)] == [time(n) for n in range(frames)]
        assert root["PointData/displacement"].shape == (frames, NY, NX)
        for n in range(frames):
            for name, sign in (("displacement", 1), ("velocity", -1)):
                at = steps["PointDataOffsets"][name][n]
                assert at == n
                assert numpy.array_equal(root["PointData"][name][at], plane(n, sign))
            assert root["FieldData/energy"][n] == 7 + n and root["FieldData/iterations"][n] == 3 + n
        for name in root["PointData"]:
            assert len(steps["PointDataOffsets"][name]) == count
        for name in root["FieldData"]:
            assert len(steps["FieldDataOffsets"][name]) == count
        assert root["PointData/speed"].shape == (1, NY, NX) and not steps["PointDataOffsets/speed"][:].any()

        assert ours["config"][()].decode() == "name: small\n"
        assert ours.attrs["device"] == b"a CPU" and ours.attrs["version"] == b"1.2.3"
        assert ours.attrs["complete"] == 1 and ours.attrs["ending"] == b"done"
        rows = 10 * (frames - 1)
        history = ours["history"]
        assert history.attrs["rows"] == rows
        assert all(len(history[name]) == rows for name in history)
        assert list(history["iterations"]) == [step % 7 for step in range(rows)]
        assert all(s == b"converged" for s in history["status"])
        receivers = ours["receivers"]
        assert [n.decode() for n in receivers["names"]] == ["rim", "line[0]"]
        assert receivers["positions"][:].tolist() == [[0.25, 0.5], [0.5, 0.5]]
        assert receivers["values"].shape == (rows, 2)
        assert receivers["values"][:].tolist() == [[s, s + 0.5] for s in range(rows)]


check(os.path.join(sys.argv[1], "six", "small.vtkhdf"), 6)
check(os.path.join(sys.argv[1], "one", "small.vtkhdf"), 1)
