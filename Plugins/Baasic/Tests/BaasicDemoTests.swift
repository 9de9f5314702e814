import AdapterSupport
import BackendClient
public import BackendKit
import DemoServerSupport
import Foundation
import Synchronization
import Testing

/// The adapter in front of the demo server, under each of the documented behaviors.
@Suite struct BaasicDemoTests {
  private let todo = WrittenServer.todo

  private func start(_ arguments: [String] = ["--seed", "30"]) async throws -> RecordedExchange {
    try RecordedExchange(try await DemoProcess.start(["--memory"] + arguments), "baasic/v1/demo")
  }

  private func backend(_ exchange: RecordedExchange, _ options: [(String, Value)] = []) throws -> any Backend {
    try PluginLibrary("baasic").backend(exchange, options: options)
  }

  @Test(arguments: ["", "baasic.empty=nocontent", "baasic.maxrpp=4", "baasic.hal=toplevel"])
  func `A list gives each record once`(switches: String) async throws {
    let exchange = try await start()
    exchange.set(switches)
    let pages = try await backend(exchange).pages(ListQuery(todo, pageSize: 7))
    #expect(Set(pages.flatMap(\.records).map(\.id)).count == 30)
    #expect(pages.flatMap(\.records).count == 30 && pages.allSatisfy { $0.end.total == 30 })
    let all = pages.flatMap(\.records).map(\.id)
    for skip in [1, 5, 8, 29, 30, 31] {
      let rest = try await backend(exchange).pages(ListQuery(todo, pageSize: 7, skip: skip))
      #expect(rest.flatMap(\.records).map(\.id) == Array(all.dropFirst(skip)), "skip \(skip)")
    }
  }

  @Test(arguments: ["", "baasic.insert=201,baasic.patch=200", "baasic.stamps=yes"])
  func `A record is made, read, changed, cleared and deleted`(switches: String) async throws {
    let exchange = try await start()
    exchange.set(switches)
    for update in ["patch", "put"] {
      let backend = try backend(exchange, [("update", .string(update))])
      let made = try await backend.create(["title": "飞机's ✈️", "description": .null], in: todo)
      let id = try #require(made.id)
      _ = try await backend.update(id, in: todo, changes: [.set("isComplete", true)], revision: nil)
      var record = try await backend.get(id, from: todo)
      #expect(record.fields["title"] == "飞机's ✈️" && record.fields["isComplete"] == true)
      #expect(record.state(of: FieldPath("description")) == .value(.null))
      _ = try await backend.update(id, in: todo, changes: [.unset("description")], revision: nil)
      record = try await backend.get(id, from: todo)
      #expect(record.state(of: FieldPath("description")) == .absent)
      #expect(record.fields["isComplete"] == true)
      #expect((record.fields["dateCreated"] != nil) == (switches == "baasic.stamps=yes"))
      _ = try await backend.delete(.one(id), from: todo)
      for call in 0..<3 {
        let error = await failure { () throws(BackendError) in
          switch call {
          case 0: _ = try await backend.get(id, from: todo)
          case 1: _ = try await backend.update(id, in: todo, changes: [.set("title", "x")], revision: nil)
          default: _ = try await backend.delete(.one(id), from: todo)
          }
        }
        #expect(error?.code == .notFound, "\(update) \(call)")
      }
    }
  }

  @Test(arguments: [
    ("baasic.conflict=yes", BackendError.Code.alreadyExists), ("baasic.failure=yes", .badResponse),
    ("baasic.anonymous=401", .unauthorized), ("baasic.anonymous=403", .forbidden), ("fault=badgateway", .unavailable),
  ])
  func `A failure is what its status says, whatever body comes with it`(
    switches: String, code: BackendError.Code
  ) async throws {
    let exchange = try await start()
    let backend = try backend(exchange)
    for body in ["json", "textstatus", "empty", "html"] {
      exchange.set("\(switches),baasic.errors=\(body)")
      let error = await failure { () throws(BackendError) in _ = try await backend.create(["title": "x"], in: todo) }
      #expect(error?.code == code, "\(switches) \(body): \(String(describing: error))")
      #expect(error?.message.contains("<") == false)
    }
  }

  @Test func `What breaks an enforced schema is refused with the server's words`() async throws {
    let backend = try backend(try await start())
    let error = await failure { () throws(BackendError) in
      _ = try await backend.create(["title": "x", "isComplete": "yes"], in: todo)
    }
    #expect(error?.code == .invalid && error?.message.contains("isComplete") == true)
  }

  @Test func `A schema is made, its records kept, and both deleted`() async throws {
    let backend = try backend(try await start())
    let schema: Value = ["type": "object", "properties": ["a": ["type": "number"]]]
    _ = try await backend.create(["name": "thing", "schema": schema], in: WrittenServer.schemas)
    let again = await failure { () throws(BackendError) in
      _ = try await backend.create(["name": "thing", "schema": schema], in: WrittenServer.schemas)
    }
    #expect(again?.code == .alreadyExists)
    let live = try await backend.describe(.live)
    #expect(live.resource(named: "thing")?.field(named: "a")?.kind == .number)
    let id = try #require(try await backend.create(["a": 1], in: ResourcePath(name: "thing")).id)
    #expect(try await backend.get(id, from: ResourcePath(name: "thing")).fields["a"] == 1)
    _ = try await backend.delete(.one("thing"), from: WrittenServer.schemas)
    let gone = await failure { () throws(BackendError) in
      _ = try await backend.page(ListQuery(ResourcePath(name: "thing")))
    }
    #expect(gone?.code == .notFound)
  }

  @Test func `Fields that are not asked for are not loaded`() async throws {
    let backend = try backend(try await start())
    _ = try await backend.describe(.live)
    let record = try #require(
      try await backend.page(ListQuery(todo, fields: [FieldPath("title")], pageSize: 1)).records.first)
    #expect(record.id != nil && Set(record.fields.names) == ["id", "title"])
    #expect(record.unloaded == ["isComplete", "description", "scheduledDate"])
  }

  @Test(arguments: [true, false], 1...2)
  func `Generated queries agree with the reference evaluator`(isEnforced: Bool, seed: UInt64) async throws {
    var random = Random(seed)
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).json")
    try Data(Samples.database(isEnforced, &random).utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let backend = try backend(try await start(["--import", file.path]))
    let resource = ResourcePath(name: "sample")
    _ = try await backend.describe(.live)
    let all = try await backend.pages(ListQuery(resource)).flatMap(\.records)
    #expect(all.count == 120)
    let client = Client(name: "test", backend: backend)
    var supersets = 0
    for _ in 0..<150 {
      var query = ListQuery(resource, pageSize: random.next() % 2 == 0 ? 9 : nil, skip: Int(random.next() % 4))
      query.filters = (0..<(random.next() % 3)).map { _ in Samples.filter(&random) }
      query.ignoreCase = random.next() % 4 == 0
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
    #expect(supersets > 15)
  }
}

/// Records and conditions that are hard to agree on.
private enum Samples {
  static let texts: [Value] = [
    "Milk", "milk", "a'b", "50%", "a_b", "a[b]", "5", "true", "", "飞机", "😀", "É", "2017-10-03", "--", "\\", "a\"b",
    "WHERE",
  ]
  static let others: [Value] = [1, 5, -5, 2.5, true, false, .null, [1], ["a": 1]]
  static let fields = ["text", "number", "flag", "nope", "id"].map { FieldPath($0) }

  static func database(_ isEnforced: Bool, _ random: inout Random) -> String {
    var records: [Value] = []
    for _ in 0..<120 {
      var record = Object()
      let mixed = texts + others
      if random.next() % 5 > 0 { record["text"] = (isEnforced ? texts : mixed).randomElement(using: &random) }
      if random.next() % 5 > 0 {
        record["number"] = (isEnforced ? [1, 5, -5, 2.5] : mixed).randomElement(using: &random)
      }
      if random.next() % 5 > 0 { record["flag"] = (isEnforced ? [true, false] : mixed).randomElement(using: &random) }
      records.append(.object(record))
    }
    let properties: Value = ["text": ["type": "string"], "number": ["type": "number"], "flag": ["type": "boolean"]]
    let schema: Value = [
      "name": "sample", "enforceSchemaValidation": .bool(isEnforced),
      "schema": ["type": "object", "properties": properties],
    ]
    return JSONWriter.compact(["baasic": ["schemas": [schema], "resources": ["sample": .array(records)]]])
  }

  static func filter(_ random: inout Random, depth: Int = 0) -> Filter {
    let field = fields.randomElement(using: &random) ?? FieldPath("text")
    let operands = (texts + others).map { Operand.value($0) } + ["5", "true", "milk", "x", "-5"].map { .word($0) }
    // Half of the operands are of the kind that the schema gives the field.
    let fitting: [String: [Operand]] = [
      "text": texts.map { .value($0) } + [.word("milk"), .word("i")], "number": [1, 5, -5].map { .value(.int($0)) },
      "flag": [.value(true), .value(false)],
    ]
    let some = (0..<2).map { _ in
      (random.next() % 2 == 0 ? fitting[field.text] : nil)?.randomElement(using: &random)
        ?? operands.randomElement(using: &random) ?? .word("x")
    }
    switch random.next() % (depth < 2 ? 11 : 7) {
    case 0: return .among(field, some)
    case 1: return .isNull(field)
    case 7: return .not(filter(&random, depth: depth + 1))
    case 8: return .and((0..<2).map { _ in filter(&random, depth: depth + 1) })
    case 9, 10: return .or((0..<2).map { _ in filter(&random, depth: depth + 1) })
    default: return .compare(field, Comparison.allCases.randomElement(using: &random) ?? .equal, some[0])
    }
  }
}

extension Value: @retroactive ExpressibleByFloatLiteral {
  /// A number with a fraction.
  public init(floatLiteral value: Double) { self = Number("\(value)").map { .number($0) } ?? .null }
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
