import BackendKit

/// What the configuration says, read once and checked.
struct BaasicOptions: Sendable {
  /// Resources known without asking.
  var schemas: [BaasicSchema] = []
  /// Whether updates replace the whole record.
  var replaces = false
  /// How many records a page has where nobody says.
  var pageSize = 100
  /// What list and get embed.
  var embed: String?

  init(_ settings: BackendSettings) throws(BackendError) {
    switch settings.text("update") {
    case nil, "patch"?: break
    case "put"?: replaces = true
    case let text?: throw .misconfigured("update is \"\(text)\"; it can be patch or put")
    }
    if let value = settings.options["pageSize"], value != .null {
      guard let size = value.integer, size >= 1 else { throw .misconfigured("pageSize must be 1 or more") }
      pageSize = size
    }
    embed = settings.text("embed").flatMap { $0.isEmpty ? nil : $0 }
    guard let resources = settings.options["resources"], resources != .null else { return }
    guard let named = resources.object else { throw .misconfigured("resources must be an object of names") }
    for (name, fields) in named.members { schemas.append(try Self.schema(name, fields)) }
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

extension BackendError {
  /// A configuration that the adapter cannot work with.
  static func misconfigured(_ message: String, hint: String? = nil) -> BackendError {
    BackendError(.misconfigured, message, effect: .notSent, hint: hint)
  }
}
