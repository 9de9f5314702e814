/// A backend's description of one field.
///
/// - Law field types as described: a value in a described field is null or of the described type; with a live
///   description, at least one of the values is.
/// - Law required fields as described: a record without a required field is refused with `invalid`, and nothing is
///   created; a record without an optional field is accepted.
/// - Law writable fields: a described field that is not read-only accepts values of its type in a create and in an
///   update.
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
  /// The kind.
  public var kind: Kind
  /// True if a record cannot be created without it.
  public var isRequired: Bool
  /// True if only the server sets it.
  public var isReadOnly: Bool
  /// The longest text, counted in ``lengthUnit`` without white space at its ends, or nil.
  public var maximumLength: Int?
  /// The shortest text, counted in ``lengthUnit`` with white space at its ends, or nil.
  public var minimumLength: Int?
  /// The unit in which the service counts the length of a text.
  public var lengthUnit: LengthUnit
  /// The least number, or nil.
  public var minimum: NumberBound?
  /// The greatest number, or nil.
  public var maximum: NumberBound?
  /// A regular expression, as JSON Schema has it, that is found somewhere in each text, or nil. ``TextPattern`` says which of
  /// them are decided before anything is sent; the server decides the others.
  public var pattern: String?
  /// The only values that it may have, in the order in which they are shown; empty where it may have others.
  public var values: [Value]
  /// True if the service accepts or keeps only some values of the kind, by a rule that is not described.
  public var isLimited: Bool
  /// True if it may be null. If not, a change to null, and one that clears it by a null, is refused before it is sent.
  public var isNullable: Bool
  /// The records that its value names, or each of its values where it is a list.
  public var reference: RecordReference?
  /// True if no two records have the same value in it.
  public var isUnique: Bool
  /// True if a value given for it must not appear in any log, history, trace, recording or message.
  public var isSecret: Bool
  /// The fields of the object that it holds, or of each object of its list; empty where they are not known.
  public var fields: [FieldDescription]
  /// True if records may hold 0 and 1 in this boolean field for false and true: a condition treats both alike, and a
  /// write is stored as the kind that is already there.
  public var holdsNumbers: Bool
  /// The value that is sent in a new record where none is given, or nil.
  public var defaultValue: Value?
  /// The value that the service gives the field if none is sent, and that it has after it is cleared; nil if it then has none.
  public var serverDefault: Value?
  /// The name that people are shown for it elsewhere, or nil.
  public var title: String?
  /// True if the service hides it from people.
  public var isHidden: Bool
  /// The facts that a counterexample may still refute: they never refuse a write before it is sent, and the receipt notes them.
  public var likely: Set<Fact> = []
  /// The value suggested for it in a new record when its fields are asked for one by one; nil for none. It is used for
  /// nothing else.
  public var suggestion: SuggestedValue?
  /// True if its value is a JSON Schema of fields, which can be asked for one by one.
  public var holdsSchema = false
  /// The way its content is sent and read if it is a file; nil of any other field.
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
  /// The description with a name. Compares names in place, as a description is large to copy.
  package func named(_ name: String) -> FieldDescription? {
    for place in indices where self[place].name == name { return self[place] }
    return nil
  }
}

/// A value suggested for a field of a new record when its fields are asked for one by one.
public enum SuggestedValue: Sendable, Hashable {
  /// Always the same.
  case value(Value)
  /// The number of records in the resource.
  case count
  /// The present day or time, as the kind of the field has it.
  case now
}
