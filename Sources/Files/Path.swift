internal import Glibc

/// Parses and resolves paths.
package enum Path {
  /// The path with links and dots resolved, or unchanged if there is nothing.
  package static func real(_ path: String) -> String {
    guard let resolved = realpath(path, nil) else { return path }
    defer { free(resolved) }
    // A repaired name would mean another file.
    return String(validatingCString: resolved) ?? path
  }

  package static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  package static func name(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
  }

  /// The current folder. Throws if it was deleted, or if its name is not valid UTF-8, since a repaired name would mean
  /// another one.
  static func current() throws(FileFailure) -> String {
    guard let path = getcwd(nil, 0) else { throw FileFailure("the current folder no longer exists") }
    defer { free(path) }
    guard let text = String(validatingCString: path) else { throw .isUnnamed }
    return text
  }

  /// Returns the target of a link, as written; nil if it cannot be read, or is not valid UTF-8.
  static func target(ofLink link: String) -> String? {
    var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink(link, &bytes, bytes.count)
    return count > 0 ? String(validating: bytes[..<count], as: UTF8.self) : nil
  }

  package static func join(_ folder: String, _ name: String) -> String {
    folder == "/" ? "/" + name : folder + "/" + name
  }
}
