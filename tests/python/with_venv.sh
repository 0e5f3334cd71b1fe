#!/bin/sh
# with_venv.sh SCRIPT ARGUMENTS: runs a test with the virtual environment that ./dev test keeps; skips (77) without it.
python="$(dirname "$0")/../../.venv/bin/python"
if [ ! -x "$python" ]; then
  echo "skipped: no .venv with h5py, numpy, scipy, vtk, xarray, pyvista and segyio; ./dev test makes it where PyPI can be reached"
  exit 77
fi
exec "$python" "$@"
