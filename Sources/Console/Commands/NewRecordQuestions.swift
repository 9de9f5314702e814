import BackendClient
import BackendKit

extension CommandContext {
  /// The fields of a new record as somebody at a terminal gives them, one by one; nil where nobody can be asked, or no field is
  /// known. Throws where the questions are given up; nothing was sent then.
  func askFields(of resource: ResourceDescription, _ target: Target) async throws -> Object? {
    let wanted = resource.fields.filter { !$0.isReadOnly && $0.name != resource.identifier.field }
    guard canAsk, run.depth == 0, run.rehearsal == nil, !wanted.isEmpty else { return nil }
    try checkWritable(target)
    try target.client.check(.create, of: resource)
    var fields = Object()
    for field in wanted {
      let offered = try await offered(field, target)
      while true {
        guard let text = await answer(to: field.question(offering: offered), of: field) else {
          throw CommandFailure(.interrupted, "create cancelled; nothing was sent")
        }
        do {
          if let value = try field.value(answered: text, offered) { fields[field.name] = value }
          break
        } catch let error as UsageError {
          let hint: String = error.hint.map { " (" + $0 + ")" } ?? ""
          warn(error.message + hint)
          reporter.errors.flush()
        }
      }
    }
    return fields
  }

  private func answer(to question: ShownText, of field: FieldDescription) async -> String? {
    guard field.isSecret, let prompt = run.console.passwordPrompt else { return await answer(to: question) }
    guard case .password(let text) = prompt.ask(question) else { return nil }
    reporter.blanking.see([text])
    return text
  }

  /// The value that is offered for a field; nil for none, also where it cannot be found out.
  private func offered(_ field: FieldDescription, _ target: Target) async throws -> Value? {
    switch field.suggestion {
    case nil: return field.defaultValue
    case .value(let value)?: return value
    case .now?: return .string(field.normalized(RunLog.now()))
    case .count?:
      let query = ListQuery(target.path)
      let summary = try? await target.client.count(query, maximumScan: run.settings.maxScan)
      return summary.flatMap { $0.isCutShort ? nil : $0.total }.map { .int($0) }
    }
  }
}

extension FieldDescription {
  /// What is asked for it: its name, its kind, whether it has to be given, and what is offered.
  fileprivate func question(offering offered: Value?) -> ShownText {
    var notes = [values.isEmpty ? kind.rawValue : values.map(\.plainText).joined(separator: "|")]
    if isRequired { notes.append("required") }
    let brackets: String = offered.map { " [" + $0.plainText + "]" } ?? ""
    return ShownText(name + " (" + notes.joined(separator: ", ") + ")" + brackets + ": ")
  }

  /// The value of an answer; nil where the field is left out. Throws where it cannot be that of the field.
  fileprivate func value(answered text: String, _ offered: Value?) throws -> Value? {
    if text.isEmpty {
      guard offered == nil, requires else { return offered }
      throw UsageError("\(name) is required")
    }
    let value = try Assignments.value(answered: text, self)
    if let complaint = proved.complaint(about: value) { throw UsageError(complaint) }
    return value
  }

  /// A day or a time as the kind of the field has it: of a time its day, of a day its beginning in UTC. Anything else stays.
  func normalized(_ text: String) -> String {
    let parts = text.split(separator: "T", maxSplits: 1, omittingEmptySubsequences: false)
    guard Self.isDay(String(parts[0])) else { return text }
    switch kind {
    case .day where parts.count == 2 && parts[1].first?.isNumber == true: return String(parts[0])
    case .date where parts.count == 1: return text + "T00:00:00Z"
    default: return text
    }
  }
}
