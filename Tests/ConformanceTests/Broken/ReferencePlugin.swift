import BackendConformance
import BackendKit

/// The plugin of the reference, whose options can be misread.
struct ReferencePlugin: Sendable {
  /// Makes a resource from options.
  var make: @Sendable (Object) throws(BackendError) -> InMemoryResource = { options throws(BackendError) in
    try ReferencePlugin.resource(options)
  }

  /// The login scheme of the reference.
  var login = ReferencePlugin.scheme()

  /// A scheme whose requests have these methods.
  static func scheme(login: String = "POST", logout: String = "DELETE", identity: String = "GET") -> LoginScheme {
    LoginScheme(
      .login(LoginScheme.TokenLogin(LoginScheme.Call(login, .base), logout: LoginScheme.Call(logout, .base))),
      identity: LoginScheme.Call(identity, .base))
  }

  /// The options as data.
  static let options = [
    OptionDescription("pageSize", .integer, default: 4, help: "records per page where a list does not say"),
    OptionDescription("update", .choice(["partial", "replace"]), default: "partial", help: "how updates are sent"),
    OptionDescription("resource", .text, default: "notes", help: "the name of the resource in commands"),
    OptionDescription("isOpen", .boolean, default: false, help: "whether records may have other fields"),
    OptionDescription("names", .object, help: "resources that are there, too, each with whether it is open"),
  ]

  /// The plugin as a subject for the suite.
  var subject: ConformanceSubject {
    let plugin = Plugin(name: "reference", version: "1", summary: "the reference", options: Self.options, login: login)
    {
      [make] settings throws(BackendError) in
      var resources = [try make(settings.options)]
      for (name, isOpen) in (settings.options["names"]?.object ?? Object()).members {
        guard isOpen.object != nil else { throw .misconfigured("\(name) is not an object") }
        var resource = Reference.paged.resource
        resource.description.name = name
        resources.append(resource)
      }
      return PreparedBackend { [resources] in ReferenceBackend(resources, exchange: $0) }
    }
    var subject = ConformanceSubject(
      "reference", Reference.notes, exchange: ReferenceServer([Reference.paged.resource]), plugin: plugin)
    subject.waitsLong()
    return subject
  }

  /// The resource that these options make.
  static func resource(_ options: Object) throws(BackendError) -> InMemoryResource {
    let settings = BackendSettings(name: "reference", options: options)
    var resource = Reference.paged.resource
    resource.description.capabilities.defaultPageSize = try settings.count("pageSize", of: Self.options)
    resource.description.capabilities.pageCap = nil
    resource.description.capabilities.update =
      Capabilities.Update(rawValue: try settings.choice("update", of: Self.options)) ?? .partial
    resource.description.name = try settings.text("resource", of: Self.options)
    resource.description.isOpen = options["isOpen"]?.bool ?? false
    return resource
  }
}
