import BackendClient
import BackendKit
import ConsoleSystem
import Glibc

struct LocalFiles: CommandPart {
  let context: CommandContext

  /// The file in the value of a file field, after `@`: `PATH` or `PATH;type=TYPE`.
  func file(_ text: String, for field: FieldDescription) throws -> UploadedFile {
    let mark = ";type="
    var (path, type) = (text, field.file?.mediaType)
    if let place = text.firstRange(ofText: mark) {
      path = String(text[..<place.lowerBound])
      let stated = String(text[place.upperBound...])
      guard MediaType.isOne(stated) else {
        throw UsageError("\"\(stated)\" is not a media type")
      }
      type = stated
    }
    guard path != "-" else {
      throw UsageError("\(field.name) is a file field, and standard input is not a file")
    }
    // The script may create the file before this point.
    if let rehearsal = run.rehearsal, rehearsal.writesFiles, access(path, F_OK) != 0 { throw rehearsal.stop() }
    return try LocalFile.named(
      absolute(path), type: type ?? MediaType.of(fileNamed: path), isStopped: { Interruption.isDue })
  }

  /// Attaches the files that a write of a plan names, if they are those that were planned.
  func offer(filesOf write: Write, _ resource: ResourceDescription, _ client: Client) throws {
    guard resource.fields.contains(where: { $0.file != nil }) else { return }
    for value in write.values {
      guard let facts = UploadedFile.facts(in: value) else { continue }
      guard MediaType.isOne(facts.type) else { throw UsageError("\"\(facts.type)\" is not a media type") }
      let file = try LocalFile.named(facts.path, type: facts.type, isStopped: { Interruption.isDue })
      guard file.sha256 == facts.sha256 else {
        throw UsageError("\(facts.path) has changed since it was planned", hint: "make a new plan")
      }
      client.offer(file)
    }
  }

  private func absolute(_ path: String) -> String {
    guard !path.hasPrefix("/"), let folder = getcwd(nil, 0) else { return path }
    defer { free(folder) }
    return "\(String(cString: folder))/\(path)"
  }
}
