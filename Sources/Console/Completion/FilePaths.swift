import Files
import Glibc

enum FilePaths {
  /// The number of scalars that name the folder, and the files and folders in it that match the rest. Hidden ones are
  /// included only after a dot.
  static func matching(_ typed: String) -> (Int, [Completer.Proposal]) {
    let parts = typed.split(separator: "/", omittingEmptySubsequences: false)
    let name = String(parts.last ?? "")
    let folder = String(typed.dropLast(name.count))
    guard let names = FolderListing.names(in: folder.isEmpty ? "." : folder) else { return (0, []) }
    var found: [Completer.Proposal] = []
    for text in names where text.hasPrefix(name) && (name.hasPrefix(".") || !text.hasPrefix(".")) {
      let isFolder = Permissions(path: folder + text)?.isFolder == true
      // A name that begins with a dash would be read as an option, even in quotes.
      let shown = folder.isEmpty && name.isEmpty && text.hasPrefix("-") ? "./" + text : text
      found.append(Completer.Proposal(isFolder ? shown + "/" : shown, suffix: isFolder ? "" : nil))
    }
    return (folder.unicodeScalars.count, found.sorted { $0.text < $1.text })
  }
}
