#!/bin/sh
# check_pictures.sh ROOT: every picture that a page shows is there, every picture in docs/pictures is shown, and all are below 2 MB.
cd "$1" || exit 1
status=0
for page in README.md docs/*.md; do
  for picture in $(grep -o 'src="[^"]*\.png"' "$page" | cut -d'"' -f2); do
    [ -s "$(dirname "$page")/$picture" ] || { echo "$page shows $picture, which is not there"; status=1; }
  done
done
for picture in docs/pictures/*.png; do
  grep -q "pictures/$(basename "$picture")\"" README.md docs/*.md || { echo "no page shows $picture"; status=1; }
done
bytes=$(cat docs/pictures/*.png | wc -c)
echo "$bytes bytes in docs/pictures"
[ "$bytes" -lt 2000000 ] || { echo "that is more than 2 MB"; status=1; }
exit $status
