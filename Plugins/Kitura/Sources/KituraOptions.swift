import BackendKit

/// The configuration of this adapter.
struct KituraOptions: Sendable {
  /// The options as data.
  static let descriptions = [
    OptionDescription("resource", .text, default: "todos", help: "the name of the resource in commands"),
    OptionDescription(
      "healthPath", .text, default: "health", help: "path of the health check; not all variants have one"),
    OptionDescription(
      "create", .choice(["any", "complete"]), default: "any",
      help: "complete: the server fails on a todo without title, user and order, so these are required"),
    OptionDescription(
      "put", .choice(["present", "absent"]), default: "present",
      help: "whether the server has a PUT, without which no field can be cleared"),
    OptionDescription(
      "delete", .choice(["strict", "lenient"]), default: "strict",
      help: "lenient: DELETE of a missing record succeeds; the console checks first"),
  ]

  /// The resource's name.
  let resource: String
  /// The path at which the server reports whether it is up.
  let healthPath: RequestPath
  /// True if the server accepts only todos with title, user and order.
  let needsAll: Bool
  /// True if the server can replace records.
  let hasPut: Bool
  /// True if the server gives the same response when the record to delete does not exist.
  let deletesAnything: Bool

  /// The options of a backend; throws `misconfigured` where one cannot be used.
  init(_ settings: BackendSettings) throws(BackendError) {
    resource = try settings.text("resource", of: Self.descriptions)
    healthPath = try settings.path("healthPath", of: Self.descriptions)
    needsAll = try settings.text("create", of: Self.descriptions) == "complete"
    hasPut = try settings.text("put", of: Self.descriptions) == "present"
    deletesAnything = try settings.text("delete", of: Self.descriptions) == "lenient"
  }
}
