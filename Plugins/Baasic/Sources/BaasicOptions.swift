import BackendKit

/// The configuration of this adapter.
struct BaasicOptions: Sendable {
  /// The default number of records per page.
  static let defaultPageSize = 100

  /// The options as data.
  static let descriptions = [
    OptionDescription(
      "resources", .object,
      help:
        "resources configured here instead of requested, each with its fields and their types: {\"todo\": {\"title\": \"text\"}}"
    ),
    OptionDescription(
      "update", .choice(["patch", "put"]), default: "patch",
      help: "whether an update sends what changed, or reads, changes and sends the whole record", isSwitchable: true),
    OptionDescription(
      "embed", .text, help: "what list and get embed in each record, separated by commas", isSwitchable: true),
  ]

  /// The backend's name in the configuration.
  let name: String
  /// Resources known without asking.
  let schemas: [BaasicSchema]
  /// True if updates replace the whole record.
  let replaces: Bool
  /// The data that list and get ask the server to embed; nil for none.
  let embed: String?

  /// The options of a backend; throws `misconfigured` where one cannot be used.
  init(_ settings: BackendSettings) throws(BackendError) {
    name = settings.name
    replaces = try settings.choice("update", of: Self.descriptions) == "put"
    embed = settings.text("embed").flatMap { $0.isEmpty ? nil : $0 }
    schemas = try settings.members(settings.options["resources"], as: "resources").map {
      name, value throws(BackendError) in
      guard value != .null else { return BaasicSchema(name: name, source: .unknown) }
      let fields = try settings.fields(value, as: "resources.\(name)").filter { $0.name != "id" }
      return BaasicSchema(name: name, fields: [BaasicSchema.identifier] + fields, source: .configuration)
    }
  }
}
