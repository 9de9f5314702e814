import BackendKit

/// The keys of a whole description: the service, its discovery and its hooks.
struct ServiceFacts: Facts {
  let from: SectionNode

  /// Reads the service. Mistakes are added to the reading.
  func service(
    beside companion: DescriptionSource.Companion? = nil,
    hooks named: (_ plugin: String, _ name: String) throws(BackendError) -> Service.Hooks
  ) -> Service {
    _ = text("$schema", "the address of the JSON schema, for editors; not read")
    _ = integer("switchboard", 1...1, "the version of this format")
    _ = text("preset", "the preset that this description is based on; give only the differences")
    let product = text("product", "the name of the product, for display")
    _ = value("login", "how the console logs in to the service, as in the configuration")
    let inspection = Self(section(.discovery, "how `describe` examines the service", formerly: "inspection"))
      .inspection()
    let hooks = Self(section(.hooks, "plugin functions for what data cannot express; only in a trusted configuration"))
      .hooks(named)
    var root = Service.Resource.blank("")
    // The other sections are read with each resource, which may complete them.
    let version = ResourceFacts(only { ["base", "paths", "errors"].contains($0) }).shared(&root).version
    let own = sections("resources", of: "resource", .resource, "the resources that are known, by name")
    let others = section(
      .resource, at: "fallbackResource",
      "the settings for every other resource; its name replaces `{resource}` in paths", formerly: "others")
    let outlined = DocumentedFacts(section(.documented, "resources that only a document of the service describes"))
      .resources(
        below: node?.only(["base", "errors", "limits"].contains), besides: Set(own.map(\.name)), in: companion)
    let isOpen = others.node != nil || inspection.catalog != nil
    let documented = outlined?.outlines.map(\.name) ?? []
    let known = isOpen ? nil : (node?["resources"]?.members?.map(\.name) ?? []) + documented
    func resource(_ name: String, _ section: SectionNode) -> Service.Resource? {
      let shared = node?.only(Section.sharedKeys.contains)
      return section.node.map { ResourceFacts(below($0.over(shared, .section(.resource)))) }?
        .resource(name, known: known)
    }
    var service = Service(
      product: product ?? "REST", apiVersion: version, resources: own.compactMap { resource($0.name, $0.section) })
    if !root.headers.isEmpty { service.headers = root.headers }
    service.readingHeaders = root.readingHeaders
    if let type = root.contentType { service.contentType = type }
    if let errors = root.errors { service.errors = errors }
    service.others = resource("", others)
    service.outlined = outlined
    service.inspection = inspection
    service.hooks = hooks
    return service
  }

  func inspection() -> Service.Inspection {
    var inspection = Service.Inspection()
    inspection.about = path("about", "where the service gives information about itself; `/` is the address itself")
    inspection.version = text("version", "the member of that response with the product's version")
    inspection.proof =
      object(
        "healthyWhen", of: "member", "a member of that response and the value it has if the service is up",
        formerly: "proof")?.members.map { (name: $0, value: $1) }.first
    inspection.readsList = flag(
      "readsList", "whether the first page of the first resource is read, to detect a wrong address")
    inspection.samples = flag(
      "infersFields", "whether undescribed fields are learned from the first record", formerly: "samples")
    inspection.catalog = text(
      "catalog", "the resource whose records describe the others; needs the hook `discoverResources`")
    inspection.overview = path(
      "overview", "where one response describes everything; needs the hook `discoverResources`")
    return inspection
  }

  func hooks(_ named: (_ plugin: String, _ name: String) throws(BackendError) -> Service.Hooks) -> Service.Hooks {
    var hooks = Service.Hooks()
    /// Takes one hook from those that a plugin exports under a name.
    func take<Function>(
      _ key: String, _ help: String, formerly: String, _ part: WritableKeyPath<Service.Hooks, Function?>
    ) -> Service.Hooks? {
      let parts = text(key, help, .hook, formerly: formerly)?.split(separator: "/").map(String.init) ?? []
      guard parts.count == 2 else { return nil }
      do {
        let theirs = try named(parts[0], parts[1])
        hooks[keyPath: part] = theirs[keyPath: part]
        if theirs[keyPath: part] == nil { mistake("\(parts[0])/\(parts[1]) has no hook \(key)", at: key) }
        return theirs
      } catch {
        mistake(error.message, at: key, hint: error.hint)
        return nil
      }
    }
    _ = take("compileQuery", "builds conditions in the service's own query language", formerly: "compile", \.compile)
    _ = take("encodeValues", "checks and changes values before they are sent", formerly: "encode", \.encode)
    _ = take("encodeBody", "builds the body of a write", formerly: "wrap", \.wrap)
    let decoding = take("decodeRecord", "builds a record from what the service sent", formerly: "decode", \.decode)
    hooks.decodeList = decoding?.decodeList
    _ = take("normalize", "how the service stores a value", formerly: "stored", \.stored)
    _ = take("itemPath", "the path of a record", formerly: "locate", \.locate)
    _ = take("classifyError", "what a failure means", formerly: "classify", \.classify)
    _ = take(
      "discoverResources", "turns the records of a catalog, or an overview, into resources", formerly: "learn", \.learn)
    _ = take("interceptWrite", "runs before a write, and handles its response", formerly: "step", \.step)
    reading.computesPages =
      take("nextPage", "computes the cursor or address of the next page", formerly: "next", \.next) != nil
    return hooks
  }
}

/// The source of facts. Only the word has an effect.
struct SourceFacts: Facts {
  let from: SectionNode

  func declare() {
    _ = read(
      "source", .either(.word(SourceWords.all), .section(.source)), "the source of the facts in this section",
      formerly: "because")
  }

  func declareKeys() {
    _ = read("from", .word(SourceWords.all), "where it is from")
    _ = text(
      "evidence", "what was observed, for example the version of a server, or a request and its response",
      formerly: "seen")
    _ = text("date", "the date it was observed, as `2026-11-25`")
    _ = text("version", "the version of the service on which it was observed")
  }
}

enum SourceWords {
  static let all: [Word] = [
    ("preset", "the preset"), ("document", "a document of the service"), ("probe", "a query to the service"),
    ("author", "the author of the description"), ("operator", "the operator, when asked"),
  ]
}
