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
    resource = try Self.text("resource", settings)
    healthPath = try Self.path("healthPath", settings)
  }

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
