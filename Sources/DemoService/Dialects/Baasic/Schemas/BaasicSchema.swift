/// A schema: the name of a collection, and the form of its records.
struct BaasicSchema {
  static let collection = "schemas"

  /// As stored and sent.
  let record: DemoJSON

  var name: String { record["name"]?.text ?? "" }
  var id: String { record["id"]?.text ?? "" }
  var isEnforced: Bool { record["enforceSchemaValidation"] == .bool(true) }
  var properties: [DemoJSON.Member] { record["schema"]?["properties"]?.members ?? [] }
  /// The collection in which its records are stored.
  var resources: String { "resource/\(Self.key(name))" }

  /// Names are case-insensitive.
  static func key(_ name: String) -> String { name.lowercased() }

  static func named(_ name: String, in store: DialectStore) throws -> BaasicSchema? {
    try store.record(in: collection, id: key(name)).map(BaasicSchema.init)
  }

  /// Validates a record, if validation is enabled.
  func check(_ record: DemoJSON) throws(BaasicProblem) {
    guard isEnforced else { return }
    for name in required where record[name] == nil {
      throw BaasicProblem(400, "The property '\(name)' is required.", details: name)
    }
    for member in properties {
      guard let value = record[member.key] else { continue }
      let type = member.value["type"]
      let types = type?.elements?.compactMap(\.text) ?? [type?.text].compactMap { $0 }
      guard types.isEmpty || types.contains(where: { Self.isType(value, $0) }) else {
        throw BaasicProblem(
          400, "The property '\(member.key)' must be of type \(types.joined(separator: " or ")).", details: member.key)
      }
      if let rule = BaasicRules(property: member.value).broken(by: value) {
        throw BaasicProblem(400, "The property '\(member.key)' \(rule).", details: member.key)
      }
    }
    guard self.record["schema"]?["additionalProperties"] == .bool(false) else { return }
    let known = Set(properties.map(\.key) + ["id"])
    for member in record.members ?? [] where !known.contains(member.key) {
      throw BaasicProblem(400, "The property '\(member.key)' is not allowed.", details: member.key)
    }
  }

  /// A list of names in newer drafts, a flag of each property in draft 3.
  private var required: [String] {
    let listed = record["schema"]?["required"]?.elements?.compactMap(\.text) ?? []
    return listed + properties.filter { $0.value["required"] == .bool(true) }.map(\.key)
  }

  private static func isType(_ value: DemoJSON, _ type: String) -> Bool {
    switch (type, value) {
    case ("string", .string), ("boolean", .bool), ("object", .object), ("array", .array), ("null", .null),
      ("number", .number), ("any", _):
      true
    case ("integer", .number(let text)): Double(text).map { $0.rounded() == $0 } ?? false
    default: false
    }
  }
}
