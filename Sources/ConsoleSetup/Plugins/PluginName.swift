/// The rules for a plugin's name, `[a-z0-9-]+`, and for its file's: `libswitchboard-NAME.so` is a library,
/// `switchboard-NAME` a program.
package enum PluginName {
  static let prefix = "libswitchboard-"
  static let suffix = ".so"
  static let programPrefix = "switchboard-"

  package static func isValid(_ name: String) -> Bool {
    !name.isEmpty
      && name.utf8.allSatisfy {
        $0 >= UInt8(ascii: "a") && $0 <= UInt8(ascii: "z") || $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9")
          || $0 == UInt8(ascii: "-")
      }
  }

  static func file(_ name: String, _ kind: PluginKind = .library) -> String {
    kind == .library ? prefix + name + suffix : programPrefix + name
  }

  /// Returns the part of a file's name between prefix and suffix, valid or not; nil if it is not a plugin's file.
  static func inFile(_ file: String) -> String? {
    guard file.hasPrefix(prefix), file.hasSuffix(suffix), file.utf8.count > prefix.utf8.count + suffix.utf8.count
    else { return nil }
    return String(file.dropFirst(prefix.count).dropLast(suffix.count))
  }

  /// The name in the file name of a program; nil if it is not one. Valid names have no dot, which excludes documents
  /// and sources.
  static func inProgram(_ file: String) -> String? {
    guard file.hasPrefix(programPrefix) else { return nil }
    let name = String(file.dropFirst(programPrefix.count))
    return isValid(name) ? name : nil
  }
}
