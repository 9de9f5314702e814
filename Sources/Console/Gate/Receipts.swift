import BackendClient
import BackendKit
import CommandLanguage
import ConsoleOutput
import ConsoleSystem

/// The outcomes of writes: recorded, shown, and reported once.
struct Receipts: CommandPart {
  let context: CommandContext

  /// Prints the outcome of a write: a sentence for people, the record for programs.
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
      if !isQuiet { results.output.write(receipt.sentence(of: write, target)) }
    } else if !isQuiet {
      output.print(try await receipt.readWhole(of: write, target, resource), resource, context)
    }
  }

  func learn(_ receipt: WriteReceipt, of target: Target) {
    guard receipt.isKept else { return }
    guard let record = receipt.record ?? receipt.id.map({ Record(id: $0, fields: Object()) }) else { return }
    results.knowledge?.learn([record], of: target.client.name, target.path)
  }

  func forget(_ id: RecordID, of target: Target, _ receipt: WriteReceipt) {
    guard receipt.isKept else { return }
    results.knowledge?.learn { $0.identifiers["\(target.client.name)/\(target.path)"]?.remove(id.text) }
  }

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

  /// Records the effect of a sent write, and throws for what `--strict` refuses.
  func accounted(
    _ result: Result<WriteReceipt, any Error>, _ write: Write, _ target: Target
  ) throws -> WriteReceipt {
    let receipt: WriteReceipt
    do { receipt = try result.get() } catch {
      if let error = error as? BackendError { writes.tally.add(error.effect) }
      throw error
    }
    // The effect on the data of a write that the server did not keep.
    let left: BackendError.Effect? =
      receipt.keepsNothing(of: write) ? .rejected : receipt.showsNothing(of: write) ? .unknown : nil
    writes.tally.add(.applied, left: left)
    guard run.settings.isStrict else { return receipt }
    if receipt.writes == .echoed {
      throw CommandFailure(
        strictly: "not stored: the server accepted the \(write.verb) but did not store it", write, receipt.id, target,
        effect: .rejected)
    }
    if !receipt.isKept {
      throw CommandFailure(
        strictly:
          "not stored: the server accepted the \(write.verb) but left \(receipt.unkept.joined(separator: ", ")) unchanged",
        write, receipt.id, target, effect: left ?? .applied)
    }
    if !receipt.unclear.isEmpty {
      throw CommandFailure(
        strictly: "not stored as sent: \(receipt.unclear.joined(separator: ", "))", write, receipt.id, target,
        effect: left ?? .applied)
    }
    let lost = receipt.lost(by: write)
    if !lost.isEmpty {
      throw CommandFailure(
        strictly: "the record was created without \(lost.joined(separator: ", ")): not stored", write, receipt.id,
        target, effect: .applied)
    }
    if case .create = write, receipt.id == nil {
      throw CommandFailure(
        strictly: "the record was created, but the server did not report its identifier", write, nil, target,
        effect: .applied)
    }
    return receipt
  }
}

extension CommandFailure {
  /// The failure of a write that only `--strict` refuses.
  fileprivate init(
    strictly message: String, _ write: Write, _ id: RecordID?, _ target: Target, effect: BackendError.Effect
  ) {
    let named: [String?] = [write.verb, target.description, (write.id ?? id)?.text]
    let tried = named.compactMap(\.self).joined(separator: " ")
    self.init(.failure, "\(tried): \(message)", hint: "--strict makes this a failure", code: .strict)
    error = BackendError(
      .invalid, message, effect: effect, operation: write.verb, backend: target.client.name,
      resource: target.path.description, id: (write.id ?? id)?.text)
  }
}
