import BackendKit

/// The configuration of this adapter.
struct GrailsOptions: Sendable {
  private static let mediaType = "application/json;v={version}"
  /// The options as data.
  static let descriptions = [
    OptionDescription(
      "apiVersion", .text, default: "2.0",
      help: "the API version, or none to send none; with any version but 1.0, lists may omit bodies",
      isSwitchable: true, headerField: "Accept-Version"),
    OptionDescription(
      "versionIn", .choice(["header", "accept", "path"]), default: "header",
      help: "where to send the version: Accept-Version, Accept, or {version} in the paths"),
    OptionDescription(
      "mediaType", .text, default: .string(mediaType),
      help: "the Accept header with {version} in it, if versionIn is accept"),
    OptionDescription(
      "readPath", .text, default: "announcements", help: "where records are read, below the backend's address"),
    OptionDescription(
      "writePath", .text, default: "announcement", help: "where records are written, below the backend's address"),
    OptionDescription("resource", .text, default: "announcements", help: "the name of the resource in commands"),
    OptionDescription(
      "resources", .object,
      help:
        "other domain classes: {\"books\": {\"readPath\": \"book\", \"writePath\": \"book\", \"fields\": {\"title\": \"text\"}}}"
    ),
  ]

  /// The version asked for; nil for none.
  let apiVersion: String?
  /// The place of the version in a request.
  let versionPlace: Service.VersionPlace
  /// The path at which records are read.
  let readPath: RequestPath
  /// The path at which records are written.
  let writePath: RequestPath
  /// The resource's name.
  let resource: String
  /// The other domain classes.
  let others: [DomainClass]

  /// A domain class known only from the configuration.
  struct DomainClass: Sendable {
    var name: String
    var readPath: RequestPath
    var writePath: RequestPath
    var fields: [FieldDescription]
  }

  /// The options of a backend; throws `misconfigured` where one cannot be used.
  init(_ settings: BackendSettings) throws(BackendError) {
    let version = try settings.text("apiVersion", of: Self.descriptions)
    guard version.utf8.allSatisfy({ 0x21...0x7E ~= $0 && !",;/\"{}".utf8.contains($0) }) else {
      throw .misconfigured("the option apiVersion of \(settings.name) is not a version: \"\(version)\"")
    }
    apiVersion = version == "none" ? nil : version
    let type = try settings.text("mediaType", of: Self.descriptions)
    let place = try settings.choice("versionIn", of: Self.descriptions)
    guard place == "accept" || type == Self.mediaType else {
      throw .misconfigured(
        "the option mediaType of \(settings.name) has no effect: versionIn is \(place)", hint: "set versionIn to accept"
      )
    }
    switch place {
    case "accept":
      guard type.contains(text: "{version}") else {
        throw .misconfigured("the option mediaType of \(settings.name) has no {version}")
      }
      versionPlace = .accept(type)
    case "path": versionPlace = .path
    default: versionPlace = .header("Accept-Version")
    }
    let isInPath = versionPlace == .path && apiVersion != nil
    func path(_ text: String, _ option: String) throws(BackendError) -> RequestPath {
      let path = try settings.path(text, as: option)
      let isNamed = path.segments.contains { $0.contains(text: "{version}") }
      guard isNamed == isInPath else {
        throw .misconfigured(
          "the option \(option) of \(settings.name) \(isNamed ? "has" : "has no") {version}",
          hint: "versionIn is path if, and only if, the paths have it")
      }
      return path
    }
    readPath = try path(try settings.text("readPath", of: Self.descriptions), "readPath")
    writePath = try path(try settings.text("writePath", of: Self.descriptions), "writePath")
    resource = try settings.text("resource", of: Self.descriptions)
    var others: [DomainClass] = []
    for (name, value) in try settings.members(settings.options["resources"], as: "resources") {
      let facts = Object(try settings.members(value, as: "resources.\(name)"))
      let read = facts["readPath"]?.text ?? name
      others.append(
        DomainClass(
          name: name, readPath: try path(read, "resources.\(name).readPath"),
          writePath: try path(facts["writePath"]?.text ?? read, "resources.\(name).writePath"),
          fields: try settings.fields(facts["fields"], as: "resources.\(name).fields")))
    }
    self.others = others
  }

  /// True if a list of this version holds whole records; nil if unknown.
  var listsBodies: Bool? { apiVersion == "1.0" ? true : apiVersion == "2.0" ? false : nil }
}
