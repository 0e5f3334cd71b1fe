#!/usr/bin/env bash
# bench/gpu.sh BUILD OUT: kernels and solves, then whole runs on the GPU, into OUT/*.txt (what bench/results holds).
set -euo pipefail
build=$1 out=$2 here=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
"$build/wavesim_bench" --device cuda 256 1023 4095 8191 >"$out/solvers_double.txt"
"$build/wavesim_bench" --device cuda --single 1023 4095 8191 >"$out/solvers_single.txt"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for format in stencil dia ellpack-r; do
  for precision in double single; do
    echo "--- membrane_8192, $format, $precision"
    "$build/wavesim" run "$here/bench/membrane_8192.yaml" --device cuda --output "$work/$format-$precision" --set solver.format=$format \
      --set precision=$precision --set "solver.tolerance=$([ $precision = double ] && echo 1e-6 || echo 1e-5)" 2>&1 || echo "exit status $?"
  done
done >"$out/membrane_8192.txt"
for config in drum marmousi gulf; do
  echo "--- $config"
  "$build/wavesim" run "$here/configs/$config.yaml" --device cuda --output "$work" --set output.pictures= 2>&1 || echo "exit status $?"
done >"$out/configs.txt"
