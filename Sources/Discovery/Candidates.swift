import BackendKit

/// A resource that a service may have.
struct Candidate {
  let name: String
  /// The path of its collection from the origin's root.
  let collection: String
  var documented: DocumentedResource?
}

/// A list below the records of another resource.
struct NestedCandidate {
  let name: String
  /// The resource whose records it is below.
  let owner: String
  let documented: DocumentedResource
  /// The path of a single record, where the document has one that is not below the owner.
  let item: String?

  /// The list's path as it is shown, with a variable.
  var shape: String { documented.collection.template }

  /// The list below one record.
  func target(below id: RecordID) -> Target {
    let parts = shape.split(separator: "/", omittingEmptySubsequences: false).map { part in
      part.hasPrefix("{") ? PercentEncoding.encode(id.text) : String(part)
    }
    return Target(parts.joined(separator: "/"), shownAs: shape)
  }
}

/// Finds the resources of a service: those that its document has, that its root names, and that the operator names.
struct Candidates {
  /// The most resources that are looked at.
  static let most = 50

  private(set) var list: [Candidate]
  /// The lists below records of these, as far as a document tells of them.
  private(set) var nested: [NestedCandidate] = []
  private var seen: [String: Int] = [:]

  /// These; each that is added must be another.
  init(_ list: [Candidate] = []) { self.list = list }

  private mutating func add(_ candidate: Candidate) {
    let plain = Self.plain(candidate.collection)
    if let place = seen[plain] {
      list[place].documented = list[place].documented ?? candidate.documented
      return
    }
    guard list.count < Self.most else { return }
    seen[plain] = list.count
    list.append(candidate)
  }

  /// Without a query and a slash at the end.
  static func plain(_ path: String) -> String {
    let path = path.prefix { $0 != "?" }
    return String(path.dropLast(path.hasSuffix("/") ? 1 : 0))
  }

  /// The resources of a document below the base whose paths have no variables.
  mutating func add(_ document: ServiceDocument, below base: String) {
    let all = DocumentedResource.all(in: document).filter { Self.plain($0.collection.template).hasPrefix(base) }
    for resource in all where resource.collection.variables == 0 {
      add(Candidate(name: resource.name, collection: resource.collection.template, documented: resource))
    }
    for resource in all where resource.collection.variables == 1 && nested.count < Self.most {
      let path = resource.collection.plain
      guard let owner = all.first(where: { $0.item.map { path.hasPrefix($0.plain + "/") } == true }),
        owner.collection.variables == 0
      else { continue }
      let item = document.paths.first { other in
        other.endsInVariable && other.variables == 1 && other.operations["GET"] != nil
          && other.template.split(separator: "/").dropLast().last.map(String.init) == resource.name
      }
      nested.append(
        NestedCandidate(name: resource.name, owner: owner.name, documented: resource, item: item?.template))
    }
  }

  /// The resources that the root names: members with an address, and lists of links. Where it is not a list itself, these may
  /// stand in an object of their own.
  mutating func add(root answer: Answer?, base: String, isList: Bool = false) {
    guard let object = answer?.document?.object else { return }
    func add(_ name: String?, _ template: String) {
      // The parameters of a template may all be left out.
      let address = template.firstRange(ofText: "{?").map { String(template[..<$0.lowerBound]) } ?? template
      var path = Link.rootPath(address)
      if path == nil, !address.contains(text: "://") { path = base + "/" + address }
      guard let path, Self.plain(path).hasPrefix(base + "/"), !path.contains("{"), !path.contains("?") else { return }
      let last = Self.plain(path).split(separator: "/").last.map(String.init)
      guard let name = last ?? name, !name.isEmpty, Self.plain(path) != base else { return }
      self.add(Candidate(name: name, collection: path))
    }
    let inner =
      isList ? [] : object.members.compactMap { $0 == "_links" || Self.address(in: $1) != nil ? nil : $1.object }
    for (name, value) in object.members.map({ $0 }) + inner.flatMap({ $0.members.map { $0 } }) {
      if let text = value.text ?? Self.address(in: value), text.contains(text: "://") || text.hasPrefix("/") {
        add(name, text)
      }
      if name == "Resources" {
        for item in value.array ?? [] {
          if let endpoint = item.object?["endpoint"]?.text { add(item.object?["name"]?.text, base + endpoint) }
        }
      }
    }
    for (name, link) in object["_links"]?.object?.members.map({ $0 }) ?? [] where name != "self" && name != "profile" {
      for link in link.array ?? [link] {
        if let address = link.object?["href"]?.text { add(link.object?["title"]?.text ?? name, address) }
      }
    }
  }

  /// The address of a list in what a root has of a resource; nil where none is there.
  private static func address(in value: Value) -> String? {
    let members = value.object
    return ["list_endpoint", "href", "url", "uri", "self"].lazy.compactMap { members?[$0]?.text }.first
  }

  /// The resources that the operator names, by name or by path; all others go.
  mutating func keep(only names: [String], base: String, endsInSlash: Bool) {
    guard !names.isEmpty else { return }
    nested.removeAll { !names.contains($0.name) }
    let below = Set(nested.map(\.name)).subtracting(list.map(\.name))
    let owners = nested.map(\.owner).filter { !names.contains($0) }
    let wanted =
      names.filter { !below.contains($0) } + owners.enumerated().filter { owners.firstIndex(of: $1) == $0 }.map(\.1)
    let found = wanted.map { name -> Candidate in
      if let known = list.first(where: { $0.name == name || Self.plain($0.collection) == base + "/" + name }) {
        return known
      }
      let path = name.hasPrefix("/") ? name : base + "/" + name
      let last = Self.plain(path).split(separator: "/").last.map(String.init) ?? name
      return Candidate(name: last, collection: path + (endsInSlash && !path.hasSuffix("/") ? "/" : ""))
    }
    list = found
  }

  /// The one resource that an address leads to by itself.
  mutating func add(itself target: String) {
    let last = Self.plain(target).split(separator: "/").last.map(String.init) ?? "records"
    add(Candidate(name: last.hasSuffix(".json") ? String(last.dropLast(5)) : last, collection: target))
  }
}
