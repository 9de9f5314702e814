import BackendKit

/// A collection as far as it is known before asking.
struct SiteCollection: Sendable {
  /// The name, which is also its path.
  let name: String
  /// The fields, in the order of the records; empty where nothing is known.
  let fields: [FieldDescription]
  /// Fields of nested objects that filters may name.
  var nested: [String] = []
  /// Fields that hold the identifier of a record of another collection.
  var owners: [(field: String, collection: String)] = []

  init(_ name: String, _ fields: [FieldDescription]) {
    self.name = name
    self.fields = fields
  }

  private init(_ name: String, owner: String? = nil, in collection: String = "", _ texts: FieldDescription...) {
    let id = FieldDescription(
      "id", .any, isReadOnly: true, note: "a number on the site, a number or text elsewhere")
    let named = owner.map {
      FieldDescription(
        $0, .integer, reference: RecordReference(to: collection), note: "a reference to a missing record is refused")
    }
    self.init(name, (named.map { [$0] } ?? []) + [id] + texts)
    owners = owner.map { [($0, collection)] } ?? []
  }

  private static func text(_ name: String) -> FieldDescription { FieldDescription(name, .text) }

  private static var users: SiteCollection {
    var users = SiteCollection(
      "users", text("name"), text("username"), text("email"), FieldDescription("address", .object), text("phone"),
      text("website"), FieldDescription("company", .object))
    users.nested = [
      "address.street", "address.suite", "address.city", "address.zipcode", "address.geo.lat", "address.geo.lng",
      "company.name", "company.catchPhrase", "company.bs",
    ]
    return users
  }

  /// The names of the records that the server shows within those of the collection: their owner, in the singular, and what they own;
  /// empty where nothing is known of them.
  var embedded: [String] {
    let owned = Self.all.filter { $0.owners.contains { $0.collection == name } }.map(\.name)
    return owners.map { String($0.field.dropLast("Id".count)) } + owned
  }

  /// The six collections of the site.
  static let all = [
    SiteCollection(
      "todos", owner: "userId", in: "users", text("title"),
      FieldDescription("completed", .boolean, holdsNumbers: true)),
    SiteCollection("posts", owner: "userId", in: "users", text("title"), text("body")),
    SiteCollection("comments", owner: "postId", in: "posts", text("name"), text("email"), text("body")),
    SiteCollection("albums", owner: "userId", in: "users", text("title")),
    SiteCollection("photos", owner: "albumId", in: "albums", text("title"), text("url"), text("thumbnailUrl")),
    users,
  ]
}
