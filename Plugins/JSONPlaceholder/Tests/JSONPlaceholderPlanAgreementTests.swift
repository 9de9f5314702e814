import AdapterSupport
import BackendClient
import BackendKit
import Synchronization
import Testing

/// What the plan, the server and the console make of a query together is what the rules say of the whole list.
@Suite struct JSONPlaceholderPlanAgreementTests {
  private static let values: [Value] = [
    1, 2, 10, -1, 0, .number(Number("1.5") ?? Number(0)), "1", "1.0", "10", "true", "false", true, false, .null, "",
    "Milk", "milk", "MİLK", "\u{212A}ilo", "kilo", "飞机", "😀 a", "\u{FF01}", "É", "é", "a.b", "a+b", "[x", "100%",
    "O'Neill", [1], ["a": 1],
  ]
  private static let operands: [Operand] =
    values.map { .value($0) }
    + ["1", "1.0", "01", "10", "1e0", "true", "milk", "MILK", "k", "i", "", "飞", "😀", "É", "a.b", "[", "%", "null"]
    .map { .word($0) }
  private static let fields = ["userId", "title", "completed", "id", "nope", "title.x"].map { FieldPath($0) }

  private static func database(_ random: inout Random) -> String {
    var records: [Value] = []
    for id in 1...120 {
      var record = Object([("id", .int(id))])
      for field in ["userId", "title", "completed"] {
        if let value = Self.values.randomElement(using: &random), random.next() % 6 > 0 { record[field] = value }
      }
      records.append(.object(record))
    }
    return JSONWriter.compact(["todos": .array(records)])
  }

  private static func filter(_ random: inout Random, depth: Int = 0) -> Filter {
    let field = fields.randomElement(using: &random) ?? FieldPath("title")
    let some = (0..<2).compactMap { _ in operands.randomElement(using: &random) }
    switch random.next() % (depth < 2 ? 12 : 8) {
    case 0: return .among(field, some)
    case 1: return .isNull(field)
    case 2: return .isMissing(field)
    case 8: return .not(filter(&random, depth: depth + 1))
    case 9, 10: return .and((0..<2).map { _ in filter(&random, depth: depth + 1) })
    case 11: return .or((0..<2).map { _ in filter(&random, depth: depth + 1) })
    default: return .compare(field, Comparison.allCases.randomElement(using: &random) ?? .equal, some[0])
    }
  }

  @Test(arguments: 1...4) func `Generated queries agree with the reference evaluator`(seed: UInt64) async throws {
    var random = Random(seed)
    let server = try await PlaceholderServer.start(database: Self.database(&random))
    let backend = try server.backend()
    let all = try await backend.pages(ListQuery(PlaceholderServer.todos)).flatMap(\.records)
    #expect(all.count == 120)
    let client = Client(name: "test", backend: backend)
    var supersets = 0
    for _ in 0..<150 {
      var query = ListQuery(PlaceholderServer.todos)
      query.filters = (0..<(random.next() % 3)).map { _ in Self.filter(&random) }
      query.ignoreCase = random.next() % 3 == 0
      if random.next() % 3 == 0 { query.search = ["mil", "1", "k", "飞", "İ", "é", "Σ"].randomElement(using: &random) }
      if random.next() % 3 == 0 {
        query.sort = [
          SortKey(Self.fields.randomElement(using: &random) ?? FieldPath("id"), isDescending: random.next() % 2 == 0)
        ]
      }
      query.skip = Int(random.next() % 5)
      query.pageSize = random.next() % 2 == 0 ? 7 : nil
      supersets += try await backend.plan(query).filters.filter { $0 == .superset }.count
      let rows = Mutex<[Record]>([])
      _ = try await client.list(
        ListRequest(query),
        to: RecordSink { records in
          rows.withLock { $0 += records }
          return .more
        })
      let wanted = ReferenceEvaluator.evaluate(query, over: all)
      #expect(rows.withLock { $0.map(\.id) } == wanted.map(\.id), "\(query)")
    }
    // Else the server was never asked for anything and the test says nothing.
    #expect(supersets > 20)
  }
}

/// A generator that gives the same numbers for the same seed.
private struct Random: RandomNumberGenerator {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 }

  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return ((state ^ (state >> 33)) &* 0xFF51_AFD7_ED55_8CCD) >> 11
  }
}
