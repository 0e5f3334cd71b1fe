#!/usr/bin/env bash
# bench/papers/run.sh BUILD MATRICES OUT: the studies of docs/papers.md on the GPU, into OUT/papers_NAME.txt. MATRICES:
# a folder of Matrix Market files. DEVICE=cpu runs them on the CPU.
set -euo pipefail
build=$1 matrices=$2 out=$3 device=${DEVICE:-cuda}
mkdir -p "$out"

run() {  # name, options
  local name=$1
  shift
  "$build/bench_$name" --device "$device" "$@"
}
seconds=$SECONDS
done_with() {
  echo "papers_$1.txt: $((SECONDS - seconds)) s"
  seconds=$SECONDS
}

run pozzo --repetitions 7 >"$out/papers_pozzo.txt"
done_with pozzo
run fiorentini --repetitions 5 >"$out/papers_fiorentini.txt"
done_with fiorentini
{
  run jost --repetitions 3
  run jost "$matrices"
} >"$out/papers_jost.txt"
done_with jost
{
  run nibbeling --repetitions 5
  run nibbeling --repetitions 5 "$matrices"
} >"$out/papers_nibbeling.txt"
done_with nibbeling
{
  run flegar --sizes 1,2,4,8,12,16,20,24,28,32
  run flegar "$matrices"
} >"$out/papers_flegar.txt"
done_with flegar
