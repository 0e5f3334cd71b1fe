#!/bin/sh
# docs/pictures/make.sh [WAVESIM [DATA]]: makes every picture of the documents anew: runs configs/, then `wavesim render`, and the script of
# docs/paraview.md where there is a pvbatch. Some five minutes on two cores. DATA holds the files that marmousi.yaml and gulf.yaml name.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
wavesim=$(realpath "${1:-$root/build/wavesim}")
data=$(realpath "${2:-$root/../shared/data}")
pictures=$root/docs/pictures
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
export OMP_WAIT_POLICY=passive WAVESIM_DATA="$data"

run() {  # CONFIG [options]: without the pictures of the run itself
  config=$1
  shift
  echo "$config"
  "$wavesim" run "$root/configs/$config.yaml" --quiet --set output.pictures= "$@"
}
picture() {  # NAME RESULT TIME [options]: the frame nearest before TIME
  name=$1 result=$2 time=$3
  shift 3
  "$wavesim" render "results/$result" --quiet --pictures --to "$time" --output "$name" "$@"
  cp "$(ls "$name"/*.png | tail -n 1)" "$pictures/$name.png"
}

run drum --set 'output.fields.formats=[vtkhdf,vti]'
picture drum drum 0.002 --width 640 --range 3e-4 --shading 0.7 --relief 0.05

"$wavesim" modes "$root/configs/drum.yaml" --count 9 >/dev/null
"$wavesim" render results/drum_modes --quiet --contact-sheet 9 --width 400 --range 1 --output sheet
cp sheet/drum_modes_sheet.png "$pictures"

run double_slit
picture double_slit double_slit 2 --width 480 --range 1 --shading 0.7
"$wavesim" render results/double_slit --quiet --contact-sheet 12 --width 640 --range 1 --no-marks --output sheet
cp sheet/double_slit_sheet.png "$pictures"

run salt --set time.end=1.25
picture salt salt 1.21 --width 640 --range 0.1

run island --set time.end=2160
picture island island 2110 --width 480 --range 0.6 --shading 0.7 --relief 0.01

"$wavesim" run "$root/configs/echo.yaml" --quiet --set output.pictures=none
run echo_back --data results/echo
picture echo_back echo_back 0.00372 --width 320 --range 0.05

run marmousi
picture marmousi marmousi 1.2 --width 920 --range 0.1 --shading 0.7 --relief 0.005
"$wavesim" render results/marmousi --quiet --receivers --width 800 --output receivers
cp receivers/marmousi_gather_surface.png "$pictures/marmousi_gather.png"

run gulf
picture gulf gulf 5100 --width 960 --range 0.5 --shading 0.7 --relief 0.03
picture gulf_arrival_time gulf 14400 --every 48 --width 640 --quantity arrival-time

sed -n '/^```python/,/^```/{/^```/!p}' "$root/docs/paraview.md" >look.py
status=0
"$root/tests/python/with_paraview.sh" pvbatch look.py || status=$?
case $status in
  0) for name in $(grep -o 'pictures/paraview_[^"]*' "$root/docs/paraview.md"); do cp "${name#pictures/}" "$pictures"; done ;;
  77) echo "left as they were: the pictures of ParaView" ;;
  *) exit "$status" ;;
esac
du -sh "$pictures"
