import BackendKit

/// What a description says of a service as a whole.
struct ServiceFacts {
  let facts: Facts

  /// The service; what is wrong with it goes to the reading.
  func service(
    hooks: (_ plugin: String, _ name: String) throws(BackendError) -> Service.Hooks
  ) -> Service {
    for key in ["$schema", "switchboard", "preset", "login"] { _ = facts[key] }
    let requests = RequestFacts(facts: facts)
    var service = Service(
      product: facts.text("product") ?? "REST", apiVersion: requests.versionName(), resources: resources())
    var root = Service.Resource("", at: .base, identifier: IdentifierRule(form: .text))
    requests.address(&root)
    if !root.headers.isEmpty { service.headers = root.headers }
    service.readingHeaders = root.readingHeaders
    if let type = root.contentType { service.contentType = type }
    if let errors = requests.errors() { service.errors = errors }
    if facts["fallbackResource"] != nil { service.others = resource("", facts.section("fallbackResource", .resource)) }
    service.inspection = inspection()
    service.hooks = self.hooks(hooks)
    return service
  }

  // MARK: Resources

  private func resources() -> [Service.Resource] {
    facts.sections("resources", .resource).compactMap { resource($0.name, $0.facts) }
  }

  /// A resource: what is said of it over what is said of all.
  private func resource(_ name: String, _ own: Facts) -> Service.Resource? {
    guard let node = own.node, let all = facts.node else { return nil }
    for key in Section.sharedKeys { facts.reading.asks(key.name, of: .description) }
    let shared = all.only(Section.sharedKeys.map(\.name))
    let whole = node.over(shared, .section(.resource))
    let isOpen = facts["fallbackResource"] != nil || facts["discovery"]?["catalog"] != nil
    let known = facts["resources"]?.members?.map(\.name)
    return ResourceFacts(
      name: name, facts: Facts(.resource, whole, at: own.place, facts.reading), known: isOpen ? nil : known
    ).resource()
  }

  private func inspection() -> Service.Inspection {
    let inspection = facts.section("discovery", .discovery)
    let proof = inspection.value("healthyWhen")?.object?.members.map { $0 }.first
    let catalog = inspection.text("catalog")
    return Service.Inspection(
      about: inspection.path("about"), version: inspection.text("version"),
      proof: proof.map { (name: $0.0, value: $0.1) }, readsList: inspection.flag("readsList"),
      samples: inspection.flag("infersFields"), catalog: catalog, overview: inspection.path("overview"))
  }

  // MARK: Hooks

  private func hooks(
    _ named: (_ plugin: String, _ name: String) throws(BackendError) -> Service.Hooks
  ) -> Service.Hooks {
    let section = facts.section("hooks", .hooks)
    var hooks = Service.Hooks()
    for hook in Hook.allCases {
      guard let text = section.text(hook.rawValue) else { continue }
      let parts = text.split(separator: "/").map(String.init)
      guard parts.count == 2 else { continue }
      do {
        if hook.take(from: try named(parts[0], parts[1]), into: &hooks) { continue }
        section.mistake("\(text) has no hook \(hook.rawValue)", at: hook.rawValue)
      } catch { section.mistake(error.message, at: hook.rawValue, hint: error.hint) }
    }
    return hooks
  }
}
