extension DemoStore {
  /// The counter that marks a filled store, so that deleted data are not seeded again.
  private static let mark = "_filled"

  /// Seeds each dialect that has no data yet, or every one with `reset`. True if there was nothing to do.
  @discardableResult
  func seed(_ dialects: [any Dialect], count: Int?, settings: Settings, reset: Bool) throws -> Bool {
    var isKept = true
    for dialect in dialects {
      try write(dialect.name) { store in
        if try !reset && store.counter(Self.mark) > 0 { return }
        isKept = false
        try store.clear()
        try dialect.seed(store, count: count, settings: settings)
        try store.setCounter(Self.mark, to: 1)
      }
    }
    return isKept
  }

  /// Replaces data by the content of a file: an object of dialect names, or a json-server database.
  func load(_ data: DemoJSON, dialects: [any Dialect], settings: Settings) throws {
    guard let members = data.members else {
      throw ImportError(description: "the top level is not an object")
    }
    let names = dialects.map(\.name)
    let isByDialect = !members.isEmpty && members.allSatisfy { names.contains($0.key) }
    let parts = isByDialect ? members : [DemoJSON.Member(key: "jsonplaceholder", value: data)]
    for part in parts {
      guard let dialect = dialects.first(where: { $0.name == part.key }) else {
        throw ImportError(
          description: "its top-level keys are not dialects; those are: \(names.joined(separator: ", "))")
      }
      try write(dialect.name) { store in
        try store.clear()
        try dialect.load(part.value, into: store, settings: settings)
        try store.setCounter(Self.mark, to: 1)
      }
    }
  }
}
