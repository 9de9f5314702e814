import BackendKit

/// What the configuration tells this adapter.
struct GrailsOptions: Sendable {
  /// The options as data.
  static let descriptions = [
    OptionDescription(
      "apiVersion", .choice(["1.0", "2.0"]), standard: "2.0",
      help: "the version of the interface that is read; lists of 2.0 leave bodies out", isSwitchable: true),
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
    apiVersion = try Self.text("apiVersion", settings)
    readPath = try Self.path("readPath", settings)
    writePath = try Self.path("writePath", settings)
    resource = try Self.text("resource", settings)
  }

  /// Whether a list of this version holds whole records.
  var listsBodies: Bool { apiVersion == "1.0" }

  private static func text(_ name: String, _ settings: BackendSettings) throws(BackendError) -> String {
    let standard = descriptions.first { $0.name == name }?.standard?.text
    guard let text = settings.text(name) ?? standard, !text.isEmpty else {
      throw BackendError(
        .misconfigured, "the option \(name) of \(settings.name) is empty", effect: .notSent,
        hint: standard.map { "leave it out for \"\($0)\"" })
    }
    return text
  }

  private static func path(_ name: String, _ settings: BackendSettings) throws(BackendError) -> RequestPath {
    let text = try text(name, settings)
    let segments = text.split(separator: "/").map(String.init)
    if !segments.isEmpty, let path = try? RequestPath(segments: segments) { return path }
    throw BackendError(
      .misconfigured, "the option \(name) of \(settings.name) is no path: \"\(text)\"", effect: .notSent,
      hint: "write the names below the backend's address, joined by slashes")
  }
}
