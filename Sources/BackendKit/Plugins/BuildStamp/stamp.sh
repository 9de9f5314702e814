#!/bin/sh
# usage: stamp.sh OUTPUT PACKAGE
# Writes the Swift file that holds the build stamp of the package's sources. Names are taken relative to the package,
# so that two checkouts of the same sources agree.
set -eu
output=$1
cd "$2"
digest=$(find BackendKit BackendClient BackendTransport BackendConformance -name '*.swift' | LC_ALL=C sort |
  while read -r file; do printf '%s\n' "$file"; cat "$file"; done | sha256sum | cut -c1-16)
compiler=$(swiftc --version 2>/dev/null | sed -n 's/.*Swift version \([^ ]*\).*/\1/p' | head -n 1)
machine=$(uname -m)-linux
stamp() { printf 'switchboard-build-stamp: %s swift-%s %s %s;' "$digest" "${compiler:-unknown}" "$machine" "$1"; }
# The digest stands in a function's body, which callers carry along, and in the interface of a protocol: an incremental
# build compiles a caller again only where the interface of a type that it uses has changed.
cat >"$output" <<SWIFT
/// What the stamp belongs to. Its interface changes with every stamp, so that whoever uses a conforming type is compiled
/// again.
public protocol Stamped: Sendable {
  /// The digest of the module's sources, as a name.
  typealias Digest_$digest = Never
}

extension BuildStamp {
  /// The stamp: digest of the sources, version of the compiler, machine and configuration.
  @_alwaysEmitIntoClient @inline(never)
  public static func sources() -> StaticString {
    #if DEBUG
      "$(stamp debug)"
    #else
      "$(stamp release)"
    #endif
  }
}
SWIFT
