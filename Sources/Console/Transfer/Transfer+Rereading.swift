import BackendClient
import ConsoleSystem

/// A list of several pages, which may have missed records that moved between them.
struct ShiftingList: Sendable {
  let request: ListRequest
  let origin: Target
}

extension Transfer {
  /// Reads a list that may have shifted again if writes are due to absent records: that of the source before deletions,
  /// that of the target before creations. Throws if such a record is there.
  func checkAbsences(_ kept: ServerNormalizedValues?) async throws {
    guard !options.key.isEmpty else { return }
    if let list = shifting[.source], try store.count(of: .delete) > 0 {
      var again = try await reread(.source, list)
      if again.absenceDoubt != nil { throw changed(list) }
      try await again.complete(.source, of: list.origin)
      again.references = references.of(options.key)
      let found = again.store
      try eachRow(of: .source, in: found) { row in
        var row = row
        try again.convert(&row)
        try found.replace(row, of: .source)
      }
      try again.checkAbsences(of: .target, .superfluous, store, list, kept)
    }
    if let list = shifting[.target], try store.count(of: .create) > 0 {
      var again = try await reread(.target, list)
      try await again.complete(.target, of: target, .partialWithoutKey)
      try again.checkAbsences(of: .source, .unmatched, store, list, kept)
    }
  }

  /// A transfer of the records that only the second reading of a list shows.
  private func reread(_ side: TransferStore.Side, _ list: ShiftingList) async throws -> Transfer {
    var again = self
    again.store = try TransferStore(state: ports.stateFolder)
    again.absenceDoubt = nil
    try await again.load(list.request, of: list.origin, to: side, beyond: store)
    return again
  }

  /// Matches the records of a second reading with the unmatched ones of the other side.
  private func checkAbsences(
    of side: TransferStore.Side, _ choice: TransferStore.Choice, _ first: TransferStore, _ list: ShiftingList,
    _ kept: ServerNormalizedValues?
  ) throws {
    guard try store.count(of: side == .source ? .target : .source) > 0 else { return }
    var batches = first.batches(of: side, choice)
    while let rows = try batches.next() {
      try checkInterruption()
      try store.add(rows, to: side)
    }
    try TransferKeys(transfer: self).match(kept)
    try eachRow(of: .source, in: store) { row in
      guard let there = try row.key.flatMap({ try store.target(key: $0) }) else { return }
      let id = side == .source ? there.id : row.id
      throw changed(list, "\(id.map { "\($0), " } ?? "")key \(TransferFields.quoted(row.key)), appears only now")
    }
  }

  private func changed(_ list: ShiftingList, _ what: String? = nil) -> CommandFailure {
    CommandFailure(
      .partial,
      "\(list.origin.description) changed while it was being read\(what.map { ": \($0)" } ?? ""); nothing was changed",
      hint: "run the same command again")
  }
}
