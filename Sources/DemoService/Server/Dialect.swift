/// One kind of server that this one can be, under a base path of its own. Values of the type are shared by all
/// requests at once; whatever lasts is in the store.
protocol Dialect: Sendable {
  /// The first segment of the path, and the name of its data: lower-case letters.
  var name: String { get }
  /// Its switches; their names begin with `name` and a dot.
  var switches: [Switch] { get }

  /// Fills the empty store with its own records: the given number in each main collection, or the usual ones for nil.
  /// The same arguments give the same records.
  func seed(_ store: DialectStore, count: Int?, settings: Settings) throws

  /// Fills the empty store from data given by the operator. Throws ``ImportError`` where they do not fit.
  func load(_ data: DemoJSON, into store: DialectStore, settings: Settings) throws

  /// Answers one request.
  func respond(to request: DemoRequest, store: DemoStore) async throws -> DemoResponse
}

/// The reason why data given by the operator cannot be imported, in one sentence.
struct ImportError: Error, Sendable, CustomStringConvertible {
  var description: String
}
