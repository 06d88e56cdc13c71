#!/usr/bin/env bash
# Makes the files of a release in target/packages: archives, .deb, .rpm, Python wheel, npm package, recipes, licences, SBOM, checksums.
# Usage: packaging/dist.sh [TARGET...]     default: all four targets
#   DIST_URL   address of the folder that will hold the files, for the recipes (default: the local folder)
#   DIST_KEY   ssh private key that signs SHA256SUMS (default: no signature)
set -euo pipefail
cd "$(dirname "$0")/.."

all=(x86_64-unknown-linux-musl aarch64-unknown-linux-musl x86_64-unknown-linux-gnu.2.17 aarch64-unknown-linux-gnu.2.17)
targets=("$@")
[ "${#targets[@]}" -gt 0 ] || targets=("${all[@]}")
for target in "${targets[@]}"; do
  case " ${all[*]} " in
    *" $target "*) ;;
    *) echo "dist.sh: unknown target '$target', use one of: ${all[*]}" >&2; exit 2 ;;
  esac
done

version="$(sed -n '/^\[workspace.package\]/,/^\[/s/^version = "\(.*\)"/\1/p' Cargo.toml)"
SOURCE_DATE_EPOCH="$(git log -1 --format=%ct)"
export SOURCE_DATE_EPOCH TZ=UTC LC_ALL=C
out="$PWD/target/packages"
work="$PWD/target/packaging"
url="${DIST_URL:-file://$out}"
home="${CARGO_HOME:-$HOME/.cargo}"
rm -rf "$out" "$work"
mkdir -p "$out" "$work"

step() { printf '\n== %s\n' "$*"; }

# Tools with the versions that this script was tried with.
tool() { # name version
  cargo "$1" --version >/dev/null 2>&1 || cargo-"$1" --version >/dev/null 2>&1 && return
  step "install cargo-$1 $2"
  CARGO_PROFILE_RELEASE_OPT_LEVEL=1 CARGO_PROFILE_RELEASE_LTO=off CARGO_PROFILE_RELEASE_CODEGEN_UNITS=64 \
    cargo install --locked --quiet "cargo-$1" --version "$2"
}
tool auditable 0.7.7
tool cyclonedx 0.5.9
tool deb 3.8.0
tool generate-rpm 0.21.1
python="$work/python"
python3 -m venv "$python"
"$python/bin/pip" install --quiet ziglang==0.17.1 cargo-zigbuild==0.24.1 wheel==0.48.0
export PATH="$python/bin:$PATH"

step "licences and SBOM"
python3 packaging/licences.py >"$work/THIRD-PARTY.txt"
cargo cyclonedx --format json --all-features --override-filename bom --manifest-path Cargo.toml --quiet
mv bom.json "$out/benchdog-$version.cdx.json"
find src fuzz -name bom.json -delete

# archive NAME FOLDER: the same bytes for the same content
archive() {
  tar --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" --format=ustar -C "$(dirname "$2")" -cf - "$(basename "$2")" |
    gzip -9n >"$1"
}

# Paths of this machine are not in the binary.
export RUSTFLAGS="--remap-path-prefix=$PWD=benchdog --remap-path-prefix=$home=cargo"
for target in "${targets[@]}"; do
  step "build $target"
  triple="${target%%.*}"
  rustup target add "$triple" 2>/dev/null || true
  cargo auditable zigbuild --locked --profile dist -p benchdog --target "$target"
  mkdir -p "$work/bin"
  cp "target/$triple/dist/benchdog" "$work/bin/$triple"
done
unset RUSTFLAGS

step "manual and completions"
# Texts come from the program itself, whose own machine may be another one.
host="$(uname -m)"
speaker="$(find "$work/bin" -name "$host-*" | head -1)"
if [ -z "$speaker" ]; then
  cargo build --locked --release -p benchdog
  speaker=target/release/benchdog
fi
mkdir -p "$work/share/man/man1" "$work/share/completions"
"$speaker" man --output "$work/share/man/man1"
"$speaker" completions bash >"$work/share/completions/benchdog.bash"
"$speaker" completions zsh >"$work/share/completions/_benchdog"
"$speaker" completions fish >"$work/share/completions/benchdog.fish"
"$speaker" completions nushell >"$work/share/completions/benchdog.nu"

step "archives"
for binary in "$work"/bin/*; do
  triple="$(basename "$binary")"
  folder="$work/benchdog-$version-$triple"
  mkdir -p "$folder"
  install -m 755 "$binary" "$folder/benchdog"
  install -m 755 packaging/install.sh "$folder/install.sh"
  cp -r README.md LICENSE docs themes "$work/THIRD-PARTY.txt" "$work/share/man" "$work/share/completions" "$folder/"
  archive "$out/benchdog-$version-$triple.tar.gz" "$folder"
done

# The packages hold the static binaries, which need nothing of the system.
for cpu in x86_64 aarch64; do
  static="$work/bin/$cpu-unknown-linux-musl"
  [ -f "$static" ] || continue
  step "packages for $cpu"
  mkdir -p "$work/stage"
  install -m 755 "$static" "$work/stage/benchdog"
  cargo deb --quiet --no-build --no-strip --locked --target "$cpu-unknown-linux-musl" -p benchdog -o "$out/"
  cargo generate-rpm --target "$cpu-unknown-linux-musl" --source-date "$SOURCE_DATE_EPOCH" -o "$out/"

  wheel="$work/wheel-$cpu"
  mkdir -p "$wheel/benchdog-$version.dist-info" "$wheel/benchdog-$version.data/scripts"
  install -m 755 "$static" "$wheel/benchdog-$version.data/scripts/benchdog"
  cp LICENSE "$work/THIRD-PARTY.txt" "$wheel/benchdog-$version.dist-info/"
  printf 'Wheel-Version: 1.0\nGenerator: packaging/dist.sh\nRoot-Is-Purelib: false\nTag: py3-none-manylinux_2_17_%s\nTag: py3-none-musllinux_1_1_%s\n' \
    "$cpu" "$cpu" >"$wheel/benchdog-$version.dist-info/WHEEL"
  { printf 'Metadata-Version: 2.1\nName: benchdog\nVersion: %s\nSummary: Coding workbench for the terminal\nLicense: Apache-2.0\nDescription-Content-Type: text/markdown\n\n' "$version"
    cat README.md; } >"$wheel/benchdog-$version.dist-info/METADATA"
  "$python/bin/python" -m wheel pack "$wheel" --dest-dir "$out" >/dev/null

  node=x64
  [ "$cpu" = x86_64 ] || node=arm64
  package="$work/npm-$cpu"
  mkdir -p "$package/bin"
  install -m 755 "$static" "$package/bin/benchdog"
  cp README.md LICENSE "$work/THIRD-PARTY.txt" "$package/"
  sed -e "s/@VERSION@/$version/" -e "s/@CPU@/$node/" packaging/npm.json >"$package/package.json"
  (mkdir -p "$work/npm-$cpu-packed" && mv "$package" "$work/npm-$cpu-packed/package")
  archive "$out/benchdog-npm-$version-linux-$node.tgz" "$work/npm-$cpu-packed/package"
done

step "recipes and checksums"
sum() { sha256sum "$out/benchdog-$version-$1-unknown-linux-musl.tar.gz" 2>/dev/null | cut -d' ' -f1; }
for recipe in benchdog.rb PKGBUILD package.nix; do
  sed -e "s|@VERSION@|$version|g" -e "s|@URL@|$url|g" -e "s|@SUM_X86_64@|$(sum x86_64)|g" -e "s|@SUM_AARCH64@|$(sum aarch64)|g" \
    "packaging/$recipe" >"$out/$recipe"
done
cp packaging/Containerfile packaging/install.sh "$out/"
(cd "$out" && find . -type f ! -name 'SHA256SUMS*' -printf '%P\n' | sort | xargs sha256sum >SHA256SUMS)
if [ -n "${DIST_KEY:-}" ]; then
  ssh-keygen -q -Y sign -f "$DIST_KEY" -n file "$out/SHA256SUMS"
else
  echo "not signed: DIST_KEY names no key"
fi
ls -l "$out"
