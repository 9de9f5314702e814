/// One kind of server under its own base path. Values of the type are shared by all concurrent requests; all state is
/// in the store.
protocol Dialect: Sendable {
  /// The first segment of the path, and the name of its data: lowercase letters.
  var name: String { get }
  /// Its switches; their names begin with `name` and a dot.
  var switches: [Switch] { get }

  /// Seeds the empty store: the given number of records in each main collection, or the default for nil. The same
  /// arguments give the same records.
  func seed(_ store: DialectStore, count: Int?, settings: Settings) throws

  /// Fills the empty store from given data. Throws ``ImportError`` if they do not fit.
  func load(_ data: DemoJSON, into store: DialectStore, settings: Settings) throws

  func respond(to request: DemoRequest, store: DemoStore) async throws -> DemoResponse
}

/// The reason why given data cannot be imported, in one sentence.
struct ImportError: Error, Sendable, CustomStringConvertible {
  var description: String
}
