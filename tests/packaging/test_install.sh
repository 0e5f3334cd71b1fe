#!/bin/sh
# test_install.sh CMAKE BUILD VERSION: `cmake --install` puts the files of installed_files.txt and of installed_library_files.txt under a prefix,
# where they can be used, from programs in C++, too.
set -eu
cmake=$1 build=$2 version=$3 here=$(dirname "$(realpath "$0")")
export LC_ALL=C
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/home"

"$cmake" --install "$build" --prefix "$work/prefix" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
cached() { "$cmake" -LA -N "$build" | sed -n "s/^$1:[A-Z]*=//p"; }
libraries=$(cached CMAKE_INSTALL_LIBDIR) kind=$(cached CMAKE_BUILD_TYPE | tr '[:upper:]' '[:lower:]')
{ cat "$here/installed_files.txt"; sed "s|LIB|$libraries|; s|TYPE|${kind:-release}|; s|VERSION|$version|; s|SERIES|${version%.*}|" "$here/installed_library_files.txt"
  echo share/zsh/site-functions/_wavesim; } | sort >"$work/expected"
# the licences of other packages are those that this machine has; use_installed.sh looks for the documents
(cd "$work/prefix" && find . ! -type d) | sed 's|^\./||' | grep -Ev '^share/doc/wavesim/(licences|docs|bench)/' | sort >"$work/files"
diff "$work/expected" "$work/files" || { echo "other files ('>') than expected ('<')"; exit 1; }
cd "$work/home"
sh "$here/use_installed.sh" "$work/prefix" "$version"
if [ "$(cached WAVESIM_SANITIZE)" = ON ]; then
  echo "no program is built on the library: it would need the sanitizers, too"
else
  sh "$here/use_library.sh" "$work/prefix" "$cmake"
fi
