#!/bin/sh
# run_config.sh WAVESIM CONFIG FOLDER [options]: runs a config into FOLDER and looks for what it should leave there.
# Exit status 77 (skipped) where a file that the config names is absent.
wavesim=$1 config=$2 folder=$3
shift 3

for named in $(sed -n 's/^[^#]*{file: \([^,}]*\).*/\1/p' "$config" | sort -u); do
  if [ ! -e "$(dirname "$config")/$named" ] && [ ! -e "$WAVESIM_DATA/$named" ]; then
    echo "skipped: $config needs $named, which is neither beside it nor in '$WAVESIM_DATA'"
    exit 77
  fi
done

rm -rf "$folder"
"$wavesim" run "$config" --output "$folder" "$@" || { echo "exit status $?, expected 0"; exit 1; }

name=$(sed -n 's|^name: *\([^ #]*\).*|\1|p' "$config")
result=$folder/$name/$name.vtkhdf
[ -s "$result" ] || { echo "$result is not there"; ls -R "$folder"; exit 1; }
if grep -q '^  pictures:' "$config" && ! ls "$folder/$name/pictures/"*.png >/dev/null 2>&1; then
  echo "no pictures in $folder/$name/pictures"
  exit 1
fi
if grep -q '^receivers:' "$config" && [ ! -s "$folder/$name/${name}_receivers.csv" ]; then
  echo "$folder/$name/${name}_receivers.csv is not there"
  exit 1
fi
