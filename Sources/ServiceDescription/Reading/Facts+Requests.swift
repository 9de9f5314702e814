import BackendKit

/// The facts that say how requests are made and what failures mean.
struct RequestFacts {
  let facts: Facts

  /// How addresses are made, and what goes with each request.
  func address(_ resource: inout Service.Resource) {
    let base = facts.section("base", .base)
    resource.headers = base.pairs("headers") ?? []
    resource.readingHeaders = base.pairs("readingHeaders") ?? []
    resource.itemHeaders = base.pairs("itemHeaders") ?? []
    resource.contentType = base.text("contentType")
    resource.addressing.suffix = base.text("suffix") ?? ""
    resource.addressing.version = version(base.section("version", .version))
    if let arrays = base.arrays("arrays") { resource.addressing.lists = arrays }
    let paths = facts.section("paths", .paths)
    let (item, condition) = (paths.text("item"), paths.text("itemFilter"))
    resource.hasItems = !paths.isNull("item") || condition != nil
    if let condition { resource.addressing.item = .filter(value: condition) }
    switch item {
    case nil, "below"?: break
    case "key"?: resource.addressing.item = .key
    case "self"?: resource.addressing.item = .root
    case let template?:
      let halves = template.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
      let pairs = halves.dropFirst().flatMap { $0.split(separator: "&", omittingEmptySubsequences: false) }
      let names = pairs.map { $0.prefix { $0 != "=" } }
      guard template.utf8.contains(UInt8(ascii: "{")), RequestPath.written(String(halves[0])) != nil,
        !names.contains("")
      else {
        return paths.mistake(
          "\"\(template)\" is not a valid path to one record", at: "item", hint: "below, key, self or a path with {id}")
      }
      for name in names {
        guard let problem = ReservedName.problem(ofParameter: String(name)) else { continue }
        paths.mistake("\(name) cannot be described", at: "item", hint: "\(problem); leave it out here")
      }
      resource.addressing.item = .template(template)
    }
  }

  private func version(_ version: Facts) -> Service.VersionPlace? {
    let name = version.text("name")
    let place = version.text("in")
    if let place, place != "path", version["name"] == nil {
      version.mistake("name is missing", hint: place == "accept" ? "for example application/json;v={version}" : nil)
    }
    if place == "header", let name, let problem = ReservedName.problem(ofHeader: name) {
      version.mistake("\(name) cannot be described", at: "name", hint: "\(problem); name another one here")
    }
    switch place {
    case "header"?: return name.map { .header($0) }
    case "accept"?: return name.map { .accept($0) }
    case "parameter"?: return name.map { .parameter($0) }
    case "path"?: return .path
    default: return nil
    }
  }

  /// The version that is asked for.
  func versionName() -> String? { facts.section("base", .base).section("version", .version).text("value") }

  /// What error responses look like; nil where it is not said.
  func errors() -> Service.Errors? {
    let errors = facts.section("errors", .errors)
    let messages = (errors.texts("message") ?? []).compactMap(MemberPath.names)
    let (code, fields) = (errors.member("code"), fieldMessages(errors.section("fields", .fieldMessages)))
    let meanings = errors.sections("errorMappings", .errorMapping).map { meaning($0.facts) }
    return errors.isThere ? Service.Errors(messages: messages, code: code, fields: fields, meanings: meanings) : nil
  }

  private func fieldMessages(_ facts: Facts) -> Service.FieldMessages? {
    let (place, isObject) = (facts.member("errorsPath"), facts.text("layout") == "object")
    let (field, message) = (facts.member("field"), facts.member("message") ?? ["message"])
    let prefixes = facts.texts("prefixes")
    guard facts.isThere else { return nil }
    guard let place else {
      facts.mistake("errorsPath is missing", hint: "$ is the response itself")
      return nil
    }
    if !isObject, field == nil { facts.mistake("field is missing", hint: "for example field: field") }
    var messages =
      isObject
      ? Service.FieldMessages(place, message: message)
      : Service.FieldMessages(place, field: field ?? [], message: message)
    if let prefixes { messages.prefixes = Set(prefixes) }
    return messages
  }

  private func meaning(_ facts: Facts) -> Service.Meaning {
    let value = facts.value("value")
    var meaning = Service.Meaning(
      statuses: Set(facts.integers("statuses")), has: facts.member("member").map { (path: $0, value: value) },
      says: facts.text("messageContains"), code: facts.text("code").flatMap { BackendError.Code(rawValue: $0) },
      isApplied: facts.flag("applied"), isEmptyList: facts.flag("emptyList"), hint: facts.text("hint"))
    meaning.isAlreadyDone = facts.flag("alreadyDone")
    return meaning
  }

  /// How often the service may be asked.
  func limits() -> Service.Limits {
    let section = facts.section("limits", .limits)
    var limits = Service.Limits()
    limits.statuses = Set(section.integers("statuses"))
    limits.remaining = section.text("remaining")
    limits.reset = section.text("reset")
    if let form = section.text("resetForm") { limits.resetForm = Service.Limits.Reset(rawValue: form) ?? .seconds }
    limits.perSecond = section.integer("perSecond")
    limits.concurrent = section.integer("concurrent")
    return limits
  }
}
