#!/usr/bin/env bash
# tests/gpu/check.sh PROGRAMS OUT [PARTS]: what has to hold on a GPU, in about ten minutes. PROGRAMS is a build folder with
# CUDA, or one with wavesim and the tests, whose libraries are found. Each test program runs in PARTS (6) beside each other, which
# wait for the GPU most of their time; small tests run under compute-sanitizer; runs on the CPU and on the GPU give the same
# files of receivers. Their outputs are OUT/*.txt. WITHOUT: a pattern of tests that are left out.
# Exit status: 0 all passed, 1 something failed, 2 wrong words.
set -uo pipefail
[ $# -ge 2 ] && [ -x "$1/wavesim" ] || { sed -n '2,6s/^# //p' "$0"; exit 2; }
programs=$(cd "$1" && pwd) parts=${3:-6} configs=$(cd "$(dirname "$0")/../../configs" && pwd)
mkdir -p "$2" && out=$(cd "$2" && pwd)
failed=0
say() { # NAME STATUS FILE
  if [ "$2" = 0 ]; then echo "passed  $1"; else failed=1; echo "failed  $1, exit status $2: $3"; tail -5 "$3" | sed 's/^/  /'; fi
}

in_parts() { # PROGRAM
  [ -x "$programs/$1" ] || { echo "absent  $1"; return; }
  local processes=() part
  for ((part = 0; part < parts; ++part)); do
    GTEST_TOTAL_SHARDS=$parts GTEST_SHARD_INDEX=$part "$programs/$1" --gtest_brief=1 --gtest_filter="*-${WITHOUT:-}" >"$out/$1.$part.txt" 2>&1 &
    processes+=($!)
  done
  for ((part = 0; part < parts; ++part)); do
    wait "${processes[part]}"
    say "$1, part $((part + 1)) of $parts" $? "$out/$1.$part.txt"
  done
}
sanitized() { # PROGRAM TESTS
  [ -x "$programs/$1" ] && command -v compute-sanitizer >/dev/null || { echo "absent  compute-sanitizer or $1"; return; }
  local tool
  for tool in memcheck initcheck racecheck; do
    timeout 150 compute-sanitizer --tool "$tool" --error-exitcode 9 "$programs/$1" --gtest_brief=1 --gtest_filter="$2" >"$out/$1.$tool.txt" 2>&1
    say "$tool, $1 $2" $? "$out/$1.$tool.txt"
  done
}
same_receivers() { # NAME OPTIONS...
  local name=$1 device; shift
  for device in cpu cuda; do
    "$programs/wavesim" run "$configs/drum.yaml" --device "$device" --overwrite --output "$out/$name.$device" --set "grid.cells=[120, 120]" \
      --set time.end=0.004 --set output.pictures=null --set 'output.receivers.formats=[csv]' "$@" >"$out/$name.$device.txt" 2>&1 \
      || { say "$name on $device" $? "$out/$name.$device.txt"; return; }
  done
  cmp <(grep -v '^#' "$out/$name.cpu"/*/*receivers.csv) <(grep -v '^#' "$out/$name.cuda"/*/*receivers.csv) >"$out/$name.txt" 2>&1
  say "receivers of $name on both devices" $? "$out/$name.txt"
}

same_receivers cg --set 'solver={method: cg, tolerance: 1e-9}'
same_receivers chebyshev --set 'solver={method: chebyshev, tolerance: 1e-9}'
numerov=(--set space.order=4 --set time.scheme=numerov --set time.courant=0.7 --set 'solver={method: chebyshev, tolerance: 1e-9}')
same_receivers numerov "${numerov[@]}"
same_receivers numerov_masses "${numerov[@]}" --set shape=null --set 'medium={model: acoustic, density: 1, speed: "80 + 50 * x"}'
same_receivers explicit --set 'time.scheme=explicit' --set time.courant=0.5
in_parts test_kernels_cuda
in_parts test_solvers_cuda
in_parts test_sim
sanitized test_solvers_cuda 'CgInTiles.*:RowTilesOf/0.*:ComposedNinePointSweeps/2.*'
sanitized test_kernels_cuda 'Groups*.*:Backend.*:RowsOfARank.*'
exit "$failed"
