import BackendKit

extension Law {
  static let values: [Law] = [valuesOnly]

  private static let valuesOnly = Law(
    "values only", .values, "every argument and result survives being written as JSON text and read back."
  ) { bench throws(Halt) in
    let carried = CarriedBackend(bench.backend)
    for query in bench.sampleQueries() {
      let plan = try await bench.plan(query)
      try bench.require(
        try await bench.plan(query, of: carried) == plan, "\(bench.words(query)) was planned by way of JSON text",
        expected: "the same plan", found: "another")
    }
    guard bench.operations.contains(.list) else { return .run }
    let page = try await bench.page(bench.query())
    let same = try await bench.page(bench.query(), of: carried)
    try bench.require(
      page.records == same.records && page.end == same.end, "a page was listed by way of JSON text",
      expected: "the same page", found: "another")
    return .run
  }
}
