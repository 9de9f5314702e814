import BackendClient
import BackendKit
import CommandLanguage
import ConsoleSystem

extension CommandContext {
  /// Takes down what a write that was sent did to the data, and refuses what `--strict` takes for a failure.
  func accounted(
    _ result: Result<WriteReceipt, any Error>, _ write: Write, _ target: Target
  ) throws -> WriteReceipt {
    let receipt: WriteReceipt
    do { receipt = try result.get() } catch {
      if let error = error as? BackendError { writes.tally.add(error.effect) }
      throw error
    }
    let keepsNothing = receipt.keepsNothing(of: write)
    writes.tally.add(.applied, isKept: !keepsNothing)
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
        write, receipt.id, target, effect: keepsNothing ? .rejected : .applied)
    }
    if !receipt.unclear.isEmpty {
      throw CommandFailure(
        strictly: "not stored as sent: \(receipt.unclear.joined(separator: ", "))", write, receipt.id, target,
        effect: receipt.showsNothing(of: write) ? .unknown : .applied)
    }
    if case .create = write, receipt.id == nil {
      throw CommandFailure(
        strictly: "the record was created, but the server did not report its identifier", write, nil, target,
        effect: .applied)
    }
    return receipt
  }

  /// Throws what a run would refuse without a request, before anybody is asked and before the first of several
  /// writes is sent. `place` is where the write stands in a file, `known` what is known of the record before it.
  func check(_ write: Write, of target: Target, at place: String? = nil, known: Object? = nil) async throws {
    let unknown = unknownFields
    let isGuess = unknown != nil
    do {
      try checkWritable(target)
      try await target.client.check(write, unknown: unknown)
      try await checkNewFields(write, of: target, known: known)
    } catch {
      var failure = failure(error)
      // Its words are to be the same for every value.
      if isGuess, var error = error as? BackendError {
        error.id = nil
        failure = self.failure(error)
      }
      guard let place else { throw isGuess ? failure : error }
      failure.message = "\(place): \(failure.message)"
      throw failure
    }
  }

  /// The fields that may get a value that is not known yet; nil if all values are known.
  private var unknownFields: Set<String>? {
    let words = words.filter(\.isUnknown)
    return run.rehearsal == nil || words.isEmpty ? nil : Set(words.flatMap(\.assignedFields))
  }

  /// Says once of each field that nobody knows that it is a new one, or refuses it where the run is strict, unless the command
  /// is told that there may be such. A field that the record has is none.
  func checkNewFields(_ write: Write, of target: Target, known: Object? = nil) async throws {
    // The input of an action is checked against the action's own description.
    if case .act = write { return }
    if writes.newFields == nil { return }
    let resource = try await target.client.resource(target.path)
    guard resource.source != .unknown, !resource.fields.isEmpty else { return }
    let own = write.parts.filter { known?[$0.description] != nil }.map(\.field)
    for name in write.fieldNames
    where resource.field(named: name) == nil && known?[name] == nil && !own.contains(name) {
      let nearest = SpellingSuggestion.suggestion(for: name, among: resource.fields.map(\.name))
      if run.settings.isStrict {
        throw UsageError(
          "unknown field \"\(name)\" in \(target.description)",
          hint: nearest.map { "did you mean \($0)?" } ?? "--strict is on; --new-fields accepts it")
      }
      guard run.rehearsal == nil, writes.newFields?.insert(name).inserted == true else { continue }
      warn(
        "unknown field \"\(name)\" in \(target.description); it will be added ("
          + (nearest.map { "did you mean \($0)? " } ?? "") + "--new-fields accepts it)")
    }
  }
}

extension CommandFailure {
  /// A write that only `--strict` takes for a failure.
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
