#!/usr/bin/env bash
# test_deb.sh DEB [ROOT]: the package of `./dev package` has the files that it should, and in a bare Debian 12 it is
# installed, runs as a user without rights, and is removed. ROOT is a folder with a bare Debian that debootstrap made; a
# copy of it is used. Without ROOT debootstrap makes one. Without debootstrap or root's rights, or with WAVESIM_BARE_ROOT=no,
# the package is unpacked into a folder and runs with the libraries of this machine.
set -euo pipefail
export LC_ALL=C

[ $# -ge 1 ] || { echo "which package? tests/packaging/test_deb.sh build-package/wavesim_0.1.0_amd64.deb [ROOT]" >&2; exit 2; }
here=$(dirname "$(realpath "$0")") deb=$(realpath "$1") bare=${2:-}
work=$(mktemp -d)
trap 'rm -rf --one-file-system "$work"' EXIT
chmod 755 "$work"

fail() { echo "test_deb: $*" >&2; exit 1; }
say() { echo "test_deb: $*"; }

# The files.
{  # and what only packages have
  sed 's|^|/usr/|' "$here/installed_files.txt"
  printf '/usr/share/doc/wavesim/licences/%s\n' libcli11-dev libeigen3-dev libjs-chart.js
  echo /usr/share/zsh/vendor-completions/_wavesim
} | sort >"$work/expected"
dpkg-deb --fsys-tarfile "$deb" | tar -t | grep -v '/$' | sed 's|^\./|/|' | sort >"$work/files"
diff "$work/expected" "$work/files" || fail "the package has other files ('>') than it should ('<')"
dpkg-deb --fsys-tarfile "$deb" | tar -tv | awk '$2 != "root/root" { print; bad = 1 } END { exit bad }' ||
  fail "these do not belong to root"
version=$(dpkg-deb --field "$deb" Version)
[ "$(dpkg-deb --field "$deb" Package)" = wavesim ] || fail "the package is not named wavesim"
dpkg-deb --field "$deb" Depends | grep -q 'libhdf5' || fail "the package depends on no HDF5"
say "$(wc -l <"$work/files") files; version $version; $(($(stat -c %s "$deb") / 1000)) kB"

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
if [ "${WAVESIM_BARE_ROOT:-}" = no ] || [ "$(id -u)" != 0 ] || { [ -z "$bare" ] && ! command -v debootstrap >/dev/null; }; then
  say "unpacked, not installed"
  old_processor "$work/unpacked/usr/bin/wavesim"
  mkdir "$work/home"
  (cd "$work/home" && sh "$here/use_installed.sh" "$work/unpacked/usr" "$version")
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
[ -z "${WAVESIM_KEEP:-}" ] || cp -r "$root/home/user/results" "$WAVESIM_KEEP"

apt purge wavesim || { tail -n 20 "$work/apt.log"; fail "the package cannot be removed"; }
while read -r file; do
  [ ! -e "$root$file" ] || fail "$file is left after the package was removed"
done <"$work/files"
[ ! -e "$root/usr/share/wavesim" ] || fail "/usr/share/wavesim is left after the package was removed"
say "passed: installed, used and removed"
