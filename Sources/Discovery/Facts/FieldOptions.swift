import BackendKit

/// The fields of new records as the service describes them beside a list: in its response to OPTIONS, in a JSON Schema,
/// or in a Hydra vocabulary.
enum FieldOptions {
  /// The members of Django REST framework's OPTIONS by field: `type`, `required`, `read_only`, `choices`, `max_length`;
  /// nil if a response describes no fields. `kind` is what records have in `@type`.
  static func fields(in document: Value?, of kind: String? = nil) -> Object? {
    guard let root = document?.object else { return nil }
    if let fields = root["actions"]?.object?["POST"]?.object { return fields }
    if let classes = hydra(root, "supportedClass")?.array { return fields(classes.compactMap(\.object), of: kind) }
    let schemas = [root["schema"]?.object, root["items"]?.object, root].compactMap(\.self)
    guard let schema = schemas.first(where: { $0["properties"]?.object?.isEmpty == false }) else { return nil }
    // WordPress says beside the schema which arguments a method needs.
    let creation = root["endpoints"]?.array?.compactMap(\.object).first {
      $0["methods"]?.array?.contains("POST") == true
    }
    let arguments = creation?["args"]?.object
    let required = Set(schema["required"]?.array?.compactMap(\.text) ?? [])
    var fields = Object()
    for (name, property) in schema["properties"]?.object?.members.map({ $0 }) ?? [] {
      guard let property = property.object else { continue }
      let isRequired = required.contains(name) || arguments?[name]?.object?["required"]?.bool == true
      fields[name] = .object(option(property, isRequired: isRequired))
    }
    return fields
  }

  private static func option(_ schema: Object, isRequired: Bool) -> Object {
    var option = Object([("required", .bool(isRequired))])
    let types = schema["type"]?.array ?? schema["type"].map { [$0] } ?? []
    let formats = ["date-time": "datetime", "date": "date"]
    let words = ["number": "float", "array": "list", "object": "nested object"]
    if let type = types.first(where: { $0 != "null" })?.text {
      let format = type == "string" ? schema["format"]?.text.flatMap { formats[$0] } : nil
      option["type"] = .string(format ?? words[type] ?? type)
    }
    if (schema["readOnly"] ?? schema["readonly"])?.bool == true { option["read_only"] = true }
    if let values = schema["enum"]?.array {
      option["choices"] = .array(values.map { .object(Object([("value", $0)])) })
    }
    option["max_length"] = schema["maxLength"]
    return option
  }

  private static func fields(_ classes: [Object], of kind: String?) -> Object? {
    guard let kind,
      let own = classes.first(where: { hydra($0, "title")?.text == kind || $0["@id"]?.text == "#\(kind)" }),
      let properties = hydra(own, "supportedProperty")?.array
    else { return nil }
    var fields = Object()
    for property in properties.compactMap(\.object) {
      guard let name = hydra(property, "title")?.text else { continue }
      var option = Object([("required", .bool(hydra(property, "required")?.bool == true))])
      if (hydra(property, "writeable") ?? hydra(property, "writable"))?.bool == false { option["read_only"] = true }
      fields[name] = .object(option)
    }
    return fields
  }

  /// A member of Hydra's vocabulary, with its prefix or without.
  private static func hydra(_ object: Object, _ name: String) -> Value? { object["hydra:\(name)"] ?? object[name] }
}
