/// Resources below the records of others. Such a resource is written with its name, or the part of it after the name of
/// its owner: `repos/issues` below a record of `repos` is `issues`.
extension BackendDescription {
  /// Returns whether a resource has this name, without reading one.
  public func hasResource(named name: String) -> Bool {
    outlined?.outline(named: name) != nil || resource(named: name) != nil
  }

  /// The resource at a path; nil if it, or one of those whose records own its records, is not described.
  public func resource(at path: ResourcePath) -> ResourceDescription? {
    let found = resources(along: path)
    return found.count == path.parts.count / 2 + 1 ? found.last : nil
  }

  /// The resources that a path names, from the top, as far as they are described.
  public func resources(along path: ResourcePath) -> [ResourceDescription] {
    var found: [ResourceDescription] = []
    for place in stride(from: 0, to: path.parts.count, by: 2) {
      let name = path.parts[place]
      let next = found.isEmpty ? resource(named: name) : found.last.flatMap { resource(named: name, below: $0) }
      guard let next else { break }
      found.append(next)
    }
    return found
  }

  /// The resource that a name means below the records of another.
  public func resource(named name: String, below owner: ResourceDescription) -> ResourceDescription? {
    owner.child(named: name).flatMap { resource(named: $0) }
  }

  /// The names along a path as the backend spells them, each below a record without that of its owner.
  public func spelled(_ path: ResourcePath) -> ResourcePath {
    var parts = path.parts
    var owner: ResourceDescription?
    for (place, resource) in resources(along: path).enumerated() {
      parts[place * 2] = owner?.shortName(of: resource.name) ?? resource.name
      owner = resource
    }
    return ResourcePath(parts: parts) ?? path
  }

  /// Returns whether only a document describes the resource at a path, or one of those whose records own its records.
  public func isOutlined(_ path: ResourcePath) -> Bool {
    resources(along: path).contains { found in !resources.contains { $0.name == found.name } }
  }

  /// The resources whose records own those of a resource, from the top. One that has records of its own ends them.
  public func owners(of name: String) -> [ResourceDescription] {
    var (owners, name) = ([ResourceDescription](), name)
    while let owner = owner(of: name), !owners.contains(where: { $0.name == owner.name }) {
      owners.insert(owner, at: 0)
      guard owner.isOnlyBelow else { break }
      name = owner.name
    }
    return owners
  }

  private func owner(of name: String) -> ResourceDescription? {
    let said = resources.first { $0.name == name }?.owners ?? outlined?.outline(named: name)?.owners
    return said?.first.flatMap { resource(named: $0) } ?? resources.first { $0.children.contains(name) }
  }

  /// The way to write a resource that is listed below records, `repos/OWNER/REPO/issues`, with words in capitals for
  /// the identifiers; nil of one that no described resource owns.
  public func form(of name: String) -> String? {
    let owners = owners(of: name)
    return owners.last.map { "\(form(below: $0, owners.dropLast()))/\($0.shortName(of: name))" }
  }

  /// The way to write a record that owns others: `repos/OWNER/REPO`.
  public func form(below owner: ResourceDescription) -> String {
    form(below: owner, (owner.isOnlyBelow ? owners(of: owner.name) : [])[...])
  }

  private func form(below owner: ResourceDescription, _ above: ArraySlice<ResourceDescription>) -> String {
    let place = above.last.map { form(below: $0, above.dropLast()) + "/" + $0.shortName(of: owner.name) }
    return "\(place ?? owner.name)/\(owner.identifier.form(inPath: "ID"))"
  }
}

extension ResourceDescription {
  /// True if its records can be reached only below those that own them.
  public var isOnlyBelow: Bool { capabilities.operations.isEmpty && capabilities.operationsBelow != nil }

  /// The name of the resource that a name means below a record of this one; nil if there is none.
  public func child(named text: String) -> String? {
    let names = ["\(name)/\(text)", text]
    if let exact = names.first(where: children.contains) { return exact }
    return names.lazy.compactMap { name in
      let alike = children.filter { $0.lowercased() == name.lowercased() }
      return alike.count == 1 ? alike.first : nil
    }.first
  }

  /// The name of a resource as it is written below a record of this one.
  public func shortName(of child: String) -> String {
    child.hasPrefix(name + "/") ? String(child.dropFirst(name.count + 1)) : child
  }
}
