#!/bin/sh
# Installs Benchdog from a release archive, without network.
# Usage: ./install.sh [PREFIX]                  in the unpacked archive
#        ./install.sh ARCHIVE.tar.gz [PREFIX]   beside the archive and SHA256SUMS
# PREFIX is /usr/local for root, else ~/.local.
set -eu

fail() { echo "install.sh: $1" >&2; exit 1; }

if [ "$(id -u)" -eq 0 ]; then prefix=/usr/local; else prefix="$HOME/.local"; fi
case "${1:-}" in
  -h | --help) sed -n '2,5s/^# //p' "$0"; exit 0 ;;
  *.tar.gz)
    archive=$1
    [ -f "$archive" ] || fail "there is no file $archive"
    sums="$(dirname "$archive")/SHA256SUMS"
    [ -f "$sums" ] || fail "there is no $sums. Copy it from the release, beside the archive"
    name="$(basename "$archive")"
    expected="$(awk -v name="$name" '$2 == name { print $1 }' "$sums")"
    [ -n "$expected" ] || fail "$sums does not list $name"
    actual="$(sha256sum "$archive" | cut -d' ' -f1)"
    [ "$actual" = "$expected" ] || fail "$name is damaged: its checksum is not the one in $sums. Copy it again"
    folder="$(mktemp -d)"
    trap 'rm -rf "$folder"' EXIT
    tar -xzf "$archive" -C "$folder" --strip-components=1
    [ -n "${2:-}" ] && prefix=$2
    ;;
  *)
    folder="$(cd "$(dirname "$0")" && pwd)"
    [ -n "${1:-}" ] && prefix=$1
    ;;
esac
[ -f "$folder/benchdog" ] || fail "there is no benchdog beside this script. Name the archive: ./install.sh ARCHIVE.tar.gz"
"$folder/benchdog" --version >/dev/null 2>&1 || fail "this archive is for another kind of machine than $(uname -m)"

put() { mkdir -p "$prefix/$2" && cp "$folder/$1" "$prefix/$2/$3"; }
mkdir -p "$prefix/bin"
# A running program keeps its file: the new one takes the name in one step.
cp "$folder/benchdog" "$prefix/bin/.benchdog.new"
chmod 755 "$prefix/bin/.benchdog.new"
mv -f "$prefix/bin/.benchdog.new" "$prefix/bin/benchdog"
for page in "$folder"/man/man1/*; do put "man/man1/$(basename "$page")" share/man/man1 "$(basename "$page")"; done
put completions/benchdog.bash share/bash-completion/completions benchdog
put completions/_benchdog share/zsh/site-functions _benchdog
put completions/benchdog.fish share/fish/vendor_completions.d benchdog.fish
put completions/benchdog.nu share/nushell/vendor/autoload benchdog.nu
put LICENSE share/doc/benchdog LICENSE
put THIRD-PARTY.txt share/doc/benchdog THIRD-PARTY.txt
echo "installed $("$prefix/bin/benchdog" --version) in $prefix/bin"
case ":$PATH:" in *":$prefix/bin:"*) ;; *) echo "add $prefix/bin to PATH" ;; esac
