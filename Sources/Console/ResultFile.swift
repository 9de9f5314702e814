import Glibc

/// A file that takes a result: in place of what stood there only once the result is whole.
struct ResultFile {
  private let path: String
  /// The file that is written until then; nil where the file itself is.
  private let draft: String?
  let descriptor: Int32

  /// A file to replace. A device or pipe is written to as it is. A restricted run opens none but those that the outer
  /// command line names.
  static func replacing(_ path: String, isNamedOutside: Bool = false) throws(UsageError) -> ResultFile {
    if !isNamedOutside { try Restriction.current.check(file: path) }
    var status = stat()
    let exists = stat(path, &status) == 0
    if exists, status.st_mode & S_IFMT != S_IFREG { return try ResultFile(path, nil, O_WRONLY) }
    // A link stays one.
    let real = exists ? Path.real(path) : path
    let file = try ResultFile(real, real + ".partial", O_WRONLY | O_CREAT | O_TRUNC)
    if exists { _ = fchmod(file.descriptor, status.st_mode & 0o777) }
    return file
  }

  /// A file to add to.
  static func appending(to path: String) throws(UsageError) -> ResultFile {
    try Restriction.current.check(file: path)
    return try ResultFile(path, nil, O_WRONLY | O_CREAT | O_APPEND)
  }

  private init(_ path: String, _ draft: String?, _ flags: Int32) throws(UsageError) {
    self.path = path
    self.draft = draft
    let file = draft ?? path
    descriptor = open(file, flags | O_CLOEXEC | O_NOCTTY, 0o666)
    guard descriptor >= 0 else {
      throw UsageError("cannot write \(file): \(String(cString: strerror(errno)))", hint: "nothing was sent")
    }
  }

  /// Puts the whole result in its place. Throws where that is not possible; the result is then in the draft.
  func finish() throws(CommandFailure) {
    close(descriptor)
    guard let draft, rename(draft, path) != 0 else { return }
    throw CommandFailure(
      .failure, "cannot replace \(path): \(String(cString: strerror(errno)))", hint: "the result is in \(draft)")
  }

  /// Leaves what stood there as it was. Returns what a reader should know of what there is of the result.
  func abandon() -> String? {
    var status = stat()
    let isEmpty = fstat(descriptor, &status) != 0 || status.st_size == 0
    close(descriptor)
    guard let draft else { return nil }
    if isEmpty {
      unlink(draft)
      return nil
    }
    return "\(path) is as it was; what there is of the result is in \(draft)"
  }
}

extension Session {
  /// Runs a body with its result in a file, where the command was given `--to` or `--append`.
  func writingToFile(
    _ invocation: Invocation, _ body: () async throws -> CommandOutcome
  ) async throws -> CommandOutcome {
    let target = invocation.value(of: "to")
    let addition = invocation.value(of: "append")
    guard target != nil || addition != nil else { return try await body() }
    if target != nil, addition != nil { throw UsageError("--to and --append go not together") }
    if rehearsal != nil { return try await body() }
    let file =
      try target.map { path throws(UsageError) in try ResultFile.replacing(path) }
      ?? ResultFile.appending(to: addition ?? "")
    output.flush()
    do {
      let outcome = try await redirected(to: Output(descriptor: file.descriptor)) { output in
        let outcome = try await body()
        output.flush()
        if let complaint = output.complaint {
          throw CommandFailure(.partial, "\(complaint): \(target ?? addition ?? "")")
        }
        return outcome
      }
      try file.finish()
      return outcome
    } catch {
      if let remark = file.abandon() { warn(remark) }
      throw error
    }
  }
}
