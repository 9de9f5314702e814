import BackendKit
import ConsoleOutput
import ConsoleSetup
import ConsoleSystem
import Files

/// The rows that a command did not do, as input for another run. The file is private to its owner, since it has data to
/// be written.
struct RejectsFile {
  private let path: String
  private let draft: Draft
  private let secrets: Set<String>
  private let blanking: Blanking
  private let form: RejectsForm
  private var isBegun = false
  private var missing: Set<String> = []

  /// Opens the file, before the first request. Secret fields and values are left out; a longer text that contains a
  /// secret is written, as it was in the input.
  init(_ path: String, _ resource: ResourceDescription, _ blanking: Blanking, _ form: RejectsForm = RejectsForm())
    throws(UsageError)
  {
    self.path = path
    self.form = form
    self.blanking = blanking
    secrets = Set(resource.fields.filter(\.holdsSecret).map(\.name))
    try Restriction.current.check(file: path)
    let objects = [RowFormat.json, .ndjson]
    if let named = RowFormat(ofFileNamed: path), named != form.format,
      !(objects.contains(named) && objects.contains(form.format))
    {
      throw UsageError(
        "--rejects writes \(form.format.rawValue) here, and the name of \(path) says \(named.rawValue)",
        hint: "a name that ends in .\(form.format.rawValue)\(form.format == .ndjson ? " or .txt" : "") fits")
    }
    do { draft = try Draft(replacing: path, mode: 0o600) } catch {
      throw UsageError("cannot write \(path): \(error.reason)")
    }
  }

  /// Adds a row, with the reason unless it has one.
  mutating func add(_ row: RejectedRow, because reason: String? = nil) throws(CommandFailure) {
    var bytes: [UInt8] = []
    switch row {
    case .id(let id):
      bytes += IdentifierLine.written(id.text, isTerminal: false).utf8
      bytes.append(0x0A)
    case .object(var fields, let own):
      for (name, value) in fields.members
      where secrets.contains(name) || blanking.isSecret(value, under: name) {
        fields[name] = nil
        missing.insert(name)
      }
      if !isBegun { bytes += form.beginning }
      isBegun = true
      bytes += form.line(fields, (own ?? reason).map { blanking.text($0) })
    }
    do { try draft.write(bytes) } catch { throw failure(error) }
  }

  /// Moves the file into place, replacing that of an earlier run. Returns a note for the user.
  func finish() throws(CommandFailure) -> String? {
    do { try draft.finish() } catch { throw failure(error) }
    guard !missing.isEmpty else { return nil }
    return
      "\(path) lacks fields that are secret or contain a secret value: \(missing.sorted().joined(separator: ", ")); add them before it is used"
  }

  func abandon() { _ = draft.abandon() }

  private func failure(_ error: FileFailure) -> CommandFailure {
    CommandFailure(
      .failure, "cannot write \(path): \(error.reason)", hint: "the rows that it could take are in \(draft.path)")
  }
}
