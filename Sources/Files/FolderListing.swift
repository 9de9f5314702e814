internal import Glibc

/// Lists folders.
package enum FolderListing {
  /// The names in a folder; nil if it cannot be read. A name that is not valid UTF-8 is left out: as text, it would name
  /// another file.
  package static func names(in folder: String) -> [String]? {
    guard let stream = opendir(folder) else { return nil }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let bytes = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
      if let name = String(validating: bytes, as: UTF8.self), name != ".", name != ".." { names.append(name) }
    }
    return names
  }
}
