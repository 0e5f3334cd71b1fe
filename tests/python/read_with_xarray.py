"""read_with_xarray.py FOLDER: coordinates and units of the result file, as xarray finds them by itself."""

import os
import sys

from small_run import NX, NY, plane, skip, time

try:
    import h5netcdf  # noqa: F401
    import xarray
except ImportError as e:
    skip(str(e))


def check(path, frames):
    def group(name=None):
        return xarray.open_dataset(path, engine="h5netcdf", group=name)

    with group() as run:
        u = run.displacement
        assert u.dims == ("time", "y", "x") and u.shape == (frames, NY, NX), u
        assert u.time.values.tolist() == [time(n) for n in range(frames)] and u.time.attrs["units"] == "s"
        assert u.x.values.tolist() == [-1 + 0.5 * k for k in range(NX)] and u.x.attrs["units"] == "m"
        assert u.y.values.tolist() == list(range(NY)) and u.y.attrs["units"] == "m"
        for n in range(frames):
            assert u.sel(time=time(n)).values.tolist() == plane(n, 1)
        assert run.energy.dims == ("time",) and run.energy.values.tolist() == [7 + n for n in range(frames)]
        assert run.speed.dims == ("once", "y", "x")
    with group("VTKHDF/PointData") as fields:
        assert fields.velocity.dims == ("time", "y", "x")
    with group("wavesim/receivers") as receivers:
        rows = 10 * (frames - 1)
        assert receivers["values"].dims == ("times", "names") and receivers["values"].shape == (rows, 2)
        assert receivers.positions.dims == ("names", "axes")
        assert [n.decode() for n in receivers.names.values] == ["rim", "line[0]"]
        assert receivers["values"].attrs["units"] == "m" and receivers["values"].attrs["long_name"] == "displacement"
    with group("wavesim/history") as history:
        assert history.iterations.dims == ("step",) and len(history.iterations) == rows
        assert history.iterations.time.attrs["units"] == "s"
    # all groups at once: what a child calls time, y or x is that of the root
    with xarray.open_datatree(path, engine="h5netcdf") as tree:
        assert tree["wavesim/history/iterations"].shape == (rows,) and tree["displacement"].attrs["units"] == "m"


check(os.path.join(sys.argv[1], "six", "small.vtkhdf"), 6)
check(os.path.join(sys.argv[1], "one", "small.vtkhdf"), 1)
