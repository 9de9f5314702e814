import BackendKit

/// What this adapter says of its one resource.
struct KituraResources: Sendable {
  /// What identifies a record. The server takes `+1` and `01` too: one record would have many names.
  static let identifier = IdentifierRule(field: "id", form: .integer)

  let options: KituraOptions

  /// The description.
  func description() -> BackendDescription {
    BackendDescription(
      product: "Kitura",
      resources: [resource])
  }

  /// Throws `notFound` for any path but that of the one resource.
  func check(_ path: ResourcePath) throws(BackendError) { try resource.check(path) }

  private var resource: ResourceDescription {
    ResourceDescription(
      name: options.resource, identifier: Self.identifier, fields: fields, capabilities: capabilities)
  }

  private var fields: [FieldDescription] {
    [
      FieldDescription("id", .integer, isReadOnly: true, note: "counted by the server from 0, anew at each start"),
      FieldDescription("title", .text),
      FieldDescription("user", .text),
      FieldDescription("order", .integer, note: "stored, but the server never sorts by it"),
      FieldDescription("completed", .boolean, note: "false in a new record unless given"),
      FieldDescription("url", .text, isReadOnly: true, note: "often names another host; never followed"),
    ]
  }

  private var capabilities: Capabilities {
    Capabilities(
      operations: [.list, .get, .create, .update, .delete, .deleteAll], paging: .none, stability: .shifting,
      hasTotal: true, update: .partial, canClear: options.hasPut, writes: .kept)
  }
}
