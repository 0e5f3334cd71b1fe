#!/bin/sh
# run_octave.sh PAGE FOLDER: runs the lines of Octave of a page in a folder with results/drum; skips (77) without Octave.
page=$(realpath "$1") folder=$(realpath "$2")
if ! command -v octave >/dev/null; then
  echo "skipped: no octave"
  exit 77
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" && mkdir results && ln -s "$folder" results/drum || exit 1
grep '^octave ' "$page" >lines.sh && sh -e lines.sh >said || exit 1
cat said
awk 'NF == 3 && $1 > 1 && $2 > 1 && $3 > 1 { size = 1 } NF == 1 && $1 > 0 { time = 1 } END { exit !(size && time) }' said ||
  { echo "no size of three axes, or no time"; exit 1; }
