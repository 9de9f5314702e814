import BackendKit

struct InMemoryState: Sendable {
  typealias Answer = (status: Int, body: Value?)

  var tables: [String: InMemoryTable]

  func table(_ path: ResourcePath) throws(BackendError) -> InMemoryTable {
    guard path.parent == nil, let table = tables[path.name] else {
      throw BackendError(.notFound, "there is no resource \"\(path)\"", effect: .notSent)
    }
    return table
  }

  /// Writes to a table, or to a copy if writes are only echoed.
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

  mutating func answer(_ request: HTTPRequest) throws(BackendError) -> Answer {
    guard let name = request.path.segments.first else {
      return (200, ["resources": .array(tables.keys.sorted().map { .string($0) })])
    }
    let path = ResourcePath(name: name)
    switch (request.method, request.path.segments.dropFirst().map { RecordID($0) }) {
    case ("GET", []): return try list(request, path)
    case ("GET", let ids) where ids.count == 1:
      let table = try table(path)
      return (200, table.rows[try table.existing(ids[0])].record.wire)
    case ("POST", []):
      let fields = try ReferenceWire.object(request)
      let receipt = try change(path) { table throws(BackendError) in try table.create(fields) }
      return (201, receipt.record?.wire)
    case ("PATCH", let ids) where ids.count == 1:
      let changes = try ReferenceWire.changes(request)
      let receipt = try change(path) { table throws(BackendError) in
        try table.update(ids[0], changes, request.revision)
      }
      return (200, receipt.record?.wire)
    case ("PUT", let ids) where ids.count == 1:
      let fields = try ReferenceWire.object(request)
      let receipt = try change(path) { table throws(BackendError) in
        try table.replace(ids[0], with: fields, request.revision)
      }
      return (200, receipt.record?.wire)
    case ("DELETE", let ids) where ids.count <= 1:
      let deletion = ids.first.map { Deletion.one($0) } ?? .all
      _ = try change(path) { table throws(BackendError) in try table.delete(deletion, request.revision) }
      return (204, nil)
    case ("POST", let ids):
      let (name, id) = (ids[ids.count - 1].text, ids.count > 1 ? ids[0] : nil)
      _ = try table(path).resource.description.checkAction(name, on: id)
      let fields = try ReferenceWire.object(request)
      let receipt = try change(path) { table throws(BackendError) in try table.act(name, on: id, fields) }
      return (200, receipt.record?.wire ?? receipt.answer)
    default: throw .unsupported("there is no \(request.summary)")
    }
  }

  private func list(_ request: HTTPRequest, _ path: ResourcePath) throws(BackendError) -> Answer {
    let query = try ReferenceWire.query(request, path)
    let page = try InMemoryPage(of: try table(path), query, at: request.value("cursor").map { Cursor($0) })
    var body = Object([("items", .array(page.records.map(\.wire)))])
    body["next"] = page.end.next.map { .string($0.text) }
    body["total"] = page.end.total.map { .int($0) }
    body["pageSize"] = page.end.pageSize.map { .int($0) }
    return (200, .object(body))
  }
}

extension HTTPRequest {
  func value(_ name: String) -> String? { query.first { $0.0 == name }?.1 }

  var revision: String? { headers.first { $0.0 == "If-Match" }?.1 }
}
