import CommandLanguage
import ConsoleOutput
import ConsoleSystem
import Files
import Glibc

/// A file for a result, which replaces the previous file only when the result is whole.
struct ResultFile {
  private let path: String
  /// The temporary file; nil if the destination is written to directly.
  private let draft: Draft?
  let descriptor: Int32

  /// Opens a file to replace; devices and pipes are written to directly. A restricted run opens only files named on the
  /// outer command line.
  static func replacing(_ path: String, isNamedOutside: Bool = false) throws(UsageError) -> ResultFile {
    if !isNamedOutside { try Restriction.current.check(file: path) }
    do {
      if let stream = try NamedStream.open(path) { return ResultFile(path, stream) }
      return ResultFile(path, try Draft(replacing: path))
    } catch {
      throw unwritable(path, error)
    }
  }

  static func appending(to path: String) throws(UsageError) -> ResultFile {
    try Restriction.current.check(file: path)
    do { return ResultFile(path, try AddedFile.open(path, .named)) } catch { throw unwritable(path, error) }
  }

  /// The endings of names of files in formats that no result has.
  private static let foreign: Set<Substring> = [
    "xls", "xlsx", "xlsm", "xlsb", "ods", "numbers", "parquet", "avro", "orc", "feather", "arrow", "xml", "html", "htm",
    "sql", "db", "sqlite", "sqlite3", "pdf", "doc", "docx", "rtf", "toml", "zip", "gz", "bz2", "xz", "zst",
  ]

  /// Throws if a command would write records into a file whose name tells another format.
  static func checkName(of file: Word, for command: Command, _ invocation: Invocation) throws(UsageError) {
    guard command.printsRecords, !invocation.has("output"), invocation.word(.format) == nil,
      !command.writesItsFile(invocation), !command.writesDatabase(invocation), !file.isUnknown
    else { return }
    let name = file.text.lowercased()
    guard let dot = name.lastIndex(of: "."), case let ending = name[name.index(after: dot)...],
      foreign.contains(ending)
    else { return }
    let endings =
      RowFormat.allCases.map { ".\($0.rawValue)" } + (command.effects.contains(.makesDatabases) ? [".db"] : [])
    throw UsageError(
      "\(command.name) does not write \(ending), as the name of \(file.text) says",
      hint: "a name that ends in \(endings.asChoice) gets that format; -o FORMAT is written under any name",
      column: file.column)
  }

  private init(_ path: String, _ draft: Draft) {
    self.path = path
    self.draft = draft
    descriptor = draft.descriptor
  }

  private init(_ path: String, _ descriptor: Int32) {
    self.path = path
    draft = nil
    self.descriptor = descriptor
  }

  private static func unwritable(_ path: String, _ failure: FileFailure) -> UsageError {
    UsageError("cannot write \(path): \(failure.reason)")
  }

  /// Moves the whole result into place. If that fails, the result remains in the draft.
  func finish() throws(CommandFailure) {
    guard let draft else {
      close(descriptor)
      return
    }
    let isThere = draft.isStillThere
    do { try draft.finish() } catch {
      throw CommandFailure(
        .failure, "cannot replace \(path): \(error.reason)", hint: isThere ? "the result is in \(draft.path)" : nil)
    }
  }

  func discard() { if let draft { draft.discard() } else { close(descriptor) } }

  /// Leaves the previous file as it was. Returns a note on what remains of the result.
  func abandon() -> String? {
    guard let draft else {
      close(descriptor)
      return nil
    }
    let state = access(path, F_OK) == 0 ? "is unchanged" : "was not written"
    return draft.abandon() ? "\(path) \(state); the incomplete result is in \(draft.path)" : nil
  }

  /// Returns true in a rehearsal, which writes to no file. Throws if the run could not write to this one.
  static func isRehearsed(_ word: Word?, _ rehearsal: Rehearsal?) throws(UsageError) -> Bool {
    guard let rehearsal else { return false }
    if let word, !word.isUnknown, !rehearsal.makesFolders { try check(word.text) }
    return true
  }

  /// Throws if no such file could be written, as far as its folder shows. Changes nothing.
  private static func check(_ path: String) throws(UsageError) {
    func refusal(_ code: Int32) -> UsageError {
      UsageError("cannot write \(path): \(String(cString: strerror(code)))")
    }
    var status = stat()
    if stat(path, &status) == 0 {
      if status.st_mode & S_IFMT == S_IFDIR { throw refusal(EISDIR) }
      return
    }
    let folder = path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    guard access(folder, W_OK | X_OK) == 0 else { throw refusal(errno) }
  }
}
