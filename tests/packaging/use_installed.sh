#!/bin/sh
# use_installed.sh USR VERSION: what a user does with the program that is installed in USR, in the current folder, which is empty.
set -eu
usr=$1 version=$2
wavesim=$usr/bin/wavesim configs=$usr/share/wavesim/configs
fail() { echo "use_installed: $*" >&2; exit 1; }

"$wavesim" --version | grep -F "wavesim $version" || fail "--version does not say $version"
"$wavesim" list | grep -w chebyshev >/dev/null || fail "'wavesim list' does not name chebyshev"
"$wavesim" schema | cmp - "$configs/schema.json" || fail "schema.json is not that of this program"
"$wavesim" man | gzip -9n | cmp - "$usr/share/man/man1/wavesim.1.gz" || fail "the man page is not that of this program"
"$wavesim" completion bash | cmp - "$usr/share/bash-completion/completions/wavesim" || fail "bash's completion is another"
"$wavesim" completion zsh | cmp - "$usr"/share/zsh/*/_wavesim || fail "zsh's completion is another"
"$wavesim" completion fish | cmp - "$usr/share/fish/vendor_completions.d/wavesim.fish" || fail "fish's completion is another"

# Links of the documents lead to files.
documents=$usr/share/doc/wavesim
find "$documents" -name '*.md' | while read -r page; do
  tr '\n' ' ' <"$page" | grep -Eo '\]\([^)# ]+|(src|href)="[^"#]+' | sed -E 's/^(\]\(|src="|href=")//' | grep -v '^https\?:' | while read -r link; do
    [ -e "$(dirname "$page")/$link" ] || echo "${page#"$documents/"}: there is no $link"
  done || true
done >broken-links.txt
[ ! -s broken-links.txt ] || { cat broken-links.txt; fail "links of the documents lead nowhere"; }
[ -s "$documents/docs/config.md" ] || fail "there is no docs/config.md"

"$wavesim" "$configs/drum.yaml" --quiet --set grid.cells=[80,80] --set time.end=0.002 --set output.fields.every=5 \
  --set output.pictures.every=10 --set output.pictures.width=400
[ -s results/drum/drum.vtkhdf ] || fail "the drum left no results/drum/drum.vtkhdf"
ls results/drum/pictures/*.png >/dev/null || fail "the drum left no pictures"

# Each example needs nothing but what is installed; echo_back plays what echo recorded.
"$wavesim" "$configs/echo.yaml" --quiet --set grid.cells=[100,100] --set output.pictures.width=200
for config in "$configs"/*.yaml; do
  case $config in
    */echo_back.yaml) "$wavesim" "$config" --dry-run --set grid.cells=[100,100] --data results/echo ;;
    *) "$wavesim" "$config" --dry-run ;;
  esac >dry-run.txt 2>&1 || { cat dry-run.txt; fail "$config does not pass a dry run"; }
done
