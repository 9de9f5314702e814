import BackendKit

/// A template for records that the server accepts and the suite recognizes.
struct RecordTemplate: Sendable {
  /// The text field with the mark.
  let markField: String
  /// Values of other fields that records require.
  private let constants: Object
  private let unique: [FieldDescription]
  private let maximumLength: Int
  /// The field of an identifier that the client chooses, and its form; nil if the server does.
  private let identifier: (field: String, form: IdentifierRule.Form)?
  private let made: (by: IdentifierRule, beside: RecordID?)

  /// Creates the template for a resource; nil if no text field has room for the mark.
  init?(_ resource: ResourceDescription, like sample: Record?, markLength: Int) {
    let unlisted = Set(resource.capabilities.unlistedFields)
    let texts = RecordTemplate.textFields(resource, sample).filter {
      ($0.maximumLength ?? .max) >= markLength && $0.takesAnyValue
    }
    // Lists have to show the mark, or records of a killed run could not be found.
    let shown = texts.filter { !unlisted.contains($0.name) }
    guard let field = shown.first(where: \.isRequired) ?? shown.first ?? texts.first else { return nil }
    markField = field.name
    maximumLength = field.maximumLength ?? 200
    made = (resource.identifier, sample?.id)
    var constants = Object()
    let (parts, isChosen) = (resource.identifier.parts, resource.capabilities.needsIdentifiers)
    // The last part of a composite identifier distinguishes records; the others are copied from existing ones.
    let chosen = resource.fields.first { other in
      other.takesValues
        && (parts.last.map { other.name == $0 }
          ?? (other.name == resource.identifier.field && (other.isRequired || isChosen)))
    }
    identifier = chosen.map {
      ($0.name, parts.isEmpty ? resource.identifier.form : $0.kind == .integer ? .integer : .text)
    }
    for other in resource.fields where other.takesValues && other.name != field.name && other.name != chosen?.name {
      guard other.isRequired && !other.isUnique || parts.contains(other.name) else { continue }
      constants[other.name] = RecordTemplate.value(of: other, like: sample?.fields[other.name])
    }
    self.constants = constants
    unique = resource.fields.filter { $0.isUnique && $0.isRequired && $0.takesValues && $0.name != field.name }
  }

  func fields(mark: String, run: UInt64, number: Int) -> Object {
    var fields = Object([(markField, .string("\(mark)-\(number)"))])
    for (name, value) in constants.members { fields[name] = value }
    let whole = SeededGenerator.number(of: run) + number
    for field in unique where field.name != identifier?.field {
      fields[field.name] =
        switch field.kind {
        case .integer, .number: .int(whole)
        default: .string(field.fitting("\(number)-\(mark)@example.org"))
        }
    }
    if let identifier {
      let plain = "\(mark)-\(number)"
      let text = made.by.parts.isEmpty ? made.by.fitting(plain, number: whole, beside: made.beside).text : plain
      fields[identifier.field] = identifier.form == .integer ? .int(whole) : .string(text)
    }
    return fields
  }

  private static func textFields(_ resource: ResourceDescription, _ sample: Record?) -> [FieldDescription] {
    let identifier = resource.identifier
    let texts = resource.fields.filter { ($0.kind == .text || $0.kind == .html) && $0.takesValues }
    let others = texts.filter { !identifier.isHeld(by: $0.name) }
    let described = others.isEmpty ? texts.filter { $0.name == identifier.parts.last } : others
    guard described.isEmpty, resource.fields.isEmpty else { return described }
    // Without a description, the fields of an existing record are a guess; without a record, any text will do.
    let names = sample?.fields.members.filter { $0.1.text != nil && !identifier.isHeld(by: $0.0) }.map(\.0) ?? []
    return (names.isEmpty ? ["title"] : names).map { FieldDescription($0, .text) }
  }

  private static func value(of field: FieldDescription, like sample: Value?) -> Value {
    if let sample, sample != .null { return sample }
    return field.kind == .object ? [:] : field.kind == .list ? [] : field.samples[0]
  }
}
