# Nix package of the static binary. nix-build -E 'with import <nixpkgs> {}; callPackage ./package.nix {}'
{ lib, stdenvNoCC, fetchurl, installShellFiles }:
let
  version = "@VERSION@";
  sources = {
    x86_64-linux = { cpu = "x86_64"; sha256 = "@SUM_X86_64@"; };
    aarch64-linux = { cpu = "aarch64"; sha256 = "@SUM_AARCH64@"; };
  };
  source = sources.${stdenvNoCC.hostPlatform.system};
in
stdenvNoCC.mkDerivation {
  pname = "benchdog";
  inherit version;
  src = fetchurl {
    url = "@URL@/benchdog-${version}-${source.cpu}-unknown-linux-musl.tar.gz";
    inherit (source) sha256;
  };
  nativeBuildInputs = [ installShellFiles ];
  installPhase = ''
    install -Dm755 benchdog $out/bin/benchdog
    installManPage man/man1/*
    installShellCompletion --bash --name benchdog completions/benchdog.bash
    installShellCompletion --zsh completions/_benchdog
    installShellCompletion --fish completions/benchdog.fish
  '';
  meta = {
    description = "Coding workbench for the terminal";
    license = lib.licenses.asl20;
    platforms = builtins.attrNames sources;
    mainProgram = "benchdog";
  };
}
