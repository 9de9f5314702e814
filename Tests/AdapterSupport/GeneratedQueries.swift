import BackendClient
public import BackendKit

/// Random numbers that are the same for the same seed.
public struct SeededNumbers: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// Numbers that follow from a seed.
  public init(_ seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 }

  /// The next number.
  public mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return ((state ^ (state >> 33)) &* 0xFF51_AFD7_ED55_8CCD) >> 11
  }
}

/// Random queries, each answered by a backend with the console's part and by the reference evaluator over the whole list.
public struct GeneratedQueries: Sendable {
  /// The numbers that everything follows from.
  public var random: SeededNumbers
  /// The fields that conditions and orders name.
  public var fields: [FieldPath]
  /// The operands of conditions.
  public var operands: [Operand]
  /// Operands that fit a field: half of its conditions have one.
  public var fitting: [String: [Operand]] = [:]
  /// The texts of searches; without any, queries have neither a search nor an order.
  public var searches: [String] = []

  /// Queries that follow from the numbers.
  public init(_ random: SeededNumbers, fields: [String], operands: [Operand]) {
    (self.random, self.operands) = (random, operands)
    self.fields = fields.map { FieldPath($0) }
  }

  /// Answers so many queries both ways; returns those with different records, and how many conditions the server was asked for.
  public mutating func disagreements(
    of backend: any Backend, on resource: ResourcePath, queries: Int = 150
  ) async throws -> (queries: [ListQuery], sent: Int) {
    let all = try await backend.pages(ListQuery(resource)).flatMap(\.records)
    let client = Client(name: "test", backend: backend)
    var (different, sent): ([ListQuery], Int) = ([], 0)
    for _ in 0..<queries {
      let query = query(resource)
      sent += try await backend.plan(query).filters.filter { $0 == .superset }.count
      let page = BufferedPage()
      _ = try await client.list(ListRequest(query), to: page.sink)
      let wanted = ReferenceEvaluator.evaluate(query, over: all)
      if await page.records.map(\.id) != wanted.map(\.id) { different.append(query) }
    }
    return (different, sent)
  }

  private mutating func query(_ resource: ResourcePath) -> ListQuery {
    var query = ListQuery(resource, pageSize: random.next() % 2 == 0 ? 7 : nil, skip: Int(random.next() % 5))
    query.filters = (0..<(random.next() % 3)).map { _ in filter() }
    query.ignoreCase = random.next() % 3 == 0
    if random.next() % 3 == 0 { query.search = searches.randomElement(using: &random) }
    if random.next() % 3 == 0, !searches.isEmpty, let field = fields.randomElement(using: &random) {
      query.sort = [SortKey(field, isDescending: random.next() % 2 == 0)]
    }
    return query
  }

  private mutating func filter(depth: Int = 0) -> Filter {
    let field = fields.randomElement(using: &random) ?? FieldPath("id")
    let some = (0..<2).map { _ in
      (random.next() % 2 == 0 ? fitting[field.text] : nil)?.randomElement(using: &random)
        ?? operands.randomElement(using: &random) ?? .word("x")
    }
    switch random.next() % (depth < 2 ? 12 : 8) {
    case 0: return .among(field, some)
    case 1: return .isNull(field)
    case 2: return .isMissing(field)
    case 8: return .not(filter(depth: depth + 1))
    case 9, 10: return .and((0..<2).map { _ in filter(depth: depth + 1) })
    case 11: return .or((0..<2).map { _ in filter(depth: depth + 1) })
    default: return .compare(field, Comparison.allCases.randomElement(using: &random) ?? .equal, some[0])
    }
  }
}
