import BackendClient
import BackendKit

/// One of several that a command works on.
protocol BulkItem: CustomStringConvertible {
  /// Where it stands in a file or on standard input; nil where it is a word of the command.
  var place: String? { get }
}

/// A write that a command was given in a file or on standard input.
struct InputWrite: BulkItem {
  /// Where it stands there.
  let description: String
  let write: Write

  var place: String? { description }
}

/// An identifier that a command was given.
struct InputIdentifier: BulkItem {
  let id: RecordID
  let place: String?
  /// The address that was given in its place, and the field of the record that has to show it before a write.
  var address: (text: String, field: String)?

  var description: String { id.description }
}

extension Session {
  /// Does something for each identifier, or record given in a file. Where one fails the others are still tried, each
  /// failure is said, and the command as a whole counts as cut short. Once it is interrupted nothing more is tried, and it
  /// is said what was not.
  ///
  /// Ends the stream that the results go to: as a whole document once all were tried, whatever came of them.
  func each<Item: BulkItem>(
    _ items: [Item], of target: Target, _ verb: String, into run: RecordStream?, _ body: (Item) async throws -> Void
  ) async throws {
    var counts = BulkTally()
    var worst = ExitStatus.partial
    var isWhole = false
    defer { run?.end(isWhole: isWhole).forEach(note) }
    progress?.expect(items.count)
    defer {
      execution.tally.records = counts.done
      if counts.errors > 0 { execution.tally.counts = counts }
    }
    for (index, item) in items.enumerated() {
      // Nothing more is done that nobody would hear of.
      if output.isBroken { return }
      // Also where it met what the one before still had to read, which then ended well.
      if isStopped {
        throw CommandFailure(
          .interrupted,
          "\(verb) \(target.description): interrupted after \(counts.words)"
            + Self.untried(items[index...].map(\.description)), counts)
      }
      defer { progress?.advance(1) }
      do {
        try await body(item)
        counts.add()
      } catch {
        var failure = failure(error)
        if let place = item.place { failure.message = "\(place): \(failure.message)" }
        // Of a write that was on its way nobody can tell; a read, or a write that was not sent, was simply not done.
        let isOpen = failure.error?.effect == .applied || failure.error?.effect == .unknown
        let isStopped = failure.status == .interrupted
        if !isStopped || isOpen {
          counts.add(failure)
          worst = worst.worse(failure.status)
          output.flush()
          report(part: failure)
          log(row: "\(item)", failure)
        }
        let rest = items[(isStopped && !isOpen ? index : index + 1)...].map(\.description)
        if isStopped || Task.isCancelled {
          throw CommandFailure(
            failure.status,
            "\(verb) \(target.description): interrupted after \(counts.words)" + Self.untried(rest), counts)
        }
        // An unreachable backend will not answer for the others either.
        if failure.status == .unreachable, !rest.isEmpty {
          throw CommandFailure(
            index == 0 ? .unreachable : worst,
            "\(verb) \(target.description): \(counts.words)" + Self.untried(rest), counts)
        }
      }
    }
    isWhole = true
    guard counts.errors > 0 else { return }
    let all = counts.errors == items.count
    throw CommandFailure(
      all && worst == .partial ? .failure : worst, "\(verb) \(target.description): \(counts.words)", counts)
  }

  /// What was not tried, in a few words.
  private static func untried(_ rest: [String]) -> String {
    guard !rest.isEmpty else { return "" }
    return "; not tried: \(rest.prefix(10).joined(separator: ", "))"
      + (rest.count > 10 ? " and \(rest.count - 10) more" : "")
  }

  /// Makes or changes many records, one write each, and prints what came of them as one document.
  func perform(
    _ writes: [InputWrite], of target: Target, _ resource: ResourceDescription, _ output: RecordOutput
  ) async throws {
    let presentation = output.presentation(self, resource, isSingle: false)
    let run = RecordStream(
      output.format.printer(presentation), to: self.output, flushes: true, rows: execution.rows, tellsAll: true)
    var made: (records: [Record], count: Int) = ([], 0)
    defer {
      if execution.rows == nil, made.count > 0 {
        script.result = .records(made.records, count: made.count, isSingle: false)
        if !output.isForPeople {
          self.keep(made.records, isWhole: made.records.count == made.count, count: made.count, presentation)
        }
      }
    }
    func keep(_ record: Record) {
      made.count += 1
      if made.records.count < keptRecords { made.records.append(record) }
    }
    let document = output.isForPeople ? nil : run
    try await each(writes, of: target, writes[0].write.verb, into: document) { given in
      let receipt = try await perform(given.write, of: target)
      learn(receipt, of: target)
      defer { remark(receipt) }
      if output.isForPeople, execution.rows == nil {
        self.output.write(sentence(receipt, of: given.write, target))
        // What was done is told at once: the run may be ended before the next is done.
        self.output.flush()
        keep(receipt.record ?? Record(id: receipt.id, fields: Object()))
      } else {
        let record = try await record(receipt, of: given.write, target, for: output)
        _ = run.take([record])
        keep(record)
      }
    }
  }
}
