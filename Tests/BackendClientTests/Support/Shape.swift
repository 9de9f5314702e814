import BackendClient
import BackendConformance
import BackendKit
import TestSupport
import Testing

extension ResourcePath {
  static let notes = ResourcePath(name: "notes")
}

/// The abilities of a test's backend and the way it passes on its pages.
struct Shape: CustomTestStringConvertible {
  var paging: Capabilities.Paging
  var filtering: InMemoryResource.Filtering = .none
  var cap: Int?
  var defaultPageSize: Int? = 5
  var total = false
  var search = false
  var announcesEnd = true
  var unlisted: [String] = []
  var batch: Int?
  var larger = false

  /// Every paging style with every claim about conditions.
  static let all = Capabilities.Paging.allCases.flatMap { paging in
    InMemoryResource.Filtering.allCases.map { Shape(paging: paging, filtering: $0) }
  }

  var testDescription: String { "paging \(paging), filtering \(filtering)" }

  /// Another shape with the same paging and filtering.
  func varied(_ random: inout SeededGenerator) -> Shape {
    var shape = self
    shape.cap = random.once(in: 3) ? random.number(1...6) : nil
    shape.defaultPageSize = random.pick([nil, 1, 5])
    shape.total = random.once(in: 2)
    shape.search = random.once(in: 2)
    shape.announcesEnd = random.once(in: 2)
    if random.once(in: 3) { shape.unlisted = ["body"] }
    if random.once(in: 2) { shape.batch = random.pick([1, 2]) }
    return shape
  }

  func memory(_ records: [Object]) -> InMemoryBackend {
    let capabilities = Capabilities(
      operations: Set(Capabilities.Operation.allCases), paging: paging, pageCap: cap, takesLargerPages: larger,
      defaultPageSize: defaultPageSize,
      hasTotal: total, unlistedFields: unlisted, hasSearch: search)
    return InMemoryBackend([
      InMemoryResource(
        "notes", records, capabilities: capabilities, filtering: filtering, announcesEnd: announcesEnd)
    ])
  }

  func client(of memory: InMemoryBackend, budget: ListBudget = ListBudget()) -> Client {
    var backend: any Backend = memory
    if let batch { backend = BatchedBackend(inner: backend, size: batch) }
    return Client(name: "memory", backend: backend, budget: budget)
  }

  /// A client of so many records, which have a number `n` from 0.
  func client(count: Int) -> Client {
    client(
      of: memory((0..<count).map { Object([("n", .int($0)), ("parity", .string($0 % 2 == 0 ? "even" : "odd"))]) }))
  }

  /// The records without what a list leaves out, where nobody asked for certain fields.
  func comparable(_ records: [Record], _ query: ListQuery) -> [Record] {
    guard query.fields == nil else { return records }
    return records.map { record in
      Record(id: record.id, fields: Object(record.fields.members.filter { !unlisted.contains($0.0) }))
    }
  }
}
