import BackendKit

/// The state of a server in memory, guarded by its lock.
struct InMemoryState: Sendable {
  var tables: [String: InMemoryTable]

  func table(_ path: ResourcePath) throws(BackendError) -> InMemoryTable {
    guard path.parent == nil, let table = tables[path.name] else {
      throw BackendError(.notFound, "there is no resource \"\(path)\"", effect: .notSent)
    }
    return table
  }

  /// Writes to a table; what is only echoed is written to a copy.
  mutating func change(
    _ path: ResourcePath, _ body: (inout InMemoryTable) throws(BackendError) -> WriteReceipt
  ) throws(BackendError) -> WriteReceipt {
    var table = try table(path)
    let writes = table.resource.description.capabilities.writes
    if writes != .echoed { tables[path.name] = nil }
    defer { if writes != .echoed { tables[path.name] = table } }
    var receipt = try body(&table)
    receipt.writes = writes
    return receipt
  }
}
