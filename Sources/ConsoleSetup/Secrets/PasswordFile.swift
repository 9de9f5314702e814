package import ConsoleSystem

package enum PasswordFile {
  /// Its first line. A regular file must be the user's own and inaccessible to others, like every file with a secret; a
  /// pipe or device is simply read.
  package static func read(_ path: String) throws(UsageError) -> String {
    try Restriction.current.check(file: path)
    let bytes: [UInt8]
    if FileContents.isStream(path) {
      bytes = try FileContents.read(path, limit: 1 << 16)
    } else {
      do { bytes = try Secret.content(of: path, ConfigurationPlace(file: "")) } catch {
        throw UsageError("--password-file: \(error.message)", hint: error.hint)
      }
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw UsageError("the password in \(path) is not valid UTF-8")
    }
    return String(text.prefix { !$0.isNewline })
  }
}
