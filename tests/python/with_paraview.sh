#!/bin/sh
# with_paraview.sh PROGRAM SCRIPT ARGUMENTS: runs a test with pvpython or pvbatch of Debian's ParaView, unpacked into .private/paraview
# (see tests/python/unpack_paraview.sh) or installed; skips (77) without one. pvbatch draws, so it gets a display: the one there
# is, or one of xvfb-run.
program=$1
shift
prefix="$(cd "$(dirname "$0")/../.." && pwd)/.private/paraview"
if [ -x "$prefix/usr/bin/$program" ]; then
  libraries="$prefix/usr/lib/x86_64-linux-gnu"
  LD_LIBRARY_PATH=$(find "$prefix" -name '*.so*' -printf '%h\n' | sort -u | paste -sd:)
  PYTHONPATH="$prefix/usr/lib/python3/dist-packages:$libraries/python3/dist-packages"
  export LD_LIBRARY_PATH PYTHONPATH
  program=$prefix/usr/bin/$program
elif ! command -v "$program" >/dev/null; then
  echo "skipped: no $program; tests/python/unpack_paraview.sh puts Debian's into .private/paraview"
  exit 77
fi
case $program in *pvbatch)
  if [ -z "${DISPLAY:-}" ]; then
    if ! command -v xvfb-run >/dev/null; then
      echo "skipped: pvbatch needs a display; apt-get install xvfb xauth"
      exit 77
    fi
    exec xvfb-run -a -s "-screen 0 1280x1024x24 -noreset" "$program" "$@"
  fi ;;
esac
exec "$program" "$@"
