import BackendKit

/// What is known of one resource's fields.
struct BaasicSchema: Sendable {
  /// The name of the schema, which is the resource's.
  var name: String
  /// The fields; empty where nothing is known.
  var fields: [FieldDescription] = []
  /// Where that is known from.
  var source: ResourceDescription.Source
  /// Whether the server holds records to it, so that fields have the kinds they should.
  var isEnforced = false

  /// The identifier that every schema has without saying so.
  static let identifier = FieldDescription("id", .text, isReadOnly: true, note: "chosen by the server")
}

extension BaasicSchema {
  /// What a record of `schemas` says; nil where it has no name.
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
      fields.append(
        FieldDescription(
          name, Self.kind(property),
          isRequired: isEnforced && (required.contains(name) || property["required"]?.bool == true),
          isReadOnly: property["readOnly"]?.bool ?? property["readonly"]?.bool ?? false,
          note: property["description"]?.text))
    }
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
    case "string": return ["date", "date-time"].contains(property["format"]?.text) ? .date : .text
    case "boolean": return .boolean
    case "integer": return .integer
    case "number": return .number
    case "object": return .object
    case "array": return .list
    default: return .any
    }
  }
}
