#!/bin/sh
# with_paraview.sh SCRIPT ARGUMENTS: runs a test with Debian's ParaView, unpacked into .private/paraview (see tests/python/
# unpack_paraview.sh) or installed; skips (77) without one.
prefix="$(cd "$(dirname "$0")/../.." && pwd)/.private/paraview"
if [ -x "$prefix/usr/bin/pvpython" ]; then
  libraries="$prefix/usr/lib/x86_64-linux-gnu"
  LD_LIBRARY_PATH=$(find "$prefix" -name '*.so*' -printf '%h\n' | sort -u | paste -sd:)
  PYTHONPATH="$prefix/usr/lib/python3/dist-packages:$libraries/python3/dist-packages"
  export LD_LIBRARY_PATH PYTHONPATH
  exec "$prefix/usr/bin/pvpython" "$@"
fi
if command -v pvpython >/dev/null; then
  exec pvpython "$@"
fi
echo "skipped: no pvpython; tests/python/unpack_paraview.sh puts Debian's into .private/paraview"
exit 77
