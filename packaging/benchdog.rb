# Homebrew formula. brew install ./benchdog.rb
class Benchdog < Formula
  desc "Coding workbench for the terminal"
  version "@VERSION@"
  license "Apache-2.0"

  on_linux do
    on_intel do
      url "@URL@/benchdog-@VERSION@-x86_64-unknown-linux-musl.tar.gz"
      sha256 "@SUM_X86_64@"
    end
    on_arm do
      url "@URL@/benchdog-@VERSION@-aarch64-unknown-linux-musl.tar.gz"
      sha256 "@SUM_AARCH64@"
    end
  end

  def install
    bin.install "benchdog"
    man1.install Dir["man/man1/*"]
    bash_completion.install "completions/benchdog.bash" => "benchdog"
    zsh_completion.install "completions/_benchdog"
    fish_completion.install "completions/benchdog.fish"
    doc.install "THIRD-PARTY.txt"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/benchdog --version")
  end
end
