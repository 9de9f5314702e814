import Glibc

/// Deletes files of runs that were killed.
package enum OldFiles {
  /// Deletes files of a folder with this prefix and suffix after a day.
  package static func delete(in folder: String, prefix: String = "", suffix: String) {
    guard let entries = opendir(folder) else { return }
    defer { closedir(entries) }
    while let entry = readdir(entries) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      var status = stat()
      let path = "\(folder)/\(name)"
      guard name.hasPrefix(prefix), name.hasSuffix(suffix), lstat(path, &status) == 0,
        status.st_mtim.tv_sec < time(nil) - 86_400
      else { continue }
      unlink(path)
    }
  }
}
