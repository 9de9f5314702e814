import BackendKit

/// A collection of the server as far as it is known before asking.
struct ServerCollection: Sendable {
  /// The name, which is also its path.
  var name: String
  /// The fields; empty where nothing is known.
  var fields: [FieldDescription] = []
  /// Fields of nested objects that filters may name.
  var nested: [String] = []
  /// Fields that hold the identifier of a record of another collection.
  var owners: [(field: String, collection: String)] = []
  /// Collections whose records name one of this as their owner.
  var children: [String] = []
  /// The field by which those name it.
  var ownerField: String?

  /// Whether the server is known to have the field: a filter on any other would be dropped, and everything answered.
  func knows(_ path: FieldPath) -> Bool {
    fields.contains { $0.name == path.text } || nested.contains(path.text)
  }
}

/// A resource found: the collection, and the record it is narrowed to, if any.
struct Place: Sendable {
  var collection: ServerCollection
  /// The owner's collection and identifier, and the field that names it.
  var owner: (collection: String, id: RecordID, field: String)?
}

/// The collections there are.
struct JSONPlaceholderResources: Sendable {
  let options: JSONPlaceholderOptions
  let collections: [ServerCollection]

  init(_ options: JSONPlaceholderOptions) {
    self.options = options
    let names = ServerCollection.site.map(\.name)
    collections =
      ServerCollection.site + options.collections.filter { !names.contains($0) }.map { ServerCollection(name: $0) }
  }

  /// The collection that a path leads to; throws where there can be none.
  func place(_ path: ResourcePath) throws(BackendError) -> Place {
    guard let collection = collections.first(where: { $0.name == path.name }) else {
      throw BackendError(
        .notFound, "there is no collection \"\(path.name)\"", effect: .notSent,
        hint: "name further collections in the option collections")
    }
    guard path.parts.count > 1 else { return Place(collection: collection) }
    guard path.parts.count == 3, let (parent, id) = path.parent,
      let owner = collections.first(where: { $0.name == parent }), let field = owner.ownerField,
      owner.children.contains(collection.name)
    else {
      throw .unsupported("there is no collection \"\(path)\"", hint: "owners are users, posts and albums")
    }
    guard options.version == .zero else {
      throw .unsupported("json-server 1 has no nested collections", hint: "list \(collection.name) \(field)=\(id)")
    }
    return Place(collection: collection, owner: (parent, id, field))
  }

  /// What goes with a record of a collection: json-server 0.17 deletes what names a record that is not there any more.
  func dependents(of collection: ServerCollection) -> [Dependents] {
    guard options.version == .zero, let field = collection.ownerField else { return [] }
    return collection.children.map { Dependents(of: $0, naming: field) }
  }

  /// The description of a collection as far as it is known without asking.
  func description(of collection: ServerCollection, writes: Capabilities.Writes) -> ResourceDescription {
    // Identifiers are numbers on the site, but any text on a json-server of one's own.
    return ResourceDescription(
      name: collection.name, identifier: IdentifierRule(form: .text), fields: collection.fields,
      source: collection.fields.isEmpty ? .unknown : .adapter, isOpen: true,
      capabilities: Capabilities(
        operations: [.list, .get, .create, .update, .delete],
        paging: options.version == .zero ? .offset : .pageNumber, defaultPageSize: options.standardPageSize,
        hasTotal: true, update: .partial, canClear: true, writes: writes, hasSearch: options.version == .zero),
      children: options.version == .zero ? collection.children : [],
      dependents: writes == .echoed ? [] : dependents(of: collection))
  }
}

extension ServerCollection {
  private static let id = FieldDescription(
    "id", .any, isReadOnly: true, note: "a number on the site, a number or a text elsewhere")

  private static func owner(_ field: String, _ collection: String) -> FieldDescription {
    FieldDescription(field, .integer, note: "names a record of \(collection); one that is not there is refused")
  }

  /// The six collections of the site, fields in the order of its records.
  static let site: [ServerCollection] = [
    ServerCollection(
      name: "todos",
      fields: [
        owner("userId", "users"), id, FieldDescription("title", .text),
        FieldDescription("completed", .boolean, holdsNumbers: true),
      ],
      owners: [("userId", "users")]),
    ServerCollection(
      name: "posts",
      fields: [owner("userId", "users"), id, FieldDescription("title", .text), FieldDescription("body", .text)],
      owners: [("userId", "users")], children: ["comments"], ownerField: "postId"),
    ServerCollection(
      name: "comments",
      fields: [
        owner("postId", "posts"), id, FieldDescription("name", .text), FieldDescription("email", .text),
        FieldDescription("body", .text),
      ],
      owners: [("postId", "posts")]),
    ServerCollection(
      name: "albums", fields: [owner("userId", "users"), id, FieldDescription("title", .text)],
      owners: [("userId", "users")], children: ["photos"], ownerField: "albumId"),
    ServerCollection(
      name: "photos",
      fields: [
        owner("albumId", "albums"), id, FieldDescription("title", .text), FieldDescription("url", .text),
        FieldDescription("thumbnailUrl", .text),
      ],
      owners: [("albumId", "albums")]),
    ServerCollection(
      name: "users",
      fields: [
        id, FieldDescription("name", .text), FieldDescription("username", .text), FieldDescription("email", .text),
        FieldDescription("address", .object), FieldDescription("phone", .text), FieldDescription("website", .text),
        FieldDescription("company", .object),
      ],
      nested: [
        "address.street", "address.suite", "address.city", "address.zipcode", "address.geo.lat", "address.geo.lng",
        "company.name", "company.catchPhrase", "company.bs",
      ],
      children: ["posts", "albums", "todos"], ownerField: "userId"),
  ]
}
