/// The way to a resource: its name, or for one that belongs to a record, `users/1/todos`.
public struct ResourcePath: Sendable, Hashable, CustomStringConvertible {
  /// The parts: names at the even places, identifiers of the records in between at the odd ones.
  public let parts: [String]

  /// The path with these parts, or nil where a part is empty or the last is no name.
  public init?(parts: [String]) {
    guard parts.count % 2 == 1, !parts.contains("") else { return nil }
    self.parts = parts
  }

  /// The path written with slashes, or nil where it has empty parts or an even number of them.
  public init?(_ text: String) {
    self.init(parts: text.split(separator: "/", omittingEmptySubsequences: false).map(String.init))
  }

  /// The resource with this name at the top level; the name is taken as it stands.
  public init(name: String) { parts = [name] }

  /// The name of the resource: the last part.
  public var name: String { parts[parts.count - 1] }

  /// The record that the resource belongs to, as resource name and identifier; nil at the top level.
  public var parent: (resource: String, id: RecordID)? {
    parts.count >= 3 ? (parts[parts.count - 3], RecordID(parts[parts.count - 2])) : nil
  }

  /// The parts joined by slashes.
  public var description: String { parts.joined(separator: "/") }
}

/// What a list is asked for. Everything that narrows it is optional; the plan says who does what.
public struct ListQuery: Sendable, Hashable {
  /// The resource to list.
  public var resource: ResourcePath
  /// Conditions, all of which must hold.
  public var filters: [Filter]
  /// The order, the most important key first; empty asks for the backend's own, stable order.
  public var sort: [SortKey]
  /// A text to be found in any text of the record, ignoring case; nil for no search.
  public var search: String?
  /// The fields wanted, in order; nil asks for what a list gives by itself.
  public var fields: [FieldPath]?
  /// How many records a page should have; nil leaves it to the backend. At least 1.
  public var pageSize: Int?
  /// How many records to leave out at the beginning of the whole list. At least 0.
  public var skip: Int
  /// A query in the server's own language, passed on as it is; the rules of this console do not apply to it.
  public var native: String?
  /// Whether sorting follows the server's own rules instead of this console's.
  public var serverOrder: Bool
  /// Whether text comparisons ignore case.
  public var ignoreCase: Bool
  /// What the server is to show within each record, by the names it has for that; empty for what it shows by itself.
  public var embedded: [String]

  /// A query for all records of a resource.
  public init(
    _ resource: ResourcePath, filters: [Filter] = [], sort: [SortKey] = [], search: String? = nil,
    fields: [FieldPath]? = nil, pageSize: Int? = nil, skip: Int = 0, native: String? = nil,
    serverOrder: Bool = false, ignoreCase: Bool = false, embedded: [String] = []
  ) {
    self.resource = resource
    self.filters = filters
    self.sort = sort
    self.search = search
    self.fields = fields
    self.pageSize = pageSize
    self.skip = skip
    self.native = native
    self.serverOrder = serverOrder
    self.ignoreCase = ignoreCase
    self.embedded = embedded
  }
}

extension ListQuery {
  /// Throws `unsupported` for a query in the server's own language, for adapters whose servers have none.
  public func refuseNative() throws(BackendError) {
    guard native == nil else {
      throw .unsupported("the server has no query language of its own", hint: "use predicates or --where")
    }
  }
}

/// One key of an order.
public struct SortKey: Sendable, Hashable, CustomStringConvertible {
  /// The field to sort by.
  public var path: FieldPath
  /// Whether the order is reversed.
  public var isDescending: Bool

  /// A key.
  public init(_ path: FieldPath, isDescending: Bool = false) {
    self.path = path
    self.isDescending = isDescending
  }

  /// The key as it is typed: `title` or `-title`.
  public var description: String { (isDescending ? "-" : "") + path.text }
}
