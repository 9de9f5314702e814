import Files
import Glibc

/// Deletes files of runs that were killed.
package enum OldFiles {
  /// Deletes files of a folder with this prefix and suffix after a day.
  package static func delete(in folder: String, prefix: String = "", suffix: String) {
    for name in FolderListing.names(in: folder) ?? [] where name.hasPrefix(prefix) && name.hasSuffix(suffix) {
      var status = stat()
      let path = "\(folder)/\(name)"
      if lstat(path, &status) == 0, status.st_mtim.tv_sec < time(nil) - 86_400 { unlink(path) }
    }
  }
}
