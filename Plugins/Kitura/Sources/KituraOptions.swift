import BackendKit

/// What the configuration tells this adapter.
struct KituraOptions: Sendable {
  /// The options as data.
  static let descriptions = [
    OptionDescription("resource", .text, standard: "todos", help: "what commands call the resource"),
    OptionDescription(
      "healthPath", .text, standard: "health", help: "where the server says whether it is up; not all variants do"),
  ]

  /// The resource's name.
  let resource: String
  /// Where the server says whether it is up.
  let healthPath: RequestPath

  /// The options of a backend; throws `misconfigured` where one cannot be used.
  init(_ settings: BackendSettings) throws(BackendError) {
    resource = try settings.text("resource", of: Self.descriptions)
    healthPath = try settings.path("healthPath", of: Self.descriptions)
  }
}
