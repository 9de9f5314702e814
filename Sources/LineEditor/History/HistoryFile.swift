internal import Files
internal import Glibc

/// The history file: UTF-8, one entry per line, with `\n`, `\r` and `\\` for newline, return and backslash.
///
/// Entries are only ever appended, each with one write, so that two sessions both keep theirs. The one rewrite, when
/// the file has grown too long, goes through a rename and holds a lock that appending respects.
struct HistoryFile: Sendable {
  let path: String

  /// A problem with the file, as a sentence.
  struct Failure: Error {
    var sentence: String
  }

  /// The newest `limit` entries, oldest first; none if the file is missing.
  ///
  /// Only the newest of equal lines is kept. Shortens the file if it has grown too long.
  func load(limit: Int) throws(Failure) -> [String] {
    // An error here shows up when the file is opened.
    try? OwnedFile.makeFolder(of: path)
    let file = Glibc.open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    if file < 0 && errno == ENOENT { return [] }
    guard file >= 0 else { throw failure("be read", .system) }
    defer { Glibc.close(file) }
    do { try AddedFile.check(file) } catch { throw failure("be read", error) }
    close(toOthers: file)
    let isOurs = flock(file, LOCK_EX | LOCK_NB) == 0
    let bytes: [UInt8]?
    do { bytes = try OpenFile.rest(of: file) } catch { throw failure("be read", error) }
    let rows = (bytes ?? []).split(separator: UInt8(ascii: "\n"))
    let kept = Self.newest(of: rows, limit: limit)
    // Repeated lines alone justify a rewrite only if they are many.
    if isOurs && (rows.count > limit || rows.count > 2 * kept.count) { rewrite(kept) }
    return kept.map { Self.decode(String(decoding: $0, as: UTF8.self)) }
  }

  private static func newest(of rows: [ArraySlice<UInt8>], limit: Int) -> [ArraySlice<UInt8>] {
    var seen: Set<ArraySlice<UInt8>> = []
    var kept: [ArraySlice<UInt8>] = []
    for row in rows.reversed() where kept.count < limit {
      if seen.insert(row).inserted { kept.append(row) }
    }
    return kept.reversed()
  }

  /// Empties the file, if there is one.
  func clear() throws(Failure) {
    let file = Glibc.open(path, O_WRONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    if file < 0 && errno == ENOENT { return }
    guard file >= 0 else { throw failure("be emptied", .system) }
    defer { Glibc.close(file) }
    do { try AddedFile.check(file) } catch { throw failure("be emptied", error) }
    // Waits for appends in progress. Without locks in the file system the lines are deleted anyway.
    _ = flock(file, LOCK_EX)
    guard ftruncate(file, 0) == 0 else { throw failure("be emptied", .system) }
  }

  func append(_ entry: String) throws(Failure) {
    let row = Array((Self.encode(entry) + "\n").utf8)
    let file = try openForAppending()
    defer { Glibc.close(file) }
    guard Glibc.write(file, row, row.count) == row.count else { throw failure("be written", .system) }
  }

  static func encode(_ entry: String) -> String {
    var row = String.UnicodeScalarView()
    for scalar in entry.unicodeScalars {
      switch scalar {
      case "\\": row.append(contentsOf: "\\\\".unicodeScalars)
      case "\n": row.append(contentsOf: "\\n".unicodeScalars)
      case "\r": row.append(contentsOf: "\\r".unicodeScalars)
      default: row.append(scalar)
      }
    }
    return String(row)
  }

  static func decode(_ row: String) -> String {
    var entry = String.UnicodeScalarView()
    var escaped = false
    for scalar in row.unicodeScalars {
      if !escaped && scalar == "\\" {
        escaped = true
        continue
      }
      entry.append(escaped && scalar == "n" ? "\n" : escaped && scalar == "r" ? "\r" : scalar)
      escaped = false
    }
    return String(entry)
  }

  private func openForAppending() throws(Failure) -> Int32 {
    while true {
      let file: Int32
      do { file = try AddedFile.open(path, .regular) } catch { throw failure("be written", error) }
      close(toOthers: file)
      // Shared, since appends do not conflict. Without locks in the file system the entry is appended anyway.
      _ = flock(file, LOCK_SH)
      var opened = stat()
      var named = stat()
      let known = fstat(file, &opened) == 0 && stat(path, &named) == 0
      if !known || opened.st_ino == named.st_ino { return file }
      // Another session has shortened the file meanwhile, and this one is unlinked.
      Glibc.close(file)
    }
  }

  private func rewrite(_ rows: [ArraySlice<UInt8>]) {
    // A failure to shorten it loses nothing.
    try? OwnedFile.write(rows.flatMap { $0 + [UInt8(ascii: "\n")] }, to: path)
  }

  /// Makes the history private to its owner.
  private func close(toOthers file: Int32) {
    if Permissions(descriptor: file)?.isReadableByOthers == true { _ = fchmod(file, 0o600) }
  }

  private func failure(_ action: String, _ failure: FileFailure) -> Failure {
    let result = action == "be emptied" ? "its lines stay" : "this session's lines are not kept"
    return Failure(sentence: "the history \(path) cannot \(action) (\(failure.reason)); \(result)")
  }
}
