#!/bin/sh
# run_octave.sh PAGE FOLDER: runs the lines of Octave of a page in a folder with results/drum; skips (77) without Octave and its package hdf5oct.
page=$(realpath "$1") folder=$(realpath "$2")
if ! command -v octave >/dev/null || ! octave --eval 'pkg load hdf5oct' >/dev/null 2>&1; then
  echo "skipped: no octave with the package hdf5oct"
  exit 77
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" && mkdir results && ln -s "$folder" results/drum || exit 1
grep '^octave ' "$page" >lines.sh && sh -e lines.sh
