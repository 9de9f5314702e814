import BackendKit

/// What the configuration tells this adapter.
struct GrailsOptions: Sendable {
  /// The options as data.
  static let descriptions = [
    OptionDescription(
      "apiVersion", .choice(["1.0", "2.0"]), standard: "2.0",
      help: "the version of the interface that is read; lists of 2.0 leave bodies out", isSwitchable: true,
      headerField: "Accept-Version"),
    OptionDescription(
      "readPath", .text, standard: "announcements", help: "where records are read, below the backend's address"),
    OptionDescription(
      "writePath", .text, standard: "announcement", help: "where records are written, below the backend's address"),
    OptionDescription("resource", .text, standard: "announcements", help: "what commands call the resource"),
  ]

  /// The version asked for with each read.
  let apiVersion: String
  /// Where records are read.
  let readPath: RequestPath
  /// Where records are written.
  let writePath: RequestPath
  /// The resource's name.
  let resource: String

  /// The options of a backend; throws `misconfigured` where one cannot be used.
  init(_ settings: BackendSettings) throws(BackendError) {
    apiVersion = try settings.text("apiVersion", of: Self.descriptions)
    readPath = try settings.path("readPath", of: Self.descriptions)
    writePath = try settings.path("writePath", of: Self.descriptions)
    resource = try settings.text("resource", of: Self.descriptions)
  }

  /// Whether a list of this version holds whole records.
  var listsBodies: Bool { apiVersion == "1.0" }
}
