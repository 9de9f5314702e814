/// The rules for a plugin's name, `[a-z0-9-]+`, and for its file's, `libswitchboard-NAME.so`.
enum PluginName {
  static let prefix = "libswitchboard-"
  static let suffix = ".so"

  static func isValid(_ name: String) -> Bool {
    !name.isEmpty
      && name.utf8.allSatisfy {
        $0 >= UInt8(ascii: "a") && $0 <= UInt8(ascii: "z") || $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9")
          || $0 == UInt8(ascii: "-")
      }
  }

  /// The file of a plugin.
  static func file(_ name: String) -> String { prefix + name + suffix }

  /// What stands between prefix and suffix of a file's name, valid or not; nil where it is no plugin's file.
  static func inFile(_ file: String) -> String? {
    guard file.hasPrefix(prefix), file.hasSuffix(suffix), file.utf8.count > prefix.utf8.count + suffix.utf8.count
    else { return nil }
    return String(file.dropFirst(prefix.count).dropLast(suffix.count))
  }
}
