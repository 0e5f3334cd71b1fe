#!/bin/sh
# with_python.sh SCRIPT ARGUMENTS: runs a test with the virtual environment that ./dev test keeps, or else with any Python 3.
python="$(dirname "$0")/../../.venv/bin/python"
[ -x "$python" ] || python=$(command -v python3) || { echo "skipped: no python3"; exit 77; }
exec "$python" "$@"
