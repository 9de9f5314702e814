import BackendKit

/// The known fields of one resource.
struct BaasicSchema: Sendable {
  /// The name of the schema, which is the resource's.
  var name: String
  /// The fields; empty where nothing is known.
  var fields: [FieldDescription] = []
  /// The source of the fields.
  var source: ResourceDescription.Source
  /// True if the server enforces the schema, so that fields have the kinds they should.
  var isEnforced = false

  /// The field of a schema that describes the fields of its records.
  static let properties: FieldDescription = {
    var field = FieldDescription("schema", .object, isRequired: true)
    field.holdsSchema = true
    return field
  }()

  /// The identifier that every schema has without saying so.
  static let identifier = FieldDescription("id", .text, isReadOnly: true, note: "chosen by the server")
}

extension BaasicSchema {
  /// Creates a schema from a record of `schemas`; nil if the record has no name.
  init?(_ record: Object) {
    guard let name = record["name"]?.text, !name.isEmpty else { return nil }
    self.name = name
    isEnforced = record["enforceSchemaValidation"]?.bool ?? false
    source = .unknown
    // Some clients store the schema as a text, and not all of those texts are JSON.
    let written = record["schema"]?.text.flatMap { try? JSONReader.read($0) } ?? record["schema"]
    guard let schema = written?.object, let properties = schema["properties"]?.object else { return }
    source = .schema
    let required = schema["required"]?.array?.compactMap(\.text) ?? []
    fields = [Self.identifier]
    for (name, property) in properties.members where name != "id" {
      let property = property.object ?? Object()
      let isRequired = required.contains(name) || property["required"]?.bool == true
      fields.append(field(name, property, isRequired: isRequired))
    }
  }

  /// Returns the description of a field from its property. If the server does not enforce the schema, its rules are
  /// only reported.
  private func field(_ name: String, _ property: Object, isRequired: Bool) -> FieldDescription {
    var field = FieldDescription(
      name, Self.kind(property), isReadOnly: property["readOnly"]?.bool ?? property["readonly"]?.bool ?? false,
      lengthUnit: .codePoints, default: property["default"], title: property["title"]?.text,
      isHidden: property["hidden"]?.bool ?? false, note: property["description"]?.text)
    var ruled = field
    ruled.isRequired = isRequired
    ruled.minimumLength = property["minLength"]?.integer
    ruled.maximumLength = property["maxLength"]?.integer
    ruled.minimum = Self.bound(property, "minimum", "exclusiveMinimum")
    ruled.maximum = Self.bound(property, "maximum", "exclusiveMaximum")
    ruled.pattern = property["pattern"]?.text
    ruled.values = property["enum"]?.array ?? []
    guard !isEnforced else { return ruled }
    let rules = ((isRequired ? ["required"] : []) + ruled.constraints).joined(separator: ", ")
    if !rules.isEmpty {
      field.note = [field.note, "not enforced: \(rules)"].compactMap(\.self).joined(separator: "; ")
    }
    return field
  }

  /// A bound: older drafts exclude it by a flag, newer ones by a number of its own.
  private static func bound(_ property: Object, _ name: String, _ excluded: String) -> NumberBound? {
    if case .number(let number)? = property[excluded] { return NumberBound(number, isExcluded: true) }
    guard case .number(let number)? = property[name] else { return nil }
    return NumberBound(number, isExcluded: property[excluded]?.bool ?? false)
  }

  /// Throws `invalid` for what the server would leave out of a schema, or make another value of, without a word.
  static func check(_ name: String, _ value: Value) throws(BackendError) {
    guard ["name", "description", "enforceSchemaValidation", "schema"].contains(name) else {
      throw .invalid("a schema has no field \(name) that can be written", hint: "name fields within schema")
    }
    guard name != "enforceSchemaValidation" || value.bool != nil else {
      throw .invalid("enforceSchemaValidation is true or false", hint: "set it to false")
    }
  }

  private static func kind(_ property: Object) -> FieldDescription.Kind {
    let type = property["type"]?.text ?? property["type"]?.array?.compactMap(\.text).first { $0 != "null" }
    switch type {
    case "string": return ["date": .day, "date-time": .date][property["format"]?.text] ?? .text
    case "boolean": return .boolean
    case "integer": return .integer
    case "number": return .number
    case "object": return .object
    case "array": return .list
    default: return .any
    }
  }
}
