import BackendClient
import BackendKit
import CommandLanguage
import ConsoleOutput

extension CommandContext {
  /// Prints what came of a write: a sentence for people, the record for programs.
  func show(
    _ receipt: WriteReceipt, of write: Write, _ target: Target, _ resource: ResourceDescription, _ output: RecordOutput,
    isQuiet: Bool = false
  ) async throws {
    count(records: 1)
    learn(receipt, of: target)
    var receipt = receipt
    defer { note(receipt) }
    if output.isForPeople, results.rows == nil {
      if let record = receipt.record ?? receipt.id.map({ Record(id: $0, fields: Object()) }) {
        results.result.value = .records([record], count: 1, isSingle: true)
      }
      if !isQuiet { results.output.write(sentence(receipt, of: write, target)) }
    } else if !isQuiet {
      output.print(try await receipt.readWhole(of: write, target, resource), resource, self)
    }
  }

  /// The result of a write, for people.
  func sentence(_ receipt: WriteReceipt, of write: Write, _ target: Target) -> EscapedText {
    let name =
      switch write {
      case .delete(_, .all, _): "all of \(target.path)"
      default:
        receipt.id.map { $0.isSole ? "\(target.path)" : "\(target.path)/\($0)" }
          ?? "\(target.path), identifier not reported"
      }
    if receipt.writes == .echoed { return "accepted, not stored: \(write.verb) \(name)\n" }
    let unkept = receipt.unkept.joined(separator: ", ")
    if receipt.keepsNothing(of: write) { return "not stored: \(write.verb) \(name): \(unkept)\n" }
    let rest = unkept.isEmpty ? "" : "; not stored: \(unkept)"
    if case .act(_, let id, let action, _) = write {
      return "\(action) of \(target.path)\(id.map { "/\($0)" } ?? ""): done\n"
    }
    if receipt.mayHaveReplaced { return "written \(name): created or replaced\n" }
    guard case .update(_, _, let changes, let parts, _) = write else { return "\(write.verb)d \(name)\(rest)\n" }
    let doubtful = receipt.unkept + receipt.hidden + receipt.unclear
    let kept = changes.map(\.field).filter { !doubtful.contains($0) } + parts.map(\.description)
    let unclear = receipt.unclear.joined(separator: ", ")
    guard kept.isEmpty else {
      let others = unclear.isEmpty ? "" : "; not as sent: \(unclear)"
      return "updated \(name): \(kept.joined(separator: ", "))\(others)\(rest)\n"
    }
    let doubts = [
      receipt.hidden.isEmpty ? nil : "\(receipt.hidden.joined(separator: ", ")) (not shown by the server)",
      unclear.isEmpty ? nil : "\(unclear) (not stored as sent)",
    ].compactMap(\.self)
    return "accepted: update \(name): \(doubts.joined(separator: ", "))\(rest)\n"
  }

  /// Has completion offer what was written.
  func learn(_ receipt: WriteReceipt, of target: Target) {
    guard receipt.isKept else { return }
    guard let record = receipt.record ?? receipt.id.map({ Record(id: $0, fields: Object()) }) else { return }
    results.knowledge?.learn([record], of: target.client.name, target.path)
  }

  /// Offers a record no longer that was deleted.
  func forget(_ id: RecordID, of target: Target, _ receipt: WriteReceipt) {
    guard receipt.isKept else { return }
    results.knowledge?.learn { $0.identifiers["\(target.client.name)/\(target.path)"]?.remove(id.text) }
  }

  /// Says what is to be known of a write.
  func note(_ receipt: WriteReceipt) {
    var texts = receipt.notes
    if receipt.writes == .echoed {
      texts.insert("accepted, but this server does not store it", at: 0)
    } else if !receipt.isKept {
      let (names, was) = (receipt.unkept.joined(separator: ", "), receipt.unkept.count == 1 ? "it was" : "they were")
      texts.insert("accepted, but the server left \(names) as \(was)", at: 0)
    }
    for text in texts {
      if writes.notes.insert(text).inserted { warn(text) }
    }
  }
}

extension WriteReceipt {
  /// The record after a write, as far as the server reports it; a note names the unknown parts. If the read fails, that
  /// is the failure of a write that was done.
  mutating func readWhole(
    of write: Write, _ target: Target, _ resource: ResourceDescription
  ) async throws(BackendError) -> Record {
    if let record, record.isWhole { return record }
    let fields = id.flatMap { id in resource.identifier.field.map { Object([($0, .string(id.text))]) } } ?? Object()
    let known = record ?? Record(id: id, fields: fields)
    guard let id else { return known }
    // Of a field alone that was not kept the record shows what it is.
    if writes == .echoed { return known }
    guard resource.capabilities.operations.contains(.get) else {
      notes.append("\(target.path) cannot be read one by one: only what the response contained is shown")
      return known
    }
    do throws(BackendError) { return try await target.client.get(id, from: target.path) } catch {
      throw error.afterDoing(write)
    }
  }

  /// Returns whether the server stores nothing of a write, as far as can be seen.
  func keepsNothing(of write: Write) -> Bool {
    if writes == .echoed { return true }
    guard case .update = write, !unkept.isEmpty else { return false }
    return Set(write.fieldNames).isSubset(of: unkept)
  }

  /// Returns whether nothing shows that the server stores any of an update.
  func showsNothing(of write: Write) -> Bool {
    guard case .update = write, !unclear.isEmpty else { return false }
    return Set(write.fieldNames).isSubset(of: unkept + unclear + hidden)
  }
}

extension BackendError {
  /// The failure of a write that was done and of which this error kept the record from being read.
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
