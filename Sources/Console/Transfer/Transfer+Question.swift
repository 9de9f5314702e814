import BackendKit
import ConsoleSetup

extension Transfer {
  struct Counts {
    var creations: Int
    var updates: Int
    var deletions: Int
    var all: Int { creations + updates + deletions }
  }

  func counts() throws -> Counts {
    Counts(
      creations: try store.count(of: .create), updates: try store.count(of: .update),
      deletions: try store.count(of: .delete))
  }

  /// More writes than this need a confirmation.
  private static let manyWrites = 100

  /// The numbers of source records that need no write, in words.
  var rest: [String] {
    [
      unchanged > 0 ? "\(unchanged.grouped) unchanged" : nil,
      skipped > 0 ? "\(skipped.grouped) skipped (the key already exists)" : nil,
      TableCells.leftAlone(leftAlone),
    ].compactMap(\.self)
  }

  func part(_ numbers: Range<Int>, _ counts: [(verb: String, count: Int)]) -> WritePlan.Part {
    var planning = planning()
    planning.isPlanned = ports.writes.plan != nil
    var part = WritePlan.Part(Ledgers(ports).place(target, resource), counts: counts) { [store] index in
      let step = try store.step(numbers.lowerBound + index)
      // A plan file cannot refer to a record that does not exist yet.
      if planning.isPlanned { try refuseWaiting(step) }
      return planning.planned(step)
    }
    (part.isRechecked, part.isListed) = (isRechecked, true)
    return part
  }

  /// The plan of transfers as shown and confirmed: before deletions, and before records leave or enter a production
  /// system. Into production, the answer is the number of requests. Deletions come last, in the opposite order.
  static func plan(
    _ parts: [(transfer: Transfer, prepared: Prepared)], from source: BackendConfiguration?
  ) -> WritePlan? {
    guard let first = parts.first?.transfer else { return nil }
    var planned: [WritePlan.Part] = []
    for (transfer, prepared) in parts {
      let counts = prepared.counts
      var part = transfer.part(prepared.changes, [("create", counts.creations), ("update", counts.updates)])
      part.remarks = transfer.rest
      planned.append(part)
    }
    for (transfer, prepared) in parts.reversed() where prepared.counts.deletions > 0 {
      planned.append(transfer.part(prepared.deletions, [("delete", prepared.counts.deletions)]))
    }
    let configuration = first.target.backend.configuration
    let leavesProduction = source?.isProduction == true && source?.label != configuration.label
    let places = parts.map { $0.transfer.target.description }.joined(separator: ", ")
    let all = parts.reduce(0) { $0 + $1.prepared.counts.all }
    var plan = WritePlan(
      planned,
      .found(
        "\(first.verb.prefix(1).uppercased())\(first.verb.dropFirst()) \(counted(all, "record")) to \(places)",
        isAlways: leavesProduction || all > Self.manyWrites && Questions(first.ports).canAsk
          || parts.contains { $0.prepared.counts.deletions > 0 }))
    let origins = parts.map(\.transfer.origin).joined(separator: ", ")
    plan.headline = "\(first.verb) \(origins)\(source?.label.map { " (\($0))" } ?? "") to \(places)"
    plan.showing = .atTerminal
    return plan
  }
}
