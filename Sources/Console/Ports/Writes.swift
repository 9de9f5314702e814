import BackendKit

/// What writes pass, and who is asked about them.
struct Writes {
  let services: any SessionServices

  /// Whether a person can be asked.
  var canAsk: Bool { services.canAsk }

  /// Asks yes or no; nil if no person can be asked.
  func isYes(_ question: ShownText) async -> Bool? { await services.isYes(question, enterIs: false) }
}

/// What commands still have the session itself do, until the pipeline of writes takes ports, too.
protocol SessionServices {
  var canAsk: Bool { get }
  func isYes(_ question: ShownText, enterIs preset: Bool) async -> Bool?
  /// Runs the operator's editor on a file, and waits for its end.
  func runEditor(on path: String) throws(CommandFailure)
  /// Hands on the rows of a table that a command names.
  func read(_ input: RowInput, row: (RowInput.Row) throws -> Void) throws
  /// Sends what each of several rows asks for, some of them at once, and takes what came of each in the order of the rows.
  func each<Item: BulkItem, Outcome: Sendable>(
    _ items: [Item], of target: Target, _ verb: String, _ options: BulkOptions, into run: RecordStream?,
    patience: RowPatience, send: @escaping @Sendable (Item) async throws -> Outcome,
    take: (Item, Result<Outcome, any Error>) throws -> RowEnd
  ) async throws
}

extension Session: SessionServices {
  func read(_ input: RowInput, row: (RowInput.Row) throws -> Void) throws { try input.read(self, row: row) }
}
