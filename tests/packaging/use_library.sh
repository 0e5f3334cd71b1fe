#!/bin/sh
# use_library.sh USR [CMAKE]: builds the program of install.md in C++ on the library that is installed in USR, in the current folder, and runs it.
set -eu
usr=$1 cmake=${2:-cmake} page=$1/share/doc/wavesim/docs/install.md
fail() { echo "use_library: $*" >&2; exit 1; }
block() { awk -v fence="\`\`\`$1" '$0 == fence { on = 1; next } /^```/ { on = 0 } on' "$page"; }

mkdir -p mine
block cmake >mine/CMakeLists.txt
block cpp >mine/main.cpp
[ -s mine/main.cpp ] || fail "$page has no program in C++"
{ "$cmake" -S mine -B mine/build -DCMAKE_PREFIX_PATH="$usr" -DCMAKE_CXX_FLAGS="-Wall -Wextra -Werror -pedantic" &&
  "$cmake" --build mine/build; } >mine/log 2>&1 || { cat mine/log; fail "it cannot be built"; }
grep -q "^wavesim_DIR:PATH=$usr/" mine/build/CMakeCache.txt || fail "it was built with another wavesim than that in $usr"

sed 's/cells: \[400, 400\]/cells: [80, 80]/' "$usr/share/wavesim/configs/drum.yaml" >mine/drum.yaml
mine/build/mine mine/drum.yaml >mine/said || fail "it failed"
cat mine/said
grep -Eq '^converged after [1-3] iterations: x = 1\.000000 1\.000000 1\.000000, residual (0e\+00|[0-9]e-1[0-9])$' mine/said || fail "the system is not solved"
grep -Eq '^done after [0-9]+ steps, in results/drum$' mine/said || fail "the drum did not run"
[ -s results/drum/drum.vtkhdf ] || fail "the drum left no results/drum/drum.vtkhdf"

if mine/build/mine mine/absent.yaml >/dev/null 2>mine/complaint; then fail "a config that is not there passes"; fi
grep -q 'mine/absent.yaml: there is no such config file' mine/complaint || { cat mine/complaint; fail "no sentence about an absent config"; }
