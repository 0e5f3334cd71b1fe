#!/bin/sh
# test_install.sh CMAKE BUILD VERSION: `cmake --install` puts the files of installed_files.txt under a prefix, and they can be used there.
set -eu
cmake=$1 build=$2 version=$3 here=$(dirname "$(realpath "$0")")
export LC_ALL=C
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/home"

"$cmake" --install "$build" --prefix "$work/prefix" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
{ cat "$here/installed_files.txt"; echo share/zsh/site-functions/_wavesim; } | sort >"$work/expected"
# the licences of other packages are those that this machine has
(cd "$work/prefix" && find . -type f) | sed 's|^\./||' | grep -v '^share/doc/wavesim/licences/' | sort >"$work/files"
diff "$work/expected" "$work/files" || { echo "other files ('>') than expected ('<')"; exit 1; }
cd "$work/home"
sh "$here/use_installed.sh" "$work/prefix" "$version"
