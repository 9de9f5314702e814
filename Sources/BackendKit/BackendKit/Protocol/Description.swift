/// A backend's description of itself.
public struct BackendDescription: Sendable, Hashable {
  /// The product and its version if the server reports it, for example "Grails 3.3.0".
  public var product: String?
  /// The interface version in use, for the prompt; nil if there are no versions.
  public var apiVersion: String?
  /// The resources.
  public var resources: [ResourceDescription]
  /// True if there may be other resources, so that any name may be tried.
  public var isOpen: Bool
  /// The description assumed for any other name without asking the server, with an empty name; nil if the server
  /// reports its resources, or if there are no others.
  public var others: ResourceDescription?
  /// A note for people, or nil.
  public var note: String?
  /// Resources that only a document of the service describes, which are read when they are used; nil for none.
  public var outlined: OutlinedResources<ResourceDescription>?

  /// A description.
  public init(
    product: String? = nil, apiVersion: String? = nil, resources: [ResourceDescription], isOpen: Bool = false,
    others: ResourceDescription? = nil, note: String? = nil
  ) {
    self.others = others
    self.note = note
    self.product = product
    self.apiVersion = apiVersion
    self.resources = resources
    self.isOpen = isOpen
  }

  /// The names of all resources, those that are described first.
  public var names: [String] { resources.map(\.name) + (outlined?.outlines.map(\.name) ?? []) }

  /// The description of the resource with this name, otherwise of the only one whose name differs just in case. Nil
  /// also for an outlined resource that cannot be read; ``OutlinedResources/content(of:)`` has the reason.
  public func resource(named name: String) -> ResourceDescription? {
    if let exact = resources.first(where: { $0.name == name }) { return exact }
    let alike = resources.filter { $0.name.lowercased() == name.lowercased() }
    if alike.count == 1 { return alike.first }
    return alike.isEmpty ? try? outlined?.content(of: name) : nil
  }

  /// Returns the description assumed for an unknown name; nil if only the server can decide, or there are no others.
  public func resource(trying name: String) -> ResourceDescription? {
    var other = others
    other?.name = name
    return other
  }
}

/// A backend's description of one resource.
public struct ResourceDescription: Sendable, Hashable {
  /// The source of the field descriptions.
  public enum Source: String, Sendable, Hashable, CaseIterable {
    /// Written in the adapter.
    case adapter
    /// Read from a schema on the server.
    case schema
    /// Written in the configuration.
    case configuration
    /// Seen in a record.
    ///
    case sample
    /// No source.
    case unknown
  }

  /// The name that commands use.
  public var name: String
  /// The rule for the identifiers of records.
  public var identifier: IdentifierRule
  /// The fields, in the order in which they are shown.
  public var fields: [FieldDescription]
  /// The source of the field descriptions.
  public var source: Source
  /// True if records may have other fields, so that any name may be tried.
  ///
  public var isOpen: Bool
  /// The operations and features of the resource.
  public var capabilities: Capabilities
  /// Resources that can be listed below one record of this one.
  public var children: [String]
  /// The resources whose records own records of this one.
  public var owners: [String] = []
  /// The records that the server deletes along with a record of this resource: such a deletion needs confirmation at a
  /// terminal and a flag in a script.
  public var dependents: [Dependents]
  /// The other actions on a record or on the collection, by name.
  public var actions: [ActionDescription]

  /// A description.
  public init(
    name: String, identifier: IdentifierRule, fields: [FieldDescription] = [], source: Source = .adapter,
    isOpen: Bool = false, capabilities: Capabilities, children: [String] = [], dependents: [Dependents] = [],
    actions: [ActionDescription] = []
  ) {
    self.dependents = dependents
    self.actions = actions
    self.name = name
    self.identifier = identifier
    self.fields = fields
    self.source = source
    self.isOpen = isOpen
    self.capabilities = capabilities
    self.children = children
  }

  /// The description of the field with this name.
  public func field(named name: String) -> FieldDescription? { fields.named(name) }

  /// True if its records may have fields that are not described.
  public var mayHaveOtherFields: Bool { isOpen || source == .unknown || source == .sample || fields.isEmpty }

  /// The description of the field at a path, possibly within objects.
  public func field(at path: FieldPath) -> FieldDescription? {
    if let field = field(named: path.text) { return field }
    guard path.isNested else { return nil }
    let names = path.names
    return names.dropFirst().reduce(field(named: names[0])) { field, name in field?.fields.named(name) }
  }

  /// The description of the action with this name.
  public func action(named name: String) -> ActionDescription? { actions.first { $0.name == name } }
}

/// Records that a server deletes along with another record.
public struct Dependents: Sendable, Hashable {
  /// The resource that they are in; nil for orphans, and if the identifier of the deleted record is the resource's
  /// name.
  public var resource: String?
  /// The field in which they hold the identifier of the deleted record; nil for orphans, and if all records of the
  /// resource are deleted.
  public var field: String?
  /// The ending of fields that refer to records of other resources; nil except for orphans.
  public var orphanSuffix: String?

  /// Records of a resource that name the deleted record in a field.
  public init(of resource: String, naming field: String) {
    self.resource = resource
    self.field = field
  }

  /// All records of the resource that the deleted record describes.
  public static let ofResourceNamed = Dependents(resource: nil, field: nil)

  /// Orphans, which every deletion removes: the records of any resource that refer to a missing record. A field refers
  /// to a record if it is described with a reference, or if its name is a resource's in the singular with this ending:
  /// with `Id`, `userId` refers to `users`.
  public static func orphans(suffix: String) -> Dependents {
    Dependents(resource: nil, field: nil, orphanSuffix: suffix)
  }

  /// Dependents from their stored parts.
  public init(resource: String?, field: String?, orphanSuffix: String? = nil) {
    self.resource = resource
    self.field = field
    self.orphanSuffix = orphanSuffix
  }
}

/// The rule for identifiers; one that does not fit stops a command before anything is sent.
///
/// - Law records have identifiers: each record of a list has an identifier of the declared form, also in the field that
///   is declared to hold it.
/// - Law identifiers stay distinct: nothing in an identifier leads to another record or path: an empty identifier,
///   dots, slashes, URL characters, white space, another spelling of a number, another case, other code points, 300
///   characters and wildcards each identify their own record, or none.
public struct IdentifierRule: Sendable, Hashable {
  /// The forms an identifier can have.
  public enum Form: String, Sendable, Hashable, CaseIterable {
    /// A whole number of 64 bits in its canonical spelling: no `+`, no leading zeros. Longer ones have the form `text`.
    case integer
    /// Any text that is not empty.
    case text
    /// None: the resource is one record. Commands use the name of the resource, the protocol uses ``RecordID/sole``.
    case none
  }

  /// The field of the record that holds it; nil if it is not a field.
  public var field: String?
  /// The form.
  public var form: Form
  /// True if the resource may be a singleton, which is then named as in the form `none`.
  public var isOptional: Bool
  /// A field with an address whose last segment is the identifier; nil if there is none. Such an address is accepted as
  /// an identifier, and never followed.
  public var address: String?
  /// A regular expression of JSON Schema that matches somewhere in each identifier; nil if none is known. Other texts
  /// are refused before anything is sent, if ``TextPattern`` can decide.
  public var pattern: String?
  /// True if several records may share an identifier: they are counted before and after a deletion.
  public var mayRepeat = false
  /// The fields whose values form it, in order; empty if it is one field or none. ``field`` then shows the whole, if it
  /// is not nil.
  public var parts: [String] = []
  /// True if records have one. Records without one are listed, but never read or written individually.
  public var namesRecords = true
  /// The text between the values of several fields.
  public var separator = ","
  /// The facts (`type`, `pattern`) that a counterexample may still refute: they do not refuse identifiers.
  public var likely: Set<FieldDescription.Fact> = []

  /// A rule.
  public init(
    field: String? = "id", form: Form, isOptional: Bool = false, address: String? = nil, pattern: String? = nil
  ) {
    self.pattern = pattern
    self.field = field
    self.form = form
    self.isOptional = isOptional
    self.address = address
  }

  /// A text that does not end in a line feed: in some dialects of patterns the end is before that, and an identifier
  /// with one is another identifier.
  private static func withVisibleEnd(_ text: String) -> String {
    guard text.unicodeScalars.last == "\n" else { return text }
    var scalars = text.unicodeScalars
    scalars.removeLast()
    return String(scalars) + "\u{1}"
  }

  private static func isPlainInteger(_ text: String) -> Bool {
    let digits = text.utf8.first == UInt8(ascii: "-") ? text.utf8.dropFirst() : text.utf8[...]
    return digits.allSatisfy(\.isDigit) && digits.first.map { $0 != 0x30 || text == "0" } ?? false
  }

  /// True if the resource itself may name a record, without an identifier.
  public var mayBeAbsent: Bool { form == .none || isOptional }

  /// The reason why an identifier cannot name a record, as a sentence; nil if it can.
  public func complaint(about id: RecordID) -> String? {
    id.isSole && mayBeAbsent ? nil : complaint(about: id.text)
  }

  /// The reason why a text cannot be an identifier, as a sentence; nil if it can.
  public func complaint(about text: String) -> String? {
    if text.isEmpty { return "an identifier cannot be empty" }
    if form == .none { return "the resource is one record, which has no identifier such as \"\(text)\"" }
    if Preview.isPlanned(text) { return nil }
    if !likely.contains(.pattern), let pattern, TextPattern(pattern)?.isFound(in: Self.withVisibleEnd(text)) == false {
      return "invalid identifier \"\(text)\": must match \(pattern)"
    }
    guard form == .integer, !likely.contains(.type), Int64(text).map(String.init) != text else { return nil }
    // A canonical number of any size.
    if Self.isPlainInteger(text) {
      return "invalid identifier \"\(text)\": expected a whole number of 64 bits"
    }
    return "invalid identifier \"\(text)\": expected a whole number"
  }
}
