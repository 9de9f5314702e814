public import BackendKit

/// A resource of a ``ReferenceServer``: its records at the beginning, and what its adapter says and does with them.
public struct InMemoryResource: Sendable {
  /// What the backend does itself with conditions of the form `field = operand`; every other is left to the client.
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
  /// What the backend does itself with conditions.
  public var filtering: Filtering
  /// The field that holds the revision, a whole number that grows by one with each change; nil for none.
  public var revisionField: String?
  /// What each action that is described sets besides what it is given, by its name.
  public var actions: [String: Object]
  /// Whether the last page says that it is the last; if not, an empty page follows one that is full.
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
