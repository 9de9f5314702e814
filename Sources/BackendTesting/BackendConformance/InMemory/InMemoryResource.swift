public import BackendKit

/// A resource of a ``ReferenceServer``: its initial records, and the behavior of its adapter.
public struct InMemoryResource: Sendable {
  /// The extent to which the backend checks conditions of the form `field = operand`. Others are left to the client.
  public enum Filtering: String, Sendable, Hashable, CaseIterable {
    /// Checks none.
    case none
    /// Checks them exactly.
    case exact
    /// Accepts too much, as lenient servers do, and reports `superset`: also records without the field, or with a value
    /// of another type that is written the same.
    case loose
  }

  /// The description returned by the backend.
  public var description: ResourceDescription
  /// The initial records. Missing identifiers are generated.
  public var records: [Object]
  /// The conditions that the backend checks itself.
  public var filtering: Filtering
  /// The field with the revision, an integer that each update increments; nil for none.
  public var revisionField: String?
  /// The values that each action sets besides its arguments, by name.
  public var actions: [String: Object]
  /// True if the last page is marked as such. Otherwise an empty page follows a full one.
  public var announcesEnd: Bool

  /// Creates a resource. Its capabilities stay as given, except that `revisionField` determines those about revisions.
  public init(
    _ name: String, _ records: [Object] = [], identifier: IdentifierRule = IdentifierRule(form: .integer),
    fields: [FieldDescription] = [], capabilities: Capabilities = .all, filtering: Filtering = .none,
    revisionField: String? = nil, announcesEnd: Bool = true,
    actions: [(description: ActionDescription, sets: Object)] = []
  ) {
    var capabilities = capabilities
    capabilities.hasRevisions = revisionField != nil
    capabilities.deletesAtRevision = revisionField != nil
    description = ResourceDescription(
      name: name, identifier: identifier, fields: fields, capabilities: capabilities,
      actions: actions.map(\.description))
    self.actions = Dictionary(actions.map { ($0.description.name, $0.sets) }) { $1 }
    self.records = records
    self.filtering = filtering
    self.revisionField = revisionField
    self.announcesEnd = announcesEnd
  }
}

extension Capabilities {
  /// Every operation, without pages, and with writes that are kept.
  public static var all: Capabilities { Capabilities(operations: Set(Operation.allCases)) }
}
