import BackendClient
import BackendKit
import CommandLanguage
import ConsoleOutput
import ConsoleSystem
import Files
import Glibc

struct Download: CommandPart {
  let context: CommandContext

  /// Streams the content of a file field to the file or pipe of `--to`.
  func download(
    _ name: String, of ids: [InputIdentifier], _ target: Target, _ resource: ResourceDescription,
    _ invocation: Invocation
  ) async throws {
    guard resource.field(named: name)?.file != nil else {
      let files = resource.fields.filter { $0.file != nil }.map(\.name)
      throw UsageError(
        "\(name) of \(target.description) is not described as a file",
        hint: files.isEmpty
          ? "it has no file fields" : "files: \(files.joined(separator: ", "))")
    }
    if let other = ["fields", "with", "embed", "from", "append"].first(where: invocation.has) {
      throw UsageError("--field and --\(other) cannot be combined")
    }
    guard ids.count == 1, results.rows == nil else {
      throw UsageError("--field takes one record and cannot be used in a capture")
    }
    guard let path = invocation.value(of: "to") else {
      throw UsageError("--field needs --to FILE, or --to - for a pipe")
    }
    let limit = try ByteCount(invocation.word(of: "max-size"))
    _ = try ResultFile.isRehearsed(path == "-" ? nil : invocation.word(of: "to"), run.rehearsal)
    try run.endRehearsal()
    try await download(name, of: ids[0].id, target, to: path, limit, invocation)
  }

  private func download(
    _ name: String, of id: RecordID, _ target: Target, to path: String, _ limit: ByteCount, _ invocation: Invocation
  ) async throws {
    let isPiped = path == "-"
    let file = isPiped ? nil : try ResultFile.replacing(path)
    let descriptor = file?.descriptor ?? results.output.descriptor
    var isWhole = false
    defer { if !isWhole { file?.discard() } }
    guard isatty(descriptor) != 1, !results.output.isCaptured || !isPiped else {
      throw UsageError("file content is not written to a terminal", hint: "--to FILE")
    }
    results.output.flush()
    let download = try await target.client.download(name, of: id, from: target.path)
    var (digest, count) = (SHA256(), 0)
    do throws(BackendError) {
      if let size = download.size, size > limit.count { throw limit.failure("\(name) has \(counted(size, "byte"))") }
      while let piece = try await download.body.next() {
        count += piece.count
        guard count <= limit.count else { throw limit.failure("\(name) is longer than expected") }
        digest.add(piece)
        try Self.write(piece, to: descriptor, path)
      }
      if let size = download.size, size != count {
        throw BackendError(
          .badResponse, "received \(counted(count, "byte")) of \(name), but the server reports \(size.grouped)",
          effect: .rejected)
      }
    } catch { throw named(error, target, id, nothingIn: isPiped ? nil : path) }
    isWhole = true
    try file?.finish()
    context.count(records: 1)
    let type = download.type.map { String($0.prefix(100)) } ?? "no type stated"
    let text = "\(name): \(type), \(counted(count, "byte")), sha256 \(digest.hex)"
    if isPiped { return note(text) }
    try FactOutput(context).present(
      Object(facts: [
        ("field", name), ("file", path), ("type", download.type), ("size", count), ("sha256", digest.hex),
      ]), invocation, text: "\(text)\n")
  }

  /// Adds the location to the error of an incomplete download.
  private func named(_ error: BackendError, _ target: Target, _ id: RecordID, nothingIn path: String?) -> BackendError {
    var error = error
    (error.operation, error.backend) = ("get", target.client.name)
    (error.resource, error.id) = (target.path.description, id.text)
    if let path, error.hint == nil { error.hint = "\(path) is unchanged" }
    return error
  }

  private static func write(_ bytes: [UInt8], to descriptor: Int32, _ path: String) throws(BackendError) {
    do throws(FileFailure) { try OpenFile.write(bytes, to: descriptor) } catch {
      throw BackendError(.unsupported, "cannot write \(path): \(error.reason)", effect: .rejected)
    }
  }
}

/// A number of bytes as typed: `500K`, `20M`, `4G`.
struct ByteCount {
  let count: Int

  init(_ word: Word?) throws(UsageError) {
    guard let word else {
      count = 1 << 30
      return
    }
    let units: [String: Int] = ["K": 10, "M": 20, "G": 30, "T": 40]
    let shift = word.text.last.flatMap { units[$0.uppercased()] }
    let digits = shift == nil ? word.text[...] : word.text.dropLast()
    guard let number = Int(digits), number > 0, number <= Int.max >> (shift ?? 0) else {
      throw UsageError(
        "--max-size takes a number of bytes such as 500K, 20M or 4G, not \"\(word.text)\"", column: word.column)
    }
    count = number << (shift ?? 0)
  }

  fileprivate func failure(_ reason: String) -> BackendError {
    BackendError(
      .badResponse, "\(reason), and the limit is \(counted(count, "byte"))", effect: .rejected,
      hint: "use --max-size SIZE to allow more")
  }
}

extension FileField {
  func words(for name: String) -> String {
    [upload == nil ? nil : "\(name)=@FILE sends it", "get --field \(name) --to FILE reads it"].compactMap(\.self)
      .joined(separator: ", ")
  }
}
