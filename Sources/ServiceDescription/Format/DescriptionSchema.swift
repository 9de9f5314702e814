public import BackendKit

/// The JSON schema of descriptions, generated from the keys that the readers declare.
public enum DescriptionSchema {
  /// Returns the schema.
  public static func schema() -> Value {
    var sections = Object()
    for section in Section.ordered where section.name != .description {
      sections[section.name.rawValue] = .object(object(section))
    }
    let head: [(String, Value)] = [
      ("$schema", "https://json-schema.org/draft/2020-12/schema"), ("title", "Description of a REST service"),
    ]
    return .object(Object(head + object(Section.of(.description)).members + [("$defs", .object(sections))]))
  }

  private static func object(_ section: Section) -> Object {
    var properties = Object()
    for key in section.keys {
      // Null removes an inherited value.
      let property = Object([("description", .string(key.help))] + of(key.shape).members)
      properties[key.name] = .object(either(.object(property), ["type": "null"]))
    }
    return Object([
      ("description", .string(section.help)), ("type", "object"), ("additionalProperties", false),
      ("properties", .object(properties)),
    ])
  }

  private static func of(_ shape: Shape) -> Object {
    switch shape {
    case .any: return Object()
    case .boolean: return Object([("type", "boolean")])
    case .text(let rule):
      var text = Object([("type", "string")])
      if rule != .mayBeEmpty { text["minLength"] = 1 }
      if rule == .hook { text["pattern"] = "^[^/]+/[^/]+$" }
      return text
    case .integer(let range):
      return Object([
        ("type", "integer"), ("minimum", .int(range.lowerBound)), ("maximum", .int(range.upperBound)),
      ])
    case .word(let words): return Object([("enum", .array(words.map { .string($0.name) }))])
    case .list(let element): return Object([("type", "array"), ("items", .object(of(element)))])
    case .oneOrMore(let element):
      return either(.object(of(element)), .object(of(.list(element))))
    case .map(_, let inner):
      return Object([
        ("type", "object"), ("additionalProperties", .object(either(.object(of(inner)), ["type": "null"]))),
      ])
    case .section(let name): return Object([("$ref", .string("#/$defs/\(name.rawValue)"))])
    case .either(let first, let second):
      return either(.object(of(first)), .object(of(second)))
    }
  }

  private static func either(_ first: Value, _ second: Value) -> Object {
    Object([("anyOf", .array([first, second]))])
  }
}
