import BackendClient
import BackendKit

struct Candidate {
  var name: String
  /// The path of its collection from the origin's root.
  let collection: String
  var documented: DocumentedResource?
  /// The parameters that each of its requests has.
  var parameters: [(name: String, value: String)] = []
  /// True if the existing description has this resource.
  var isKnown = false

  init(_ collection: String, name: String? = nil, documented: DocumentedResource? = nil) {
    self.collection = collection
    self.documented = documented
    self.name = name ?? Candidates.last(collection) ?? "records"
  }
}

/// A list below the records of another resource.
struct NestedCandidate {
  var name: String
  /// The resource of the records above it.
  var owner: String
  /// The path of the owner's collection in the form of ``Candidates/plain(_:)``.
  let ownerPath: String
  let documented: DocumentedResource
  /// The path of a single record, if the document has one that is not below the owner.
  var item: String?
  /// The resource that may have the same records; nil if there is none.
  var same: String?
  var isKnown = false

  var shape: String { documented.collection.template }

  func target(below id: RecordID) -> ProbeTarget {
    let parts = shape.split(separator: "/", omittingEmptySubsequences: false).map { part in
      part.hasPrefix("{") ? PercentEncoding.encode(id.text) : String(part)
    }
    return ProbeTarget(parts.joined(separator: "/"), shownAs: shape)
  }
}

/// Collects the possible resources of a service: those in its document, in its root, and named by the operator.
struct Candidates {
  var list: [Candidate] = []
  /// The lists below records of these resources, as described by a document.
  var nested: [NestedCandidate] = []
  /// The candidates that are named but not read, with the reasons.
  private(set) var held: [(candidate: Candidate, reason: LinkGate.Refusal)] = []
  /// The lists below the base that a document describes, whether they can be read or not.
  private var described: [DocumentedResource] = []
  /// The names by the operator that stand for lists which cannot be read.
  private(set) var unread: [String] = []
  /// The names of candidates that were surveyed already.
  private(set) var looked: [String] = []
  private var seen: [String: Int] = [:]
  private var seenHeld: Set<String> = []
  private let gate: LinkGate
  /// The names, in lowercase, that belong to the records at paths such as `/repos/{owner}/{repo}`.
  private(set) var ownerNames: Set<String> = []
  /// The path above all of them.
  let base: String
  /// True if the address shows a page for people, so that lists may be at paths ending in `.json`.
  var hasPages = false
  var page: (address: String, title: String)?

  init(_ gate: LinkGate, base: String) {
    self.gate = gate
    self.base = base
  }

  /// Replaces the candidates by those that roots among them name. Surveyed ones keep their names.
  mutating func takeRoots(_ roots: [(path: String, answer: ProbeResponse)]) {
    looked += list.map(\.name)
    (list, nested, held) = ([], [], [])
    for (path, answer) in roots { add(root: answer, below: Self.plain(path)) }
    nameApart()
  }

  private mutating func add(_ candidate: Candidate, isLimited: Bool = true) {
    let plain = Self.plain(candidate.collection)
    if let place = seen[plain] {
      if list.indices.contains(place), Self.plain(list[place].collection) == plain {
        list[place].documented = list[place].documented ?? candidate.documented
      }
      return
    }
    guard !isLimited || looked.count + list.count < LinkGate.most else { return hold(candidate, .number) }
    seen[plain] = list.count
    list.append(candidate)
  }

  private mutating func hold(_ candidate: Candidate, _ reason: LinkGate.Refusal) {
    let plain = Self.plain(candidate.collection)
    guard seen[plain] == nil, held.count < 1_000, seenHeld.insert(plain).inserted else { return }
    held.append((candidate, reason))
  }

  /// Adds the candidates that others do not read.
  mutating func hold(_ others: Candidates) { for (candidate, reason) in others.held { hold(candidate, reason) } }

  /// A path without query, fragment and final slash.
  static func plain(_ path: String) -> String {
    let path = path.prefix { $0 != "?" && $0 != "#" }
    return String(path.dropLast(path.hasSuffix("/") ? 1 : 0))
  }

  /// A path of a description, encoded for a request.
  private static func sent(_ path: String) -> String {
    path.split(separator: "/", omittingEmptySubsequences: false).map { PercentEncoding.encode(String($0)) }
      .joined(separator: "/")
  }

  /// A path regardless of its encoding.
  private static func decoded(_ path: String) -> String { PercentEncoding.decoded(plain(path)[...]) ?? plain(path) }

  static func last(_ path: String) -> String? { plain(path).split(separator: "/").last.map(String.init) }

  /// A segment without the extension of a file, which all paths of a service may have.
  static func bare(_ segment: some StringProtocol) -> String {
    String(segment.hasSuffix(".json") && segment.count > 5 ? segment.dropLast(5) : segment[...])
  }

  /// Adds the lists of a document below the base that can be read: those whose paths have no variables, and those below
  /// their records. Lists that need a parameter without a known value are only described, as are those beyond the
  /// maximum unless `takesAll`. With a record below its own, a list below records is better described by the document,
  /// as reads show no writes; `takesParts` adds it nevertheless.
  mutating func add(_ document: ServiceDocument, takesAll: Bool, takesParts: Bool) {
    let all = document.lists.filter { resource in
      (Self.plain(resource.collection.template) + "/").hasPrefix(base + "/")
    }
    described = all
    let depth = base.split(separator: "/").count
    for path in document.paths where (Self.plain(path.template) + "/").hasPrefix(base + "/") {
      let segments = path.template.split(separator: "/").dropFirst(depth).prefix(2).map(String.init)
      if segments.count == 2, OutlinePlaces.isVariable(segments[1]), !OutlinePlaces.isVariable(segments[0]) {
        ownerNames.insert(segments[0].lowercased())
      }
    }
    let readable = all.filter { takesAll || $0.requiredParameters.isEmpty }
    for resource in readable where resource.collection.variables == 0 {
      let candidate = Candidate(resource.collection.template, name: resource.name, documented: resource)
      if let reason = gate.refusal(ofLink: candidate.collection, below: base) {
        hold(candidate, reason)
      } else if takesAll || looked.count + list.count < LinkGate.most {
        add(candidate, isLimited: false)
      }
    }
    let owners = Dictionary(
      all.compactMap { resource in resource.item.map { (Self.record($0), resource) } },
      uniquingKeysWith: { first, _ in first })
    let items = Dictionary(
      document.paths.filter { $0.endsInVariable && $0.variables == 1 && $0.operations["GET"] != nil }.map { path in
        (path.template.split(separator: "/").dropLast().last.map(String.init) ?? "", path)
      }, uniquingKeysWith: { first, _ in first })
    for resource in readable where resource.collection.variables == 1 {
      guard takesParts || resource.item == nil, let owner = owners[Self.record(resource.collection)],
        owner.collection.variables == 0,
        seen[Self.plain(owner.collection.template)] != nil, takesAll || nested.count < LinkGate.most
      else { continue }
      let path = resource.collection.template.split(separator: "/").map { $0.hasPrefix("{") ? "{}" : $0 }
      if let reason = gate.refusal(ofLink: "/" + path.joined(separator: "/"), below: base) {
        hold(Candidate(resource.collection.template, documented: resource), reason)
        continue
      }
      nested.append(
        NestedCandidate(
          name: resource.name, owner: owner.name, ownerPath: Self.plain(owner.collection.template),
          documented: resource, item: items[resource.name]?.template))
    }
  }

  /// The shape of a path up to its last variable: that of a record, or of the one above a list.
  private static func record(_ path: ServiceDocument.Path) -> String {
    let segments = path.plain.split(separator: "/").map(String.init)
    return OutlinePlaces.shape(segments.lastIndex(where: OutlinePlaces.isVariable).map { Array(segments[...$0]) } ?? [])
  }

  /// Adds the resources that the root names: members with an address, and lists of links, possibly in an object of
  /// their own. With a document, only what the document describes is read.
  mutating func add(
    root answer: ProbeResponse?, isList: Bool = false, hasDocument: Bool = false, below folder: String? = nil
  ) {
    guard let answer, let object = answer.document?.object else { return }
    let base = folder ?? base
    var templates: [String] = []
    func add(_ template: String) {
      // All parameters of a template are optional, and a fragment is not part of the address.
      let whole = template.firstRange(ofText: "{?").map { String(template[..<$0.lowerBound]) } ?? template
      let address = String(whole.prefix { $0 != "#" })
      var path = Link.rootPath(address)
      if path == nil, !address.contains(text: "://"), !address.prefix(while: { $0 != "/" }).contains(":") {
        path = base + "/" + address
      }
      guard let path, Self.plain(path).hasPrefix(base + "/"), Self.last(path) != nil, Self.plain(path) != base else {
        return
      }
      guard !path.contains("{") else { return templates.append(path) }
      let candidate = Candidate(path)
      let reason =
        gate.refusal(ofServerIn: address, below: self.base) ?? gate.refusal(ofLink: path, below: base, in: object)
      if let reason { return hold(candidate, reason) }
      guard !path.contains("?") else { return }
      if hasDocument, seen[Self.plain(path)] == nil {
        let isDescribed = described.contains { $0.collection.plain == Self.plain(path) }
        return isDescribed ? () : hold(candidate, .undocumented)
      }
      self.add(candidate)
    }
    let inner =
      isList ? [] : object.members.compactMap { $0 == "_links" || Self.address(in: $1) != nil ? nil : $1.object }
    for (name, value) in object.members.map({ $0 }) + inner.flatMap({ $0.members.map { $0 } }) {
      if let text = value.text ?? Self.address(in: value), text.contains(text: "://") || text.hasPrefix("/") {
        add(text)
      }
      if name == "Resources" {
        for item in value.array ?? [] {
          if let endpoint = item.object?["endpoint"]?.text { add(base + endpoint) }
        }
      }
    }
    for route in IndexShape(answer.document)?.routes ?? [] {
      add(route.hasPrefix(base + "/") ? route : base + route)
    }
    for (name, link) in object["_links"]?.object?.members.map({ $0 }) ?? [] where name != "self" && name != "profile" {
      for link in link.array ?? [link] {
        if let address = link.object?["href"]?.text { add(address) }
      }
    }
    if !hasDocument { templates.forEach { self.add(template: $0) } }
  }

  /// Adds a path such as `/projects/{id}/todos` if the lists of owners and records are candidates, too.
  private mutating func add(template path: String) {
    let segments = path.split(separator: "/").map(String.init)
    guard segments.count > 2, let last = segments.last, nested.count < LinkGate.most,
      OutlinePlaces.isVariable(segments[segments.count - 2]), segments.count(where: { $0.contains("{") }) == 1
    else { return }
    let owner = "/" + segments.dropLast(2).joined(separator: "/")
    guard seen[owner] != nil, list.contains(where: { Self.last($0.collection) == last }),
      !nested.contains(where: { $0.shape == path }),
      gate.refusal(ofLink: "\(owner)/{}/\(last)", below: base) == nil
    else { return }
    let documented = DocumentedResource(
      name: last, collection: ServiceDocument.Path(template: path, operations: [:]), item: nil, actions: [])
    nested.append(
      NestedCandidate(name: last, owner: Self.last(owner) ?? owner, ownerPath: owner, documented: documented))
  }

  /// Adds the collections of a json-server, which shows all of them in one document.
  mutating func add(database answer: ProbeResponse?) {
    guard let answer, answer.isSuccess else { return }
    for (name, value) in answer.document?.object?.members.map({ $0 }) ?? [] where value.array != nil {
      let candidate = Candidate(base + "/" + PercentEncoding.encode(name))
      if let reason = gate.refusal(ofLink: candidate.collection, below: base) {
        hold(candidate, reason)
      } else {
        add(candidate)
      }
    }
  }

  private static func address(in value: Value) -> String? {
    let members = value.object
    return ["list_endpoint", "href", "url", "uri", "link", "self"].lazy.compactMap { members?[$0]?.text }.first
  }

  /// Adds the single resource that the address itself leads to, as described by a document.
  mutating func add(itself target: String, in document: ServiceDocument?) {
    let last = Self.last(target) ?? "records"
    let documented = document.flatMap { document in
      document.lists.first { $0.matches(Self.plain(target)) }
    }
    add(Candidate(target, name: Self.bare(last), documented: documented))
  }

  var knownNames: [String] { list.filter(\.isKnown).map(\.name) + nested.filter(\.isKnown).map(\.name) }

  // MARK: What the operator names

  /// Keeps only the resources that the operator names by name or path. A name that several have means all of them.
  mutating func keep(only names: [String]) {
    guard !names.isEmpty else { return }
    let endsInSlash = list.allSatisfy { $0.collection.hasSuffix("/") } && !list.isEmpty
    var paths: [String] = []
    var shapes: Set<String> = []
    for name in names {
      let path = Self.plain(name.hasPrefix("/") ? name : base + "/" + name)
      var meant = list.filter { $0.name == name || Self.plain($0.collection) == path }
      var below = nested.filter { $0.name == name || $0.same == name || Self.plain($0.shape) == path }
      if meant.isEmpty, below.isEmpty {
        meant = list.filter { Self.last($0.collection) == name }
        below = nested.filter { Self.last($0.shape) == name }
      }
      if meant.isEmpty, below.isEmpty {
        // A verb that the operator names is read.
        guard held.contains(where: { Self.plain($0.candidate.collection) == path }) || !isDescribed(name, path) else {
          unread.append(name)
          continue
        }
        let known = held.first { Self.plain($0.candidate.collection) == path && !path.contains("{") }?.candidate
        let slash = endsInSlash && !name.hasSuffix("/") ? "/" : ""
        meant = [known ?? Candidate((name.hasPrefix("/") ? name : base + "/" + name) + slash)]
        list += meant
      }
      paths += meant.map { Self.plain($0.collection) }
      shapes.formUnion(below.map(\.shape))
    }
    nested.removeAll { !shapes.contains($0.shape) }
    paths += nested.map(\.ownerPath)
    held.removeAll { paths.contains(Self.plain($0.candidate.collection)) }
    var taken: Set<String> = []
    list = paths.filter { taken.insert($0).inserted }.flatMap { path in
      list.filter { Self.plain($0.collection) == path }
    }
    seen = Dictionary(
      list.enumerated().map { (Self.plain($1.collection), $0) }, uniquingKeysWith: { first, _ in first })
    nameApart()
  }

  /// Returns whether a name or path is that of a list which the document describes.
  private func isDescribed(_ name: String, _ path: String) -> Bool {
    let shape = OutlinePlaces.shape(path.split(separator: "/").map(String.init))
    return described.contains { resource in
      resource.name == name
        || OutlinePlaces.shape(resource.collection.plain.split(separator: "/").map(String.init)) == shape
    }
  }

  /// Keeps one list of an existing description. `sections` are what that says of its resource.
  mutating func take(only known: SurveyedList, _ sections: Object?, in document: ServiceDocument?) {
    let alike = document?.lists.filter { $0.matches(Self.plain(known.path)) } ?? []
    let documented = alike.min { $0.collection.variables < $1.collection.variables }
    var candidate = Candidate(known.path, name: known.name, documented: documented?.filled(at: known.path))
    let parameters = sections?["paths"]?.object?["parameters"]?.object?.members.map { $0 } ?? []
    candidate.parameters = parameters.map { ($0, $1.plainText) }
    candidate.isKnown = true
    (list, nested, held) = ([candidate], [], [])
  }

  /// Takes over the names of an existing description by its paths. A path that is not found becomes a candidate, as
  /// does each resource with a shared path.
  mutating func take(_ known: [KnownResource]) {
    for known in known {
      let path = Self.plain(base + "/" + Self.sent(known.path))
      func isKnown(_ candidate: Candidate) -> Bool { Self.decoded(candidate.collection) == Self.decoded(path) }
      if let place = list.firstIndex(where: isKnown) {
        if list[place].isKnown { list.append(list[place]) }
        let own = list[place].isKnown ? list.endIndex - 1 : place
        (list[own].name, list[own].isKnown) = (known.name, true)
        continue
      }
      let below = nested.firstIndex { nested in
        known.owners.contains { owner, last in
          list.first { Self.plain($0.collection) == nested.ownerPath }?.name == owner && Self.last(nested.shape) == last
        }
      }
      if let below {
        if nested[below].isKnown { nested.append(nested[below]) }
        let own = nested[below].isKnown ? nested.endIndex - 1 : below
        (nested[own].name, nested[own].isKnown, nested[own].same) = (known.name, true, nil)
      } else if known.owners.isEmpty {
        var candidate = held.first { isKnown($0.candidate) }?.candidate ?? Candidate(base + "/" + Self.sent(known.path))
        (candidate.name, candidate.isKnown) = (known.name, true)
        seen[path] = list.count
        list.append(candidate)
      }
    }
    nameApart()
  }
}
