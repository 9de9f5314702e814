import BackendKit

/// The resource or record that segments between slashes name. The description decides which of them belong together: a
/// name may have slashes, and an identifier of several fields has a segment for each.
struct TypedPath {
  /// The resource, with the names that its backend uses.
  let path: ResourcePath
  /// The record of it; nil if the segments end with the name of the resource.
  let id: RecordID?
  /// The number of segments that the identifier of the record has; 0 without one.
  let width: Int

  /// Reads segments; nil if they lead to nothing that is described. A name is as long as it can be.
  init?(_ segments: some Collection<String>, in description: BackendDescription) {
    guard let found = Self.read(Array(segments)[...], [], below: nil, in: description) else { return nil }
    self = found
  }

  private init?(_ parts: [String], _ id: RecordID? = nil, width: Int = 0) {
    guard let path = ResourcePath(parts: parts) else { return nil }
    (self.path, self.id, self.width) = (path, id, width)
  }

  /// Reads as `init` does. If there is no such resource below a record that the segments begin with, the path has its
  /// name all the same, so that the client can say which there are.
  static func reading(_ segments: [String], in description: BackendDescription) -> TypedPath? {
    if let found = TypedPath(segments, in: description) { return found }
    for count in segments.indices.dropFirst().reversed() {
      guard let owner = TypedPath(segments.prefix(count), in: description), let id = owner.id else { continue }
      let rest = segments.dropFirst(count)
      let names = rest.count.isMultiple(of: 2) ? [rest.joined(separator: "/")] : Array(rest)
      return TypedPath(owner.path.parts + [id.text] + names)
    }
    return nil
  }

  private static func read(
    _ rest: ArraySlice<String>, _ parts: [String], below owner: ResourceDescription?, in description: BackendDescription
  ) -> TypedPath? {
    for count in (0..<rest.count).reversed().map({ $0 + 1 }) {
      let name = rest.prefix(count).joined(separator: "/")
      let found =
        owner == nil
        ? description.resource(named: name) : owner.flatMap { description.resource(named: name, below: $0) }
      guard let found else { continue }
      let parts = parts + [owner?.shortName(of: found.name) ?? found.name]
      let after = rest.dropFirst(count)
      if after.isEmpty { return TypedPath(parts) }
      // By its name alone it has no records.
      if owner == nil, found.isOnlyBelow { continue }
      for (id, width) in identifiers(after, found.identifier) {
        let behind = after.dropFirst(width)
        let typed =
          behind.isEmpty
          ? TypedPath(parts, id, width: width) : read(behind, parts + [id.text], below: found, in: description)
        if let typed { return typed }
      }
    }
    return nil
  }

  /// The identifiers that segments may begin with, and the number of those that each takes.
  private static func identifiers(_ rest: ArraySlice<String>, _ rule: IdentifierRule) -> [(id: RecordID, width: Int)] {
    let whole = rest.first.map { RecordID(ResourcePath.decoded($0)) }
    let isWhole = rule.segments == 1 || whole.flatMap { rule.values(of: $0) } != nil
    let apart = rule.segments == 1 ? nil : rule.identifier(inPath: rest.prefix(rule.segments))
    return [isWhole ? whole.map { ($0, 1) } : nil, apart.map { ($0, rule.segments) }].compactMap { $0 }
      .filter { !$0.id.text.isEmpty }
  }
}
