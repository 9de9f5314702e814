import Files
import Glibc

/// Names of files that begin as typed.
enum FilePaths {
  /// The files and folders in the folder that was typed so far: how much of the text names that folder, in scalars, and
  /// what can follow. Hidden ones only where a dot was typed.
  static func matching(_ typed: String) -> (Int, [Completer.Proposal]) {
    let parts = typed.split(separator: "/", omittingEmptySubsequences: false)
    let name = String(parts.last ?? "")
    let folder = String(typed.dropLast(name.count))
    guard let stream = opendir(folder.isEmpty ? "." : folder) else { return (0, []) }
    defer { closedir(stream) }
    var found: [Completer.Proposal] = []
    while let entry = readdir(stream) {
      let bytes = withUnsafeBytes(of: entry.pointee.d_name) { bytes in Array(bytes.prefix { $0 != 0 }) }
      // A name that is no text cannot be typed, and with other characters it would be another file's.
      guard let text = String(validating: bytes, as: UTF8.self) else { continue }
      guard text.hasPrefix(name), text != ".", text != "..", name.hasPrefix(".") || !text.hasPrefix(".") else {
        continue
      }
      let isFolder = Permissions(path: folder + text)?.isFolder == true
      // A name that begins like an option is one to whoever reads the line, in quotes, too.
      let shown = folder.isEmpty && name.isEmpty && text.hasPrefix("-") ? "./" + text : text
      found.append(Completer.Proposal(isFolder ? shown + "/" : shown, suffix: isFolder ? "" : nil))
    }
    return (folder.unicodeScalars.count, found.sorted { $0.text < $1.text })
  }
}
