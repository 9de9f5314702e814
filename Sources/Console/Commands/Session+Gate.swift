import BackendClient
import BackendKit

extension Session {
  /// The one gate that every write of a command goes through: carries it out, takes its effect down for the log, and refuses
  /// what `--strict` takes for a failure.
  func perform(_ write: Write, of target: Target) async throws -> WriteReceipt {
    try await checkStrictly(write, of: target)
    let receipt: WriteReceipt
    do throws(BackendError) { receipt = try await target.client.perform(write) } catch {
      tally.add(error.effect)
      throw error
    }
    let isKept = receipt.writes != .echoed
    tally.add(.applied, isKept: isKept)
    guard settings.isStrict else { return receipt }
    if !isKept {
      throw CommandFailure(
        strictly: "not kept: the server accepted the \(write.verb) and keeps nothing", write, receipt.id, target,
        effect: .rejected)
    }
    if case .create = write, receipt.id == nil {
      throw CommandFailure(
        strictly: "the record was created, but the server did not report its identifier", write, nil, target,
        effect: .applied)
    }
    return receipt
  }

  /// Throws what ``perform(_:of:)`` would refuse without a request, before anybody is asked and before the first of several
  /// writes is sent. `place` is where the write stands in a file.
  func check(_ write: Write, of target: Target, at place: String? = nil) async throws {
    // What is thought of a value that nobody knows yet says nothing of the value.
    let isGuess = rehearsal != nil && words.contains(where: \.isUnknown)
    do {
      try checkWritable(target)
      try await target.client.check(write, isGuess: isGuess)
      try await checkStrictly(write, of: target)
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

  private func checkStrictly(_ write: Write, of target: Target) async throws {
    // What an action takes is checked by its own description.
    if case .act = write { return }
    guard settings.isStrict else { return }
    let resource = try await target.client.resource(target.path)
    guard resource.source != .unknown, !resource.fields.isEmpty else { return }
    if let name = write.fieldNames.first(where: { resource.field(named: $0) == nil }) {
      throw UsageError(
        "\(target.description) is not known to have a field \"\(name)\"",
        hint: Nearest.suggestion(for: name, among: resource.fields.map(\.name)).map { "did you mean \($0)?" }
          ?? "--strict is on; nothing was sent")
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
