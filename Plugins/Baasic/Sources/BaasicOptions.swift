import BackendKit

/// What the configuration tells this adapter.
struct BaasicOptions: Sendable {
  /// How many records a page has where nobody says.
  static let defaultPageSize = 100

  /// The options as data.
  static let descriptions = [
    OptionDescription(
      "resources", .object,
      help: "resources known without a request, each with its fields and their kinds: {\"todo\": {\"title\": \"text\"}}"
    ),
    OptionDescription(
      "update", .choice(["patch", "put"]), default: "patch",
      help: "whether an update sends what changed, or reads, changes and sends the whole record", isSwitchable: true),
    OptionDescription(
      "embed", .text, help: "what list and get embed in each record, separated by commas", isSwitchable: true),
  ]

  /// Resources known without asking.
  let schemas: [BaasicSchema]
  /// Whether updates replace the whole record.
  let replaces: Bool
  /// What list and get embed.
  let embed: String?

  /// The options of a backend; throws `misconfigured` where one cannot be used.
  init(_ settings: BackendSettings) throws(BackendError) {
    replaces = try settings.choice("update", of: Self.descriptions) == "put"
    embed = settings.text("embed").flatMap { $0.isEmpty ? nil : $0 }
    schemas = try Self.schemas(settings.options["resources"] ?? .null)
  }

  private static func schemas(_ value: Value) throws(BackendError) -> [BaasicSchema] {
    guard value != .null else { return [] }
    guard let named = value.object else { throw .misconfigured("resources must be an object of names") }
    var schemas: [BaasicSchema] = []
    for (name, fields) in named.members { schemas.append(try schema(name, fields)) }
    return schemas
  }

  private static func schema(_ name: String, _ value: Value) throws(BackendError) -> BaasicSchema {
    guard value != .null else { return BaasicSchema(name: name, source: .unknown) }
    guard let kinds = value.object else { throw .misconfigured("resources.\(name) must be an object of fields") }
    var fields: [FieldDescription] = [BaasicSchema.identifier]
    for (field, value) in kinds.members where field != "id" {
      guard let word = value.text, let kind = FieldDescription.Kind(rawValue: word) else {
        let words = FieldDescription.Kind.allCases.map(\.rawValue).joined(separator: ", ")
        throw .misconfigured("resources.\(name).\(field) must be one of \(words)")
      }
      fields.append(FieldDescription(field, kind))
    }
    return BaasicSchema(name: name, fields: fields, source: .configuration)
  }
}
