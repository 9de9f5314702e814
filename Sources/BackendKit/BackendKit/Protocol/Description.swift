/// A backend's description of itself.
public struct BackendDescription: Sendable, Hashable {
  /// The product and its version where the server tells, for example "Grails 3.3.0".
  public var product: String?
  /// The version of the interface in use, as it is shown in the prompt; nil where there are none.
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

  /// The description of the resource with this name, else of the only one whose name differs in case alone.
  public func resource(named name: String) -> ResourceDescription? {
    if let exact = resources.first(where: { $0.name == name }) { return exact }
    let alike = resources.filter { $0.name.lowercased() == name.lowercased() }
    return alike.count == 1 ? alike.first : nil
  }

  /// Returns the description assumed for a name that is none of the resources; nil if only the server can decide, or
  /// nothing can.
  public func resource(trying name: String) -> ResourceDescription? {
    var other = others
    other?.name = name
    return other
  }
}

/// A backend's description of one resource.
public struct ResourceDescription: Sendable, Hashable {
  /// The source of the knowledge of the fields.
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
    /// There is none.
    case unknown
  }

  /// The name that commands use.
  public var name: String
  /// The rule for the identifiers of records.
  public var identifier: IdentifierRule
  /// The fields, in the order in which they are shown.
  public var fields: [FieldDescription]
  /// The source of the knowledge of the fields.
  public var source: Source
  /// True if records may have other fields, so that any name may be tried.
  ///
  public var isOpen: Bool
  /// The operations and features of the resource.
  public var capabilities: Capabilities
  /// Resources that can be listed below one record of this one.
  public var children: [String]
  /// The records that the server deletes along with a record of this resource: such a deletion asks for confirmation at
  /// a terminal and needs a flag in a script.
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

  /// The description of the field that a path leads to, within objects, too.
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
  /// The resource that they are in; nil where it is the one that the deleted record gives its identifier as a name, and of orphans.
  public var resource: String?
  /// The field in which they hold the identifier of the deleted record; nil where all records of the resource go, and of orphans.
  public var field: String?
  /// Of orphans, the ending of the fields that refer to records of other resources; nil for all others.
  public var orphanSuffix: String?

  /// Records of a resource that name the deleted record in a field.
  public init(of resource: String, naming field: String) {
    self.resource = resource
    self.field = field
  }

  /// All records of the resource that the deleted record describes.
  public static let ofResourceNamed = Dependents(resource: nil, field: nil)

  /// Orphans, which go with every deletion, whichever record is deleted: the records of any resource that refer to a record which
  /// does not exist. A field refers to a record if it is described with a reference, or if its name is that of a resource in the
  /// singular with this ending: with `Id`, `userId` refers to `users`.
  public static func orphans(suffix: String) -> Dependents {
    Dependents(resource: nil, field: nil, orphanSuffix: suffix)
  }

  /// Dependents as they are carried.
  public init(resource: String?, field: String?, orphanSuffix: String? = nil) {
    self.resource = resource
    self.field = field
    self.orphanSuffix = orphanSuffix
  }
}

/// The rule for identifiers; one that does not fit stops a command before anything is sent.
///
/// - Law records have identifiers: each record of a list has an identifier of the declared form.
/// - Law identifier field: the field that is declared to hold the identifier holds the record's identifier.
/// - Law identifiers stay distinct: nothing in an identifier leads to another record or path: an empty identifier,
///   dots, slashes, URL characters, white space, another spelling of a number, another case, other code points, 300
///   characters and wildcards each identify their own record, or none.
public struct IdentifierRule: Sendable, Hashable {
  /// The forms an identifier can have.
  public enum Form: String, Sendable, Hashable, CaseIterable {
    /// A whole number of 64 bits in its one plain spelling: no sign `+`, no leading zero. Longer ones are of the form `text`.
    case integer
    /// Any text that is not empty.
    case text
    /// There is none: the resource is one record. Commands name it by the resource alone, and the protocol by
    /// ``RecordID/sole``.
    case none
  }

  /// The field of the record that holds it; nil where it is not among the fields.
  public var field: String?
  /// The form.
  public var form: Form
  /// True if it is not known whether there are identifiers: the resource may be one record, then named as in the form
  /// `none`.
  public var isOptional: Bool
  /// A field of the record that shows an address whose last part is the identifier; nil where there is none. The address is
  /// taken for the identifier, and never followed.
  public var address: String?
  /// A regular expression, as JSON Schema has it, that is found in each identifier; nil where none is known. Another text names no
  /// record and is refused before anything is sent, as far as ``TextPattern`` decides it.
  public var pattern: String?
  /// True if several records may have one identifier: they are counted before a deletion and after it.
  public var mayRepeat = false
  /// The fields whose values make it, in their order; empty where one field holds it, or none. ``field`` then shows it
  /// whole, if it is not nil.
  public var parts: [String] = []
  /// True if records have one. Those that have none are listed, and none is read or written by itself.
  public var namesRecords = true
  /// The text between the values of several fields.
  public var separator = ","
  /// The facts (`type`, `pattern`) that a counterexample may still refute: they refuse no identifier.
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

  /// A text whose last character is not a line feed: some dialects of patterns take its end to be before that, and an
  /// identifier with one is another identifier.
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

  /// Why an identifier cannot name a record, as a sentence; nil where it can.
  public func complaint(about id: RecordID) -> String? {
    id.isSole && mayBeAbsent ? nil : complaint(about: id.text)
  }

  /// Why a text cannot be an identifier, as a sentence; nil where it can.
  public func complaint(about text: String) -> String? {
    if text.isEmpty { return "an identifier cannot be empty" }
    if form == .none { return "the resource is one record, which has no identifier such as \"\(text)\"" }
    if !likely.contains(.pattern), let pattern, TextPattern(pattern)?.isFound(in: Self.withVisibleEnd(text)) == false {
      return "invalid identifier \"\(text)\": must match \(pattern)"
    }
    guard form == .integer, !likely.contains(.type), Int64(text).map(String.init) != text else { return nil }
    // A number of any size that is spelled so.
    if Self.isPlainInteger(text) {
      return "invalid identifier \"\(text)\": expected a whole number of 64 bits"
    }
    return "invalid identifier \"\(text)\": expected a whole number"
  }
}
