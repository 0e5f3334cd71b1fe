#!/usr/bin/env bash
# test_deb.sh DEB [ROOT]: the package wavesim of `./dev package`, and wavesim-dev beside it, have the files that they should. In a
# bare Debian 12 they are installed, used by a user without rights, from a program in C++, too, and removed. ROOT is a folder with a bare Debian that debootstrap made; a
# copy of it is used. Without ROOT debootstrap makes one. Without debootstrap or root's rights, or with WAVESIM_BARE_ROOT=no,
# the package is unpacked into a folder and runs with the libraries of this machine.
set -euo pipefail
export LC_ALL=C

[ $# -ge 1 ] || { echo "which package? tests/packaging/test_deb.sh build-package/wavesim_0.1.0_amd64.deb [ROOT]" >&2; exit 2; }
here=$(dirname "$(realpath "$0")") deb=$(realpath "$1") bare=${2:-}
dev=$(dirname "$deb")/$(basename "$deb" | sed 's/^wavesim_/wavesim-dev_/')
[ -e "$dev" ] || { echo "test_deb: there is no $dev" >&2; exit 1; }
work=$(mktemp -d)
trap 'rm -rf --one-file-system "$work"' EXIT
chmod 755 "$work"

fail() { echo "test_deb: $*" >&2; exit 1; }
say() { echo "test_deb: $*"; }

# The files.
version=$(dpkg-deb --field "$deb" Version)
{  # and what only packages have
  sed 's|^|/usr/|' "$here/installed_files.txt"
  printf '/usr/share/doc/wavesim/licences/%s\n' libcli11-dev libeigen3-dev libjs-chart.js
  echo /usr/share/zsh/vendor-completions/_wavesim
} | sort >"$work/expected-wavesim"
sed "s|^|/usr/|; s|LIB|lib/x86_64-linux-gnu|; s|TYPE|release|; s|VERSION|$version|; s|SERIES|${version%.*}|" "$here/installed_library_files.txt" |
  sort >"$work/expected-wavesim-dev"
check_files() {  # of the package $1, in the file $2
  dpkg-deb --fsys-tarfile "$2" | tar -t | grep -v '/$' | sed 's|^\./|/|' | sort >"$work/files-$1"
  # use_installed.sh looks for the documents
  grep -Ev '^/usr/share/doc/wavesim/(docs|bench)/' "$work/files-$1" | diff "$work/expected-$1" - || fail "$1 has other files ('>') than it should ('<')"
  dpkg-deb --fsys-tarfile "$2" | tar -tv | awk '$2 != "root/root" { print; bad = 1 } END { exit bad }' ||
    fail "these do not belong to root"
  [ "$(dpkg-deb --field "$2" Package)" = "$1" ] || fail "the package is not named $1"
  dpkg-deb --field "$2" Depends | grep -q 'libhdf5' || fail "$1 depends on no HDF5"
  say "$1: $(wc -l <"$work/files-$1") files; version $version; $(($(stat -c %s "$2") / 1000)) kB"
}
check_files wavesim "$deb"
check_files wavesim-dev "$dev"
dpkg-deb --field "$dev" Depends | grep -qF "wavesim (= $version)" || fail "wavesim-dev does not depend on wavesim $version"

# A processor of 2008, where there is an emulator of it: $1 runs the emulator.
old_processor() {
  local emulator status=0
  emulator=$(command -v qemu-x86_64) || { say "no qemu-x86_64 (Debian: qemu-user): not tried on an older processor"; return; }
  "$emulator" -cpu Nehalem "$1" --version >"$work/old.txt" 2>&1 || status=$?
  grep -q 'processor does not know' "$work/old.txt" || { cat "$work/old.txt"; fail "an older processor is met without a sentence"; }
  [ "$status" = 5 ] || fail "exit status $status on an older processor, expected 5"
  say "on an older processor: $(cat "$work/old.txt")"
}

dpkg -x "$deb" "$work/unpacked"
dpkg -x "$dev" "$work/unpacked"
if [ "${WAVESIM_BARE_ROOT:-}" = no ] || [ "$(id -u)" != 0 ] || { [ -z "$bare" ] && ! command -v debootstrap >/dev/null; }; then
  say "unpacked, not installed"
  old_processor "$work/unpacked/usr/bin/wavesim"
  mkdir "$work/home"
  (cd "$work/home" && sh "$here/use_installed.sh" "$work/unpacked/usr" "$version" && sh "$here/use_library.sh" "$work/unpacked/usr")
  say "passed, without installing it"
  exit
fi
old_processor "$work/unpacked/usr/bin/wavesim"

root=$work/root
if [ -n "$bare" ]; then
  cp -a "$bare" "$root"
else
  say "debootstrap makes a bare Debian 12"
  debootstrap --variant=minbase bookworm "$root" http://deb.debian.org/debian >"$work/debootstrap.log" 2>&1 ||
    { tail -n 20 "$work/debootstrap.log"; fail "debootstrap failed"; }
fi
inside() {  # with a /proc of its own, which ends with the command
  unshare --mount --pid --fork --mount-proc="$root/proc" chroot "$@"
}
apt() { inside "$root" env DEBIAN_FRONTEND=noninteractive apt-get -qq -y --no-install-recommends "$@" >"$work/apt.log" 2>&1; }

[ ! -e "$root/usr/bin/wavesim" ] || fail "wavesim is there before it is installed"
cp "$deb" "$root/tmp/wavesim.deb"
apt update || { tail -n 20 "$work/apt.log"; fail "apt-get update failed"; }
apt install /tmp/wavesim.deb || { tail -n 20 "$work/apt.log"; fail "the package cannot be installed"; }
say "installed with $(grep -c '^Setting up' "$work/apt.log") packages"
inside "$root" dpkg --verify wavesim || fail "dpkg finds installed files changed"

install -d -o 1000 -g 1000 "$root/home/user"
cp "$here/use_installed.sh" "$root/tmp/"
inside --userspec=1000:1000 "$root" env HOME=/home/user sh -c "cd && sh /tmp/use_installed.sh /usr '$version'"
say "wavesim-dev, with a compiler"
cp "$dev" "$root/tmp/wavesim-dev.deb"
apt install /tmp/wavesim-dev.deb g++ cmake make || { tail -n 20 "$work/apt.log"; fail "wavesim-dev cannot be installed"; }
cp "$here/use_library.sh" "$root/tmp/"
inside --userspec=1000:1000 "$root" env HOME=/home/user sh -c "cd && sh /tmp/use_library.sh /usr"
[ -z "${WAVESIM_KEEP:-}" ] || cp -r "$root/home/user/results" "$WAVESIM_KEEP"

apt purge wavesim wavesim-dev || { tail -n 20 "$work/apt.log"; fail "the packages cannot be removed"; }
while read -r file; do
  [ ! -e "$root$file" ] || fail "$file is left after the packages were removed"
done < <(cat "$work/files-wavesim" "$work/files-wavesim-dev")
[ ! -e "$root/usr/share/wavesim" ] || fail "/usr/share/wavesim is left after the packages were removed"
say "passed: installed, used and removed"
