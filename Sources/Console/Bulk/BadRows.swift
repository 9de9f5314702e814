import BackendKit
import CommandLanguage
import ConsoleSystem

/// The unusable rows of an input. All are reported, not only the first.
final class BadRows {
  /// The number of rows that are reported and kept.
  static let most = 100

  /// True if the other rows are used anyway.
  let skips: Bool
  private(set) var count = 0
  private var failures: [CommandFailure] = []
  private var first: (any Error)?
  /// The skipped rows, as input for another run.
  private(set) var skipped: [RejectedRow] = []

  init(skips: Bool = false) { self.skips = skips }

  /// Reads or checks a row; false if it is unusable. Rethrows errors that do not concern the row.
  func take(_ given: @autoclosure () -> Object?, _ ports: CommandContext, _ body: () throws -> Void) throws -> Bool {
    do { try body() } catch { return try add(error, given(), ports) }
    return true
  }

  /// The same for an asynchronous check.
  func take(
    _ given: @autoclosure () throws -> Object?, _ ports: CommandContext, checking body: () async throws -> Void
  ) async throws -> Bool {
    do { try await body() } catch { return try add(error, try given(), ports) }
    return true
  }

  private func add(_ error: any Error, _ given: Object?, _ ports: CommandContext) throws -> Bool {
    let failure = ports.failure(error)
    guard failure.status == .usage || failure.status == .failure else { throw error }
    if ports.isStopped { throw error }
    count += 1
    first = first ?? error
    if failures.count < Self.most { failures.append(failure) }
    if skips, let given { skipped.append(.object(given, reason: failure.sentence)) }
    return false
  }

  /// Reports the rows found since the last call. Throws if there are any and rows are not skipped.
  func end(_ ports: CommandContext) throws {
    guard let first else { return }
    if count == 1, !skips { throw first }
    // A check reports only what is thrown.
    if ports.run.rehearsal != nil, !skips {
      throw UsageError(failures.map(\.message).joined(separator: "\n"))
    }
    for failure in failures { ports.report(part: failure) }
    failures = []
    if skips { return }
    let more = count > Self.most ? "; the first \(Self.most) are shown" : ""
    throw UsageError("\(count.grouped) rows cannot be used\(more)")
  }

  /// Throws if rows were skipped, since the command is then incomplete.
  func tellSkipped(_ verb: String) throws(CommandFailure) {
    guard skips, count > 0 else { return }
    throw CommandFailure(.partial, "\(verb): \(counted(count, "row was", "rows were")) skipped")
  }
}

extension SharedOptions {
  static let skipBad = OptionSyntax("skip-bad", help: "report bad rows, and send the others")
}
