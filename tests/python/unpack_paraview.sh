#!/bin/sh
# Unpacks Debian's ParaView into .private/paraview of this checkout without installing it (its Python package conflicts with
# that of VTK). Takes what it needs beyond the installed packages; apt-get update must have been run.
set -eu
prefix="$(cd "$(dirname "$0")/../.." && pwd)/.private/paraview"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
apt-get install --simulate --no-install-recommends paraview python3-paraview | sed -n 's/^Inst \([^ ]*\).*/\1/p' >packages
xargs apt-get download <packages
mkdir -p "$prefix"
for package in *.deb; do
  dpkg -x "$package" "$prefix"
done
echo "unpacked $(wc -l <packages) packages into $prefix"
