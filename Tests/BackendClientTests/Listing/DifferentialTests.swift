import BackendClient
import BackendConformance
import BackendKit
import TestSupport
import Testing

@Suite("A client's answer is the reference evaluator's") struct DifferentialTests {
  private struct Case {
    var seed: Int
    var random: SeededGenerator
    var shape: Shape
    var memory: InMemoryBackend
    var client: Client
    var query: ListQuery

    init(_ shape: Shape, seed: Int) {
      self.seed = seed
      random = SeededGenerator(seed: seed)
      self.shape = shape.varied(&random)
      memory = self.shape.memory(random.records(random.pick([0, 1, 5, 20, 40])))
      client = self.shape.client(of: memory)
      query = random.query()
    }

    func wanted(skip: Int? = nil) -> [Record] {
      var query = query
      query.skip = skip ?? query.skip
      return shape.comparable(ReferenceEvaluator.evaluate(query, over: memory.records(of: "notes")), query)
    }

    func describe(_ what: String) -> Comment { "\(what), seed \(seed): \(shape) \(query)" }
  }

  @Test("as a whole and to a limit", arguments: Shape.all)
  func answers(_ shape: Shape) async throws {
    for seed in 0..<60 {
      var test = Case(shape, seed: seed)
      let wanted = test.wanted()
      let size = test.wanted(skip: 0).count
      for limit in [nil, test.random.number(0...8), wanted.count] {
        let got = try await test.client.gather(ListRequest(test.query, limit: limit))
        let comment = test.describe("limit \(limit ?? -1)")
        let rows = test.shape.comparable(got.records, test.query)
        #expect(rows == Array(wanted.prefix(limit ?? .max)), comment)
        #expect(got.summary.count == rows.count, comment)
        #expect(got.summary.first == test.query.skip + 1, comment)
        #expect(!got.summary.isCut, comment)
        if let total = got.summary.total { #expect(total == size, comment) }
        if limit == nil {
          #expect(got.summary.next == nil, comment)
          if test.query.skip == 0 { #expect(got.summary.total == size, comment) }
        }
        if got.summary.next == nil { #expect(rows.count == wanted.count, comment) }
      }
    }
  }

  @Test("page after page, each record once, also with another limit for each page", arguments: Shape.all)
  func walks(_ shape: Shape) async throws {
    for seed in 1_000..<1_040 {
      var test = Case(shape, seed: seed)
      let wanted = test.wanted()
      let limits = [test.random.number(1...7), test.random.number(1...7), test.random.number(1...7)]
      for limits in [limits, [limits[0]]] {
        let pages = try await test.client.walk(test.query, limits: limits)
        let comment = test.describe("limits \(limits)")
        #expect(test.shape.comparable(pages.flatMap(\.records), test.query) == wanted, comment)
        var first = test.query.skip + 1
        for page in pages {
          #expect(page.summary.first == first, comment)
          first += page.summary.count
          if let total = page.summary.total { #expect(total == test.wanted(skip: 0).count, comment) }
        }
      }
    }
  }

  @Test("from a numbered place on", arguments: Shape.all)
  func numbered(_ shape: Shape) async throws {
    for seed in 2_000..<2_040 {
      var test = Case(shape, seed: seed)
      test.query.skip = 0
      let limit = test.random.number(1...7)
      let row = limit * test.random.number(0...4)
      let wanted = test.wanted()
      let start = try await test.client.position(row, of: test.query)
      let got = try await test.client.gather(ListRequest(test.query, limit: limit, start: start))
      let comment = test.describe("\(limit) from \(row)")
      #expect(
        test.shape.comparable(got.records, test.query) == Array(wanted.dropFirst(row).prefix(limit)), comment)
      #expect(got.summary.first == row + 1, comment)
      if let total = got.summary.total { #expect(total == wanted.count, comment) }
      if got.summary.next == nil { #expect(row + got.records.count >= wanted.count, comment) }
    }
  }
}
