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
      let text = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      guard text.hasPrefix(name), text != ".", text != "..", name.hasPrefix(".") || !text.hasPrefix(".") else {
        continue
      }
      let isFolder = Permissions(path: folder + text)?.isFolder == true
      found.append(Completer.Proposal(isFolder ? text + "/" : text, suffix: isFolder ? "" : nil))
    }
    return (folder.unicodeScalars.count, found.sorted { $0.text < $1.text })
  }
}
