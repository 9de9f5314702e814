/// The path of a resource: its name, or `users/1/todos` for one that belongs to a record.
public struct ResourcePath: Sendable, Hashable, CustomStringConvertible {
  /// The parts: names at even indices, identifiers of the records in between at odd ones.
  public let parts: [String]

  /// The path with these parts, or nil if a part is empty or the last is not a name.
  public init?(parts: some Collection<String>) {
    guard parts.count % 2 == 1, !parts.contains("") else { return nil }
    self.parts = Array(parts)
  }

  /// The path in a text as ``description`` writes it, or nil if it has empty parts or an even number of them.
  public init?(_ text: String) {
    let segments = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    self.init(parts: segments.enumerated().map { $0.isMultiple(of: 2) ? $1 : Self.decoded($1) })
  }

  /// The resource with this name at the top level; the name is not parsed.
  public init(name: String) { parts = [name] }

  /// The name of the resource: the last part.
  public var name: String { parts[parts.count - 1] }

  /// The record that the resource belongs to, as resource name and identifier; nil at the top level.
  public var parent: (resource: String, id: RecordID)? {
    parts.count >= 3 ? (parts[parts.count - 3], RecordID(parts[parts.count - 2])) : nil
  }

  /// The record that the resource belongs to; nil at the top level.
  public var owner: (path: ResourcePath, id: RecordID)? {
    ResourcePath(parts: parts.dropLast(2)).map { ($0, RecordID(parts[parts.count - 2])) }
  }

  /// Returns whether both paths have the same parts, byte for byte.
  public static func == (left: ResourcePath, right: ResourcePath) -> Bool {
    left.parts.elementsEqual(right.parts) { $0.hasSameBytes(as: $1) }
  }

  /// Hashes the bytes.
  public func hash(into hasher: inout Hasher) { for part in parts { hasher.combine(ExactText(part)) } }

  /// The parts joined by slashes; those of identifiers are encoded.
  public var description: String {
    parts.enumerated().map { $0.isMultiple(of: 2) ? $1 : Self.encoded($1) }.joined(separator: "/")
  }

  /// An identifier as it is written between slashes: with `%25` and `%2F` for percent signs and slashes.
  public static func encoded(_ id: String) -> String {
    guard id.utf8.contains(where: { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "/") }) else { return id }
    return id.replacing(text: "%", with: "%25").replacing(text: "/", with: "%2F")
  }

  /// An identifier that is written between slashes. Only `%25` and `%2F` are decoded.
  public static func decoded(_ segment: String) -> String {
    guard segment.utf8.contains(UInt8(ascii: "%")) else { return segment }
    return ["%2F", "%2f"].reduce(segment) { $0.replacing(text: $1, with: "/") }.replacing(text: "%25", with: "%")
  }
}

/// A query for the records of a resource. The plan divides its work between server and console.
public struct ListQuery: Sendable, Hashable {
  /// The resource to list.
  public var resource: ResourcePath
  /// Conditions, all of which must hold.
  public var filters: [Filter]
  /// The order, most important key first; empty for the backend's own, stable order.
  public var sort: [SortKey]
  /// A text to search for in all texts of the record, ignoring case.
  public var search: String?
  /// The requested fields, in order; nil for those that a list includes by default.
  public var fields: [FieldPath]?
  /// The number of records per page, at least 1; nil leaves it to the backend.
  public var pageSize: Int?
  /// The number of records to skip at the beginning of the whole list, at least 0.
  public var skip: Int
  /// A query in the server's own language, passed on unchanged; the console's rules do not apply to it.
  public var native: String?
  /// Parameters that the server alone interprets, by name; a backend that cannot send them throws `unsupported`.
  public var parameters: [String: String]
  /// True to sort by the server's own rules instead of this console's.
  public var serverOrder: Bool
  /// True to ignore case in text comparisons.
  public var ignoreCase: Bool
  /// The related data that the server should embed in each record, by the server's names; empty for its default.
  public var embedded: [String]

  /// A query for all records of a resource.
  public init(
    _ resource: ResourcePath, filters: [Filter] = [], sort: [SortKey] = [], search: String? = nil,
    fields: [FieldPath]? = nil, pageSize: Int? = nil, skip: Int = 0, native: String? = nil,
    parameters: [String: String] = [:], serverOrder: Bool = false, ignoreCase: Bool = false, embedded: [String] = []
  ) {
    self.resource = resource
    self.filters = filters
    self.sort = sort
    self.search = search
    self.fields = fields
    self.pageSize = pageSize
    self.skip = skip
    self.native = native
    self.parameters = parameters
    self.serverOrder = serverOrder
    self.ignoreCase = ignoreCase
    self.embedded = embedded
  }
}

extension ListQuery {
  /// True if the server's own rules decide which records and fields the list has.
  package var hasServerTerms: Bool { native != nil || !parameters.isEmpty }

  /// Throws `unsupported` for a native query, for adapters whose servers have no query language.
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
  /// True if the order is reversed.
  public var isDescending: Bool
  /// True if texts that are moments are compared as such, before all others. The client sets it for date fields.
  public var comparesMoments = false

  /// A key.
  public init(_ path: FieldPath, isDescending: Bool = false) {
    self.path = path
    self.isDescending = isDescending
  }

  /// The key as typed: `title` or `-title`.
  public var description: String { (isDescending ? "-" : "") + path.text }
}
