import BackendClient
import BackendKit
import CommandLanguage
import ConsoleOutput
import ConsoleSetup
import ConsoleSystem

/// Asks for the fields of a record at the terminal, one by one.
struct RecordQuestions: CommandPart {
  let context: CommandContext

  /// Asks for the fields of a new record. Nil if nobody can be asked, or no field is known. Throws if the user cancels;
  /// then nothing was sent.
  func askFields(of resource: ResourceDescription, _ target: Target) async throws -> Object? {
    let mustName = resource.capabilities.takesIdentifiers
    let wanted = resource.fields.filter { field in
      field.takesValues && (field.name != resource.identifier.field || mustName && field.isRequired)
    }
    guard canAskFields, !wanted.isEmpty else { return nil }
    try target.checkWritable()
    try target.client.check(.create, of: resource)
    var fields = Object()
    for field in wanted {
      if field.holdsSchema {
        if let value = try await SchemaQuestions(context).askSchema(for: field) { fields[field.name] = value }
        continue
      }
      let offered = try await offered(field, target)
      if let value = try await ask(field, offering: offered, for: "create") { fields[field.name] = value }
    }
    return fields
  }

  var canAskFields: Bool { Questions(context).canAsk && run.depth == 0 && run.rehearsal == nil }

  /// Returns the value typed for a field, or the offered one; nil if the field is left out.
  func ask(_ field: FieldDescription, offering offered: Value?, for verb: String) async throws -> Value? {
    while true {
      guard let text = await answer(to: field.question(offering: offered), of: field) else {
        throw RecordQuestions.givenUp(of: verb)
      }
      do { return try field.value(answered: text, offered) } catch let error as UsageError {
        Questions(context).complain(error)
      }
    }
  }

  private func answer(to question: EscapedText, of field: FieldDescription) async -> String? {
    guard field.isSecret, let prompt = run.console.passwordPrompt else {
      return await Questions(context).answer(to: question)
    }
    guard case .password(let text) = prompt.ask(question) else { return nil }
    reporter.blanking.see([text])
    return text
  }

  /// The value to offer for a field; nil if there is none or it cannot be found out.
  private func offered(_ field: FieldDescription, _ target: Target) async throws -> Value? {
    switch field.suggestion {
    case nil: return field.defaultValue
    case .value(let value)?: return value
    case .now?: return .string(field.normalized(ClockTime.now()))
    case .count?:
      let query = ListQuery(target.path)
      let summary = try? await target.client.count(query, maximumScan: run.settings.maxScan)
      return summary.flatMap { $0.isCutShort ? nil : $0.total }.map { .int($0) }
    }
  }

  /// Asks for the changes of a record: each field with its present value, which Enter keeps. Nil if nobody can be
  /// asked, or no field is known. Throws if the user cancels; then only a read was sent.
  func askChanges(of id: RecordID, _ resource: ResourceDescription, _ target: Target) async throws -> [Change]? {
    try target.checkWritable()
    try target.client.check(.update, of: resource)
    let record = try await target.client.get(id, from: target.path)
    let known = Set(resource.fields.map(\.name))
    let others = record.fields.members.filter { !known.contains($0.0) && $0.0 != resource.identifier.field }
    let wanted = resource.writable + FieldDescription.sampled([Object(others)])
    var changes: [Change] = []
    for var field in wanted {
      // An update may omit a field that the record lacks.
      field.isRequired = false
      let present = field.isSecret ? nil : record.fields[field.name]
      let offered = present == .null ? nil : present
      guard let value = try await ask(field, offering: offered, for: "update") else { continue }
      if !resource.isSame(value, present, in: field.name) { changes.append(.set(field.name, value)) }
    }
    return wanted.isEmpty ? nil : changes
  }

  static func givenUp(of verb: String) -> CommandFailure {
    CommandFailure(.interrupted, "\(verb) cancelled; nothing was \(verb == "create" ? "sent" : "changed")")
  }
}

extension ResourceDescription {
  var writable: [FieldDescription] { fields.filter { $0.takesValues && $0.name != identifier.field } }
}

extension FieldDescription {
  /// Returns the question for the field: its name, type, whether it is required, and the offered value.
  fileprivate func question(offering offered: Value?) -> EscapedText {
    var notes = [values.isEmpty ? kind.rawValue : values.map(\.plainText).joined(separator: "|")]
    if isRequired { notes.append("required") }
    // An offer is shown in one row, but accepted whole.
    let brackets: String =
      offered.map { value in
        let lines = value.plainText.split(separator: "\n", maxSplits: 1)
        let first = DisplayWidth.cut(lines.first.map(String.init) ?? "", to: 40)
        return " [" + first + (lines.count > 1 ? " …" : "") + "]"
      } ?? ""
    return EscapedText(name + " (" + notes.joined(separator: ", ") + ")" + brackets + ": ")
  }

  /// The value of an answer; nil if the field is left out. Throws if the field cannot have it.
  fileprivate func value(answered text: String, _ offered: Value?) throws -> Value? {
    if text.isEmpty {
      guard offered == nil, requires else { return offered }
      throw UsageError("\(name) is required")
    }
    let value = try Assignments.value(answered: text, self)
    if let complaint = proved.complaint(about: value) { throw UsageError(complaint) }
    return value
  }
}
