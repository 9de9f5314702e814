import BackendClient
import BackendKit
import ConsoleOutput

extension WriteReceipt {
  func sentence(of write: Write, _ target: Target) -> EscapedText {
    let name =
      switch write {
      case .delete(_, .all, _): "all of \(target.path)"
      default:
        id.map { $0.isSole ? "\(target.path)" : "\(target.path)/\($0)" }
          ?? "\(target.path), identifier not reported"
      }
    if writes == .echoed { return "accepted, not stored: \(write.verb) \(name)\n" }
    let left = unkept.joined(separator: ", ")
    if keepsNothing(of: write) { return "not stored: \(write.verb) \(name): \(left)\n" }
    let rest = left.isEmpty ? "" : "; not stored: \(left)"
    if case .act(_, let id, let action, _) = write {
      return "\(action) of \(target.path)\(id.map { "/\($0)" } ?? ""): done\n"
    }
    if mayHaveReplaced { return "written \(name): created or replaced\n" }
    guard case .update(_, _, let changes, let parts, _) = write else { return "\(write.verb)d \(name)\(rest)\n" }
    let doubtful = unkept + hidden + unclear
    let kept = changes.map(\.field).filter { !doubtful.contains($0) } + parts.map(\.description)
    let others = unclear.joined(separator: ", ")
    guard kept.isEmpty else {
      let added = others.isEmpty ? "" : "; not as sent: \(others)"
      return "updated \(name): \(kept.joined(separator: ", "))\(added)\(rest)\n"
    }
    let doubts = [
      hidden.isEmpty ? nil : "\(hidden.joined(separator: ", ")) (not shown by the server)",
      others.isEmpty ? nil : "\(others) (not stored as sent)",
    ].compactMap(\.self)
    return "accepted: update \(name): \(doubts.joined(separator: ", "))\(rest)\n"
  }

  /// The record after a write, as far as the server reports it; a note names unknown parts. A failed read is the
  /// failure of a write that was done.
  mutating func readWhole(
    of write: Write, _ target: Target, _ resource: ResourceDescription
  ) async throws(BackendError) -> Record {
    if let record, record.isWhole { return record }
    let fields = id.flatMap { id in resource.identifier.field.map { Object(facts: [($0, id.text)]) } } ?? Object()
    let known = record ?? Record(id: id, fields: fields)
    guard let id else { return known }
    // Of a field that was not kept, the record shows the value anyway.
    if writes == .echoed { return known }
    guard resource.capabilities.operations.contains(.get) else {
      notes.append("\(target.path) cannot be read one by one: only what the response contained is shown")
      return known
    }
    do throws(BackendError) { return try await target.client.get(id, from: target.path) } catch {
      throw error.afterDoing(write)
    }
  }

  /// Returns whether the server stores nothing of a write: it says so, or every field is as it was before.
  func keepsNothing(of write: Write) -> Bool {
    if writes == .echoed { return true }
    guard case .update = write, !unkept.isEmpty else { return false }
    return Set(write.fieldNames).isSubset(of: unkept)
  }

  /// The fields of a creation that the new record lacks although they were sent with a value. Those that the server
  /// does not show count only if it shows none of them.
  func lost(by write: Write) -> [String] {
    guard case .create(_, let fields) = write, writes != .echoed, let shown = record?.fields else { return [] }
    let sent = fields.members.filter(\.1.hasContent).map(\.0)
    let lost = sent.filter { altered.contains($0) && shown[$0]?.hasContent != true }
    return sent.count > 1 && sent.allSatisfy((lost + hidden).contains) ? sent : lost
  }

  /// Returns whether nothing shows that the server stores any of a write. Of an update it may have stored other values,
  /// if the record before is unknown.
  func showsNothing(of write: Write) -> Bool {
    if writes == .echoed { return true }
    guard case .update = write, !isAsSent else { return false }
    return Set(write.fieldNames).isSubset(of: unkept + unclear + hidden)
  }
}

extension BackendError {
  /// The failure of a completed write whose record could not be read back because of this error.
  fileprivate func afterDoing(_ write: Write) -> BackendError {
    var error = self
    error.operation = write.verb
    error.effect = .applied
    error.message = "the record was \(write.verb)d, but it could not be read back: \(message)"
    // Following the hint for the read would repeat the write.
    error.hint = nil
    return error
  }
}

extension Written {
  var sentence: EscapedText { receipt.sentence(of: write, place.target) }

  /// The sentence about the write; for an update with old and new values.
  var changeSentence: EscapedText {
    guard case .update(let path, let id, let changes, let parts, let use) = write, receipt.isAsSent else {
      return sentence
    }
    // The stored values where they differ from the sent ones, and what clearing has left.
    let stored = changes.map { change -> Change in
      guard receipt.altered.contains(change.field) || change == .unset(change.field),
        let value = receipt.record?.fields[change.field]
      else { return change }
      return .set(change.field, value)
    }
    var resource = place.resource
    (resource.capabilities.cleared, resource.capabilities.clearedFields) = (.absent, [:])
    let change = WriteWords(resource: resource, blanking: place.images.blanking).change(
      by: .update(path, id, stored, parts: parts, revision: use), before: planned.before?.fields)
    return "updated \(place.target.path)/\(id): \(change)\n"
  }
}
