#!/usr/bin/env bash
# bench/gpu.sh BUILD OUT: kernels and solves, then whole runs on the GPU, into OUT/*.txt (what bench/results holds).
set -euo pipefail
build=$1 out=$2 here=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$build/wavesim_bench" --device cuda 256 1023 4095 8191 >"$out/solvers_double.txt"
if [[ -x $build/bench_direct ]]; then "$build/bench_direct" >"$out/direct.txt"; fi
"$build/wavesim_bench" --device cuda --single 1023 4095 8191 >"$out/solvers_single.txt"

"$here/bench/steps" "$build" cuda >"$out/steps.txt"
"$build/bench_regret" --folder "$here/configs" >"$out/regret.txt" || true

run() { "$build/wavesim" run "$@" --device cuda --output "$work" --overwrite 2>&1 | sed "s|$work|results|g" || echo "exit status $?"; }
heading() { date -u +%Y-%m-%d && "$build/wavesim" info && "$build/wavesim" --version; }
{
  heading
  for format in stencil dia ellpack-r; do
    for precision in double single; do
      echo "--- membrane_8192, $format, $precision"
      run "$here/bench/membrane_8192.yaml" --set solver.format=$format --set precision=$precision \
        --set "solver.tolerance=$([ $precision = double ] && echo 1e-6 || echo 1e-5)"
    done
  done
} >"$out/membrane_8192.txt"
{
  heading
  for config in drum marmousi gulf; do
    echo "--- $config"
    run "$here/configs/$config.yaml" --set output.pictures=
  done
} >"$out/configs.txt"
