#!/bin/sh
# usage: stamp.sh OUTPUT PACKAGE SCRATCH
# Writes the Swift file with the build stamps of the package's modules. A stamp is the name of a function: whoever is compiled
# against the module asks the dynamic linker for it by that name.
set -eu
export LC_ALL=C
output=$1 scratch=$3
cd "$2"
tools=Plugins/BuildStamp

# usage: digest LENGTH
digest() { sha256sum | cut -c "1-$1"; }

# usage: sources MODULE: the digest of what its files say, whatever they are called
sources() { find "$1" -name '*.swift' -exec awk -f $tools/tokens.awk {} + | tr '\001' '\000' | sort -z | digest 16; }

# usage: arguments CONFIGURATION: what BackendKit is compiled with, one per line, as the build's description has it
arguments() {
  [ ! -f "$scratch/$1.yaml" ] || awk '
    /^  "C\.BackendKit-.*\.module":$/ { found = 1 }
    found && sub(/^ *args: \["/, "") { sub(/"\]$/, ""); gsub(/","/, "\n"); print; exit }' "$scratch/$1.yaml"
}

# The arguments that change code or layout: no path, no warning, no library that is left out, no section of a file, nothing of how the
# package was reached.
code='
  function word(text) { if (text !~ /\//) print text }
  option != "" { if (option != "-Xcc" || /^-[DUfmO]/) if (option != "-Xfrontend" || !/^-(warn|debug|W|disable-implicit|function-sections)/) word(option " " $0); option = ""; next }
  /^-(Xfrontend|Xllvm|Xcc|target|target-cpu|target-variant|swift-version|language-mode|default-isolation)$/ { option = $0; next }
  /^-enable-(upcoming|experimental)-feature$/ { option = $0; next }
  /^-enable-(testing|batch-mode|incremental.*|parseable-output)$/ { next }
  /^-(O|D|enable-|disable-|enforce-exclusivity|sanitize|cxx-interop|assume|cross-module)/ { word($0) }'

kit=$(sources BackendKit) client=$(sources BackendClient) transport=$(sources BackendTransport)
machine=$(uname -m)_linux
asked='' compiler=''

# usage: stamps CONFIGURATION
stamps() {
  swiftc=$(arguments "$1" | head -n 1)
  if [ "${swiftc:-swiftc}" != "$asked" ]; then
    asked=${swiftc:-swiftc}
    compiler=$("$asked" --version 2>/dev/null | grep -o 'Swift version .*' | head -n 1)
  fi
  version=$(printf %s "$compiler" | sed 's/Swift version \([^ ]*\).*/swift_\1/; s/[^A-Za-z0-9._]/_/g')
  built=$({ printf '%s\n' "$compiler"; arguments "$1" | awk "$code" | sort -u; } | digest 8)
  own=switchboard_stamp.kit.$kit.${version:-swift}.$machine.$1.$built
  others="switchboard_stamp.client.$client switchboard_stamp.transport.$transport"
  cat <<SWIFT
/// What the stamp belongs to. Its interface changes with every stamp, so that an incremental build compiles again whoever uses
/// a conforming type.
public protocol Stamped: Sendable {
  /// The digest of the stamps, as a name.
  typealias Digest_$(printf %s "$own $others" | digest 16) = Never
}

extension BuildStamp {
  /// The stamps that the calling module was compiled against, with blanks between.
  @_alwaysEmitIntoClient
  public static func compiled() -> StaticString { "$own $others" }

  /// Hands a box over by the function that is named as the stamp.
  @_alwaysEmitIntoClient
  public static func pass(_ box: PluginBox) -> UnsafeMutableRawPointer {
    _switchboardKit(box, [_switchboardClient, _switchboardTransport])
  }
}

// Not optimized: a call that is inlined would leave no name behind.

/// The stamp of this module.
@_silgen_name("$own") @_optimize(none) @inline(never)
public func _switchboardKit(_ box: PluginBox, _ others: [@Sendable () -> Void]) -> UnsafeMutableRawPointer { box.pass() }

SWIFT
  for module in Client Transport; do
    name=${others%% *} others=${others#* }
    cat <<SWIFT
/// The stamp of Backend$module. It may be missing: it concerns those alone who use that module.
@_weakLinked @_silgen_name("$name") @_optimize(none) @inline(never)
public func _switchboard$module() {}

SWIFT
  done
}

{
  echo '#if DEBUG'
  stamps debug
  echo '#else'
  stamps release
  echo '#endif'
} >"$output.new"
# A stamp that has not changed keeps its time, so that nothing is compiled again for it.
if cmp -s "$output.new" "$output"; then rm "$output.new"; else mv "$output.new" "$output"; fi
