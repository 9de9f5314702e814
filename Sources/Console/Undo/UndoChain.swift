import BackendClient
import BackendKit

/// The steps of an undo on one record, the newest write first: they are carried out one after the other, those of other records
/// beside them.
struct UndoChain: Sendable {
  private(set) var steps: [UndoStep]

  /// The steps by record, in the order met.
  static func chains(_ steps: [UndoStep]) -> [UndoChain] {
    var chains: [UndoChain] = []
    var places: [String: Int] = [:]
    for step in steps {
      let name = step.target.flatMap { target in step.entry.id.map { "\(target.description)/\($0)" } }
      if let name, let place = places[name] {
        chains[place].steps.append(step)
      } else {
        if let name { places[name] = chains.count }
        chains.append(UndoChain(steps: [step]))
      }
    }
    return chains
  }
}

/// Sends the inverse writes of chains. Knows no session, so that several can be sent at once.
struct UndoSender: Sendable {
  /// What came of a step that sends something.
  typealias Answer = Result<(write: Write, receipt: WriteReceipt), any Error>

  private let senders: [String: WriteSender]
  private let patience: [String: RowPatience]

  init(_ steps: [UndoStep], _ session: Session) {
    var (senders, patience) = ([String: WriteSender](), [String: RowPatience]())
    for target in steps.compactMap(\.target) where senders[target.client.name] == nil {
      senders[target.client.name] = WriteSender(target, session)
      patience[target.client.name] = RowPatience(target.backend.connection, retries: 0)
    }
    (self.senders, self.patience) = (senders, patience)
  }

  /// What a reader should know of waiting.
  var notes: [String] { patience.values.compactMap(\.note) }

  /// Carries a chain out; nil for a step that sends nothing.
  func send(_ chain: UndoChain) async -> [Answer?] {
    var answers: [Answer?] = []
    /// The identifier that the deleted record has got.
    var id: RecordID?
    for step in chain.steps {
      guard let write = step.write?.renamed(id), let target = step.target, let sender = senders[target.client.name],
        let patience = patience[target.client.name]
      else {
        answers.append(nil)
        continue
      }
      do {
        let receipt = try await patience.attempt {
          let record = try await Self.recheck(step, write, target)
          return try await sender.send(write, knowing: record, undoing: step.entry.number)
        }
        if case .create = write, let new = receipt.id { id = new }
        answers.append(.success((write, receipt)))
      } catch { answers.append(.failure(error)) }
    }
    return answers
  }

  /// Throws where a record is no longer as the plan has it. A service with revisions checks that itself. Returns the record as
  /// it was seen last.
  private static func recheck(_ step: UndoStep, _ write: Write, _ target: Target) async throws -> Record? {
    guard let id = write.id, !step.expected.isEmpty else { return step.record }
    let resource = try await target.client.resource(target.path)
    // Under an identifier that a response has just named nothing was read yet.
    if case .update = write, resource.capabilities.hasRevisions, id.text == step.entry.id { return step.record }
    let now = try await target.existing(id)
    let changed = WantedFields(step.expected).missing(in: now?.fields ?? Object(), of: resource).first
    guard let changed else { return now }
    throw CommandFailure(
      .failure, "undo of \(step.entry.number): \(target.description(of: id)) has changed since the plan: \(changed)")
  }
}

extension Write {
  /// The write of the record under the identifier that it has now.
  fileprivate func renamed(_ id: RecordID?) -> Write {
    guard let id else { return self }
    return switch self {
    case .update(let path, _, let changes, let parts, let use): .update(path, id, changes, parts: parts, revision: use)
    case .delete(let path, .one, let use): .delete(path, .one(id), revision: use)
    case .create, .delete, .act: self
    }
  }
}
