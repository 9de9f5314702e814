import BackendKit

/// What this adapter says of its one resource.
struct GrailsResources: Sendable {
  /// What identifies a record: the server counts in 64 bits.
  static let identifier = IdentifierRule(field: "id", form: .integer)
  /// The longest title, in UTF-16 code units.
  static let titleLimit = 255
  /// The most records that one answer holds, whatever is asked for.
  static let pageCap = 100
  /// How many records one answer holds where nobody asks.
  static let standardPageSize = 10

  let options: GrailsOptions

  /// The description, with the product as far as it is known.
  func description(product: String = "Grails") -> BackendDescription {
    BackendDescription(
      product: product, apiVersion: options.apiVersion,
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
      FieldDescription("id", .integer, isReadOnly: true, note: "counted by the server"),
      FieldDescription(
        "title", .text, isRequired: true, maximumLength: Self.titleLimit,
        note: "white space around it is not stored"),
      FieldDescription(
        "body", .html, note: options.listsBodies ? "blank is stored as null" : "not loaded by lists of this version"),
    ]
  }

  private var capabilities: Capabilities {
    Capabilities(
      operations: [.list, .get, .create, .update, .delete], paging: .offset, pageCap: Self.pageCap,
      defaultPageSize: Self.standardPageSize, stability: .shifting, hasTotal: false, update: .partial, canClear: true,
      writes: .kept, unlistedFields: options.listsBodies ? [] : ["body"])
  }
}
