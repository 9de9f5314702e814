import BackendKit

/// What the configuration tells this adapter.
struct GrailsOptions: Sendable {
  /// The options as data.
  static let descriptions = [
    OptionDescription(
      "apiVersion", .text, default: "2.0",
      help: "the version of the interface, none for no version; lists of all but 1.0 may leave bodies out",
      isSwitchable: true, headerField: "Accept-Version"),
    OptionDescription(
      "versionIn", .choice(["header", "accept", "path"]), default: "header",
      help: "where the version is named: Accept-Version, Accept, or {version} in the paths"),
    OptionDescription(
      "readPath", .text, default: "announcements", help: "where records are read, below the backend's address"),
    OptionDescription(
      "writePath", .text, default: "announcement", help: "where records are written, below the backend's address"),
    OptionDescription("resource", .text, default: "announcements", help: "what commands call the resource"),
  ]

  /// The version asked for; nil for none.
  let apiVersion: String?
  /// The header fields that name it.
  let versionHeaders: [(String, String)]
  /// Where records are read.
  let readPath: RequestPath
  /// Where records are written.
  let writePath: RequestPath
  /// The resource's name.
  let resource: String

  /// The options of a backend; throws `misconfigured` where one cannot be used.
  init(_ settings: BackendSettings) throws(BackendError) {
    let version = try settings.text("apiVersion", of: Self.descriptions)
    guard version.utf8.allSatisfy({ 0x21...0x7E ~= $0 && !",;/\"{}".utf8.contains($0) }) else {
      throw .misconfigured("the option apiVersion of \(settings.name) is not a version: \"\(version)\"")
    }
    apiVersion = version == "none" ? nil : version
    let place = try settings.choice("versionIn", of: Self.descriptions)
    let accept = place == "accept" ? apiVersion.map { "application/json;v=\($0)" } : nil
    // Any other type reaches another renderer or status 406.
    versionHeaders =
      [("Accept", accept ?? "application/json")]
      + (place == "header" ? apiVersion.map { [("Accept-Version", $0)] } ?? [] : [])
    var paths: [RequestPath] = []
    for name in ["readPath", "writePath"] {
      let path = try settings.path(name, of: Self.descriptions)
      let segments = path.segments.map { $0.replacing(text: "{version}", with: version) }
      let isNamed = path.segments.contains { $0.contains(text: "{version}") }
      guard isNamed == (place == "path") || apiVersion == nil && !isNamed else {
        throw .misconfigured(
          "the option \(name) of \(settings.name) \(isNamed ? "has" : "has no") {version}",
          hint: "versionIn is path where, and only where, both paths have it")
      }
      paths.append(try RequestPath(segments: segments))
    }
    (readPath, writePath) = (paths[0], paths[1])
    resource = try settings.text("resource", of: Self.descriptions)
  }

  /// Whether a list of this version holds whole records.
  var listsBodies: Bool { apiVersion == "1.0" }
}
