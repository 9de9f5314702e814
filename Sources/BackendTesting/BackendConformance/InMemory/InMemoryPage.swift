import BackendClient
import BackendKit

/// A page of a table, according to the resource's capabilities.
struct InMemoryPage {
  private(set) var records: [Record] = []
  private(set) var end = PageEnd()

  private let capabilities: Capabilities
  private let size: Int

  init(of table: InMemoryTable, _ query: ListQuery, at cursor: Cursor?) throws(BackendError) {
    capabilities = table.resource.description.capabilities
    size = InMemoryPage.size(query, capabilities) ?? .max
    let rows = table.rows.filter { table.resource.admits($0.record.fields, query) }
    let start = try start(in: rows, query, cursor)
    let stop = rows.count - start > size ? start + size : rows.count
    records = rows[start..<stop].map { listed($0.record) }
    let isLast = stop == rows.count && (table.resource.announcesEnd || records.count < size)
    if let last = rows[..<stop].last, !isLast {
      end.next = Cursor(mark(start, stop, last))
    }
    if capabilities.hasTotal { end.total = rows.count }
    if let asked = query.pageSize, size < .max, asked != size { end.pageSize = size }
  }

  static func size(_ query: ListQuery, _ capabilities: Capabilities) -> Int? {
    guard capabilities.paging != .none else { return nil }
    return max(1, min(query.pageSize ?? capabilities.defaultPageSize ?? 20, capabilities.pageCap ?? .max))
  }

  /// Returns the number in a cursor. Throws `invalid` if it belongs to another kind of list.
  static func number(
    in cursor: Cursor, _ paging: Capabilities.Paging
  ) throws(BackendError) -> Int {
    let words: [Capabilities.Paging: Substring] = [.offset: "offset", .pageNumber: "page", .cursor: "after"]
    let parts = cursor.text.split(separator: ":", maxSplits: 1)
    guard parts.count == 2, parts[0] == words[paging], let number = Int(parts[1]), number >= 0 else {
      throw .invalid("\"\(cursor)\" is not a position in this list")
    }
    return number
  }

  private func start(
    in rows: [InMemoryTable.Row], _ query: ListQuery, _ cursor: Cursor?
  ) throws(BackendError) -> Int {
    guard let cursor else { return min(query.skip, rows.count) }
    let number = try Self.number(in: cursor, capabilities.paging)
    return switch capabilities.paging {
    case .pageNumber: number > rows.count / size ? rows.count : min(number * size, rows.count)
    case .cursor: rows.firstIndex { $0.mark > number } ?? rows.count
    case .offset, .none: min(number, rows.count)
    }
  }

  private func mark(_ start: Int, _ stop: Int, _ last: InMemoryTable.Row) -> String {
    switch capabilities.paging {
    case .pageNumber: "page:\(start / size + 1)"
    case .cursor: "after:\(last.mark)"
    case .offset, .none: "offset:\(stop)"
    }
  }

  private func listed(_ record: Record) -> Record {
    var record = record
    for field in capabilities.unlistedFields where record.fields[field] != nil {
      record.fields[field] = nil
      record.unloaded.append(field)
    }
    return record
  }
}
