/// A backend's description of one field.
///
/// - Law field types as described: a value in a described field is null or of the described type, and one that the
///   description permits; with a live description, at least one of the values is of that type; unique values are
///   unique; where records show null, some record has each field that the server sets; of several references, at least
///   one leads to a record of the described resource.
/// - Law required fields as described: a record without a required field is refused with `invalid`, and nothing is
///   created; a record without an optional field is accepted.
/// - Law writable fields: a described field that is not read-only accepts values of its type in a create and in an
///   update, each value that is described as possible, its bounds, and references to records of the described
///   resource; a unique field no value that another record has.
/// - Law read-only fields: a field that only the server sets is never set to what was sent, neither by a create nor by
///   an update.
/// - Law maximum length: text of exactly the maximum length is accepted and stored in full; longer text is refused with
///   `invalid`, never truncated.
public struct FieldDescription: Sendable, Hashable {
  /// The kinds of field.
  ///
  /// - Law text is preserved: text of any characters is kept as it is, refused, or named in a note: emoji, combining
  ///   marks, right-to-left text, control characters, line breaks, NUL, markup, quotes, text that looks like another
  ///   value, leading and trailing white space, a million bytes, and the empty string.
  /// - Law numbers are preserved: a number is kept to the last digit or refused: 0 and -0, integers beyond 64 bits,
  ///   decimal fractions, and numbers that binary floating point cannot represent.
  /// - Law other values are preserved: false, null, lists and objects are kept whole; where the server treats null as a
  ///   missing value, a note names the field.
  /// - Law values of another type: a value of a type other than the field's is kept as it is, refused, or named in a
  ///   note; it is never silently converted, and two different values never become one.
  /// - Law special field names: `class`, `__proto__`, names with dots, and an `id` within an object are ordinary names:
  ///   kept or refused.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    case text, html, integer, number, boolean
    /// A day and a time.
    case date
    /// A day without a time.
    case day
    case object, list, any
  }

  /// The name.
  public var name: String
  /// The type of its values.
  public var kind: Kind
  /// True if a record cannot be created without it.
  public var isRequired: Bool
  /// True if only the server sets it.
  public var isReadOnly: Bool
  /// The maximum length of a text, in units of ``lengthUnit`` without white space at its ends.
  public var maximumLength: Int?
  /// The minimum length of a text, in units of ``lengthUnit`` with white space at its ends.
  public var minimumLength: Int?
  /// The unit in which the service counts the length of a text.
  public var lengthUnit: LengthUnit
  /// The minimum of a number.
  public var minimum: NumberBound?
  /// The maximum of a number.
  public var maximum: NumberBound?
  /// A regular expression of JSON Schema that matches somewhere in each text. ``TextPattern`` determines which are
  /// checked before anything is sent; the server checks the others.
  public var pattern: String?
  /// The only possible values, in the order in which they are shown; empty if others are possible.
  public var values: [Value]
  /// True if the service accepts or keeps only some values of the type, by an undescribed rule.
  public var isLimited: Bool
  /// True if it may be null. If not, setting or clearing it by a null is refused before anything is sent.
  public var isNullable: Bool
  /// The records that its value names, or each element if it is a list.
  public var reference: RecordReference?
  /// True if its values are unique among records.
  public var isUnique: Bool
  /// True if the service changes its value on its own, such as a count of reads: it is never compared.
  public var isVolatile = false
  /// True if a value given for it must not appear in any log, history, trace, recording or message.
  public var isSecret: Bool
  /// The fields of the object that it holds, or of each object of its list; empty if unknown.
  public var fields: [FieldDescription]
  /// True if records may store this boolean field as 0 and 1: conditions treat both alike, and a write keeps the stored
  /// type.
  public var holdsNumbers: Bool
  /// The value sent in a new record if none is given.
  public var defaultValue: Value?
  /// The value that the service assigns if none is sent, and after clearing; nil if there is then none.
  public var serverDefault: Value?
  /// The name that people see elsewhere.
  public var title: String?
  /// True if the service hides it from people.
  public var isHidden: Bool
  /// The facts that a counterexample may still refute: they do not refuse writes, but receipts note violations.
  public var likely: Set<Fact> = []
  /// The value suggested for a new record when its fields are prompted for; used for nothing else.
  public var suggestion: SuggestedValue?
  /// True if its value is a JSON Schema of fields that can be prompted for.
  public var holdsSchema = false
  /// The way its content is sent and read if it is a file; nil otherwise.
  public var file: FileField?
  /// A note for people, or nil.
  public var note: String?

  /// A description.
  public init(
    _ name: String, _ kind: Kind, isRequired: Bool = false, isReadOnly: Bool = false, maximumLength: Int? = nil,
    minimumLength: Int? = nil, lengthUnit: LengthUnit = .utf16, minimum: NumberBound? = nil,
    maximum: NumberBound? = nil,
    pattern: String? = nil, values: [Value] = [], isLimited: Bool = false, isNullable: Bool = true,
    reference: RecordReference? = nil, isUnique: Bool = false,
    isSecret: Bool = false, fields: [FieldDescription] = [], holdsNumbers: Bool = false, default value: Value? = nil,
    title: String? = nil, isHidden: Bool = false, suggestion: SuggestedValue? = nil, note: String? = nil
  ) {
    self.minimumLength = minimumLength
    self.suggestion = suggestion
    self.lengthUnit = lengthUnit
    self.minimum = minimum
    self.maximum = maximum
    self.pattern = pattern
    self.defaultValue = value
    self.title = title
    self.isHidden = isHidden
    self.values = values
    self.isLimited = isLimited
    self.isNullable = isNullable
    self.reference = reference
    self.isUnique = isUnique
    self.isSecret = isSecret
    self.fields = fields
    self.holdsNumbers = holdsNumbers
    self.name = name
    self.kind = kind
    self.isRequired = isRequired
    self.isReadOnly = isReadOnly
    self.maximumLength = maximumLength
    self.note = note
  }
}

extension [FieldDescription] {
  /// The description with a name. Compares in place, as a description is large to copy.
  package func named(_ name: String) -> FieldDescription? {
    for place in indices where self[place].name == name { return self[place] }
    return nil
  }
}

/// A value suggested for a field when the fields of a new record are prompted for.
public enum SuggestedValue: Sendable, Hashable {
  /// Always the same.
  case value(Value)
  /// The number of records in the resource.
  case count
  /// The present day or time, in the type of the field.
  case now
}
