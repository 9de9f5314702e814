public import BackendKit
import Synchronization

/// Descriptions, which are asked for once.
extension Client {
  /// Describes the backend. The result is cached; `refresh` asks the server again.
  public func describe(_ depth: DescriptionDepth, refresh: Bool = false) async throws(BackendError)
    -> BackendDescription
  {
    try await kept(depth, refresh: refresh).description
  }

  private func kept(_ depth: DescriptionDepth, refresh: Bool = false) async throws(BackendError) -> KnownDescription {
    if !refresh, let kept = descriptions.withLock({ $0[depth] }) { return kept }
    do throws(BackendError) {
      let known = KnownDescription(
        adapt(try await logged { [backend] () throws(BackendError) in try await backend.describe(depth) }))
      descriptions.withLock { $0[depth] = known }
      return known
    } catch { throw named(error, "describe") }
  }

  /// Discards the cached descriptions, so that the next command asks again.
  public func forgetDescriptions() {
    descriptions.withLock { $0 = [:] }
    samples.withLock { $0 = [:] }
  }

  /// A resource with what was learned of it from the server; nil if nothing was.
  public func learnt(_ name: String) -> ResourceDescription? {
    descriptions.withLock { $0[.live] }?.description.resource(named: name) ?? samples.withLock { $0[name] }
  }

  /// The description of the resource at a path. Asks the server only for what the adapter cannot know.
  public func resource(_ path: ResourcePath) async throws(BackendError) -> ResourceDescription {
    try await known(path).resource
  }

  /// The description of the resource at a path, and the same with its proved facts only; the latter is nil if all are
  /// proved.
  func known(
    _ path: ResourcePath
  ) async throws(BackendError) -> (resource: ResourceDescription, proved: ResourceDescription?) {
    let depth = path.parts.count / 2 + 1
    var all = try await kept(.known)
    var along = all.description.resources(along: path)
    if along.isEmpty, depth == 1, let tried = all.description.resource(trying: path.name) {
      return (resource: tried, proved: tried.proved)
    }
    if along.count < depth, all.description.isOpen, all.description.others == nil {
      all = try await kept(.live)
      along = all.description.resources(along: path)
      // A service may not show what it has.
      if along.isEmpty, depth == 1, let tried = all.description.resource(trying: path.name) {
        return (resource: tried, proved: tried.proved)
      }
    }
    guard along.count == depth, let last = along.last, var found = all.resource(named: last.name) else {
      throw named(unknown(path.parts[along.count * 2], below: along.last, in: all.description), nil, path)
    }
    for (place, owner) in along.dropLast().enumerated() {
      let id = RecordID(path.parts[place * 2 + 1])
      do throws(BackendError) {
        try check(id, owner)
        guard owner.identifier.segments == 1 || owner.identifier.values(of: id) != nil else {
          throw .invalid(
            "\"\(id)\" does not identify a record of \(owner.name)",
            hint: "write \(name)/\(all.description.form(below: owner))")
        }
      } catch { throw named(error, nil, path, id) }
    }
    guard depth > 1 else { return found }
    if let first = along.first, first.isOnlyBelow, let form = all.description.form(of: last.name) {
      throw named(
        .unsupported("\(first.name) are below the records that own them", hint: "write \(name)/\(form)"), nil, path)
    }
    if let below = found.resource.capabilities.operationsBelow {
      found.resource.capabilities.operations = below
      found.proved?.capabilities.operations = below
    }
    return found
  }

  private func unknown(
    _ name: String, below owner: ResourceDescription?, in description: BackendDescription
  ) -> BackendError {
    // One that the description names cannot be read.
    do throws(BackendError) {
      _ = try description.outlined?.content(of: owner.map { $0.child(named: name) ?? "" } ?? name)
    } catch { return error }
    let below = owner?.children.map { owner?.shortName(of: $0) ?? $0 } ?? []
    let hint =
      below.isEmpty
      ? SpellingSuggestion.hint(for: name, among: description.names)
      : SpellingSuggestion.hint(for: name, among: below, as: "resources below it")
    return BackendError(
      .notFound, "unknown resource \"\(name)\"\(owner.map { " below \($0.name)" } ?? "")", effect: .notSent, hint: hint)
  }

  /// Returns whether a resource can be described without a request.
  func hasDescribed(_ path: ResourcePath) -> Bool {
    descriptions.withLock { $0[.known] }?.description.resource(at: path) != nil
  }

  /// Returns whether only a document describes the resource at a path, as far as known. Only a command that names such a
  /// resource reads it.
  public func isOutlined(_ path: ResourcePath) -> Bool {
    descriptions.withLock { $0[.known] }?.description.isOutlined(path) ?? false
  }

  /// The place of a list as commands name it, if only a document describes the resource; nil of others.
  public func outlined(_ path: ResourcePath, _ resource: ResourceDescription) -> String? {
    let isOutlined = descriptions.withLock { $0[.known] }?.isOutlined(resource) ?? false
    return isOutlined ? "\(name)/\(path)" : nil
  }

  /// The path with the names of resources spelled as the backend spells them.
  public func spelled(_ path: ResourcePath) async throws(BackendError) -> ResourcePath {
    var description = try await describe(.known)
    if description.isOpen, description.others == nil, description.resource(at: path) == nil {
      description = try await describe(.live)
    }
    return description.spelled(path)
  }
}

/// A cached description, with the proved facts of its resources, against which every write is checked.
struct KnownDescription: Sendable {
  let description: BackendDescription
  /// The resources that also have unproved facts, by name.
  private let proved: [String: ResourceDescription]

  init(_ description: BackendDescription) {
    self.description = description
    let proved = description.resources.compactMap { resource in resource.proved.map { (resource.name, $0) } }
    self.proved = Dictionary(proved, uniquingKeysWith: { first, _ in first })
  }

  /// The resource of a name, and the same with its proved facts only; the latter is nil if all are proved.
  func resource(named name: String) -> (resource: ResourceDescription, proved: ResourceDescription?)? {
    description.resource(named: name).map { resource in
      (resource: resource, proved: proved[resource.name] ?? (isOutlined(resource) ? resource.proved : nil))
    }
  }

  /// Returns whether only a document describes a resource.
  func isOutlined(_ resource: ResourceDescription) -> Bool {
    description.outlined?.outline(named: resource.name) != nil
  }
}
