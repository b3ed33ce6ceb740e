class Hookkit < Formula
  desc "Write hooks for coding agents once, ship them everywhere"
  homepage "https://github.com/hookkit/hookkit"
  version "0.1.0"
  if OS.mac?
    if Hardware::CPU.arm?
      url "https://github.com/hookkit/hookkit/releases/download/v0.1.0/hookkit-aarch64-apple-darwin.tar.gz"
      sha256 "2222222222222222222222222222222222222222222222222222222222222222"
    end
    if Hardware::CPU.intel?
      url "https://github.com/hookkit/hookkit/releases/download/v0.1.0/hookkit-x86_64-apple-darwin.tar.gz"
      sha256 "2222222222222222222222222222222222222222222222222222222222222222"
    end
  end
  if OS.linux?
    if Hardware::CPU.arm?
      url "https://github.com/hookkit/hookkit/releases/download/v0.1.0/hookkit-aarch64-unknown-linux-musl.tar.gz"
      sha256 "1111111111111111111111111111111111111111111111111111111111111111"
    end
    if Hardware::CPU.intel?
      url "https://github.com/hookkit/hookkit/releases/download/v0.1.0/hookkit-x86_64-unknown-linux-musl.tar.gz"
      sha256 "0000000000000000000000000000000000000000000000000000000000000000"
    end
  end
  license any_of: ["MIT", "Apache-2.0"]

  BINARY_ALIASES = {
    "aarch64-apple-darwin": {},
    "aarch64-pc-windows-gnu": {},
    "aarch64-unknown-linux-gnu": {},
    "aarch64-unknown-linux-musl-dynamic": {},
    "aarch64-unknown-linux-musl-static": {},
    "x86_64-apple-darwin": {},
    "x86_64-pc-windows-gnu": {},
    "x86_64-unknown-linux-gnu": {},
    "x86_64-unknown-linux-musl-dynamic": {},
    "x86_64-unknown-linux-musl-static": {}
  }

  def target_triple
    cpu = Hardware::CPU.arm? ? "aarch64" : "x86_64"
    os = OS.mac? ? "apple-darwin" : "unknown-linux-gnu"

    "#{cpu}-#{os}"
  end

  def install_binary_aliases!
    BINARY_ALIASES[target_triple.to_sym].each do |source, dests|
      dests.each do |dest|
        bin.install_symlink bin/source.to_s => dest
      end
    end
  end

  def install
    if OS.mac? && Hardware::CPU.arm?
      bin.install "hookkit", "hookkit-dispatch"
    end
    if OS.mac? && Hardware::CPU.intel?
      bin.install "hookkit", "hookkit-dispatch"
    end
    if OS.linux? && Hardware::CPU.arm?
      bin.install "hookkit", "hookkit-dispatch"
    end
    if OS.linux? && Hardware::CPU.intel?
      bin.install "hookkit", "hookkit-dispatch"
    end

    install_binary_aliases!

    # Homebrew will automatically install these, so we don't need to do that
    doc_files = Dir["README.*", "readme.*", "LICENSE", "LICENSE.*", "CHANGELOG.*"]
    leftover_contents = Dir["*"] - doc_files

    # Install any leftover files in pkgshare; these are probably config or
    # sample files.
    pkgshare.install(*leftover_contents) unless leftover_contents.empty?
  end
end
