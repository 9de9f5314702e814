public import BackendKit

/// A resource of a ``ReferenceServer``: its records at the beginning, and what its adapter says and does with them.
public struct InMemoryResource: Sendable {
  /// The extent to which the backend evaluates conditions of the form `field = operand`; others are left to the client.
  public enum Filtering: String, Sendable, Hashable, CaseIterable {
    /// Nothing.
    case none
    /// It answers them by the rules, and says `exact`.
    case exact
    /// It lets too much through, as loose servers do, and says `superset`: also records without the field, and those
    /// whose field is another kind of value written alike.
    case loose
  }

  /// The description the backend gives.
  public var description: ResourceDescription
  /// The records at the beginning; one without an identifier is given one.
  public var records: [Object]
  /// The conditions that the backend evaluates itself.
  public var filtering: Filtering
  /// The field that holds the revision, a whole number that grows by one with each change; nil for none.
  public var revisionField: String?
  /// The values that each described action sets besides its arguments, by its name.
  public var actions: [String: Object]
  /// True if the last page is marked as the last; if not, an empty page follows a full one.
  public var announcesEnd: Bool

  /// A resource. Its capabilities are taken as they stand, but for the revisions, which follow `revisionField`.
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
  /// Every operation, nothing paged, writes kept.
  public static var all: Capabilities { Capabilities(operations: Set(Operation.allCases)) }
}
