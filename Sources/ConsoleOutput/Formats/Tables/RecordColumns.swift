package import BackendKit

/// Chooses the fields that become columns.
package enum RecordColumns {
  /// The number of records from which columns are chosen: none if they are given.
  static func sampleSize(_ presentation: Presentation) -> Int {
    presentation.columns.map { $0.contains(where: \.isMember) } ?? true ? sample : 0
  }

  /// The number of records examined.
  static let sample = 100

  /// The requested columns; otherwise the described fields and then all others in the records, in order of appearance.
  /// With `onlyPresent`, described fields without a value in any record are left out. With `dividing`, a member that is
  /// a related record becomes a column for each of its fields.
  package static func choose(
    _ presentation: Presentation, _ records: some Collection<Record>, onlyPresent: Bool, dividing: Bool = true
  ) -> [FieldPath] {
    let divided = dividing ? presentation.related : []
    func parts(_ name: String) -> [FieldPath]? {
      divided.first { $0.name == name }.map { self.parts(of: $0, records, onlyPresent: onlyPresent) }
    }
    if var columns = presentation.columns {
      // Only the records show if several names are one.
      func isThere(_ path: FieldPath) -> Bool { records.contains { path.value(in: $0.fields) != nil } }
      let isOne = columns.contains { $0.isMember && isThere($0) }
      columns.removeAll { ($0.isMember || isOne) && !isThere($0) }
      return divided.isEmpty ? columns : columns.flatMap { parts($0.text) ?? [$0] }
    }
    var names = presentation.fields.map(\.name)
    var seen = Set(names.map { ExactText($0) })
    var present: Set<ExactText> = []
    for record in records {
      for group in [record.fields.names, record.unloaded] {
        for name in group {
          present.insert(ExactText(name))
          if seen.insert(ExactText(name)).inserted { names.append(name) }
        }
      }
    }
    if onlyPresent, !records.isEmpty { names.removeAll { !present.contains(ExactText($0)) } }
    names += presentation.related.lazy.map(\.name).filter { !onlyPresent && seen.insert(ExactText($0)).inserted }
    // A name in a record is one field; a described field in none may be the path to a part.
    return names.flatMap { name in parts(name) ?? [present.contains(ExactText(name)) ? .member(name) : FieldPath(name)]
    }
  }

  /// The columns that nobody has chosen, those behind the others that have nothing but links, such as `_links`.
  static func linksLast(
    _ paths: [FieldPath], _ presentation: Presentation, _ records: some Collection<Record>
  ) -> [FieldPath] {
    guard presentation.columns == nil else { return paths }
    let isLinks = paths.map { path in
      let values = records.lazy.compactMap { path.value(in: $0.fields) }.filter { $0 != .null }
      return !values.isEmpty && values.allSatisfy(areLinks)
    }
    let places = paths.indices
    return (places.filter { !isLinks[$0] } + places.filter { isLinks[$0] }).map { paths[$0] }
  }

  /// Returns whether a value has nothing but addresses, by their relations: `{"self": {"href": "/things/7"}}`.
  static func areLinks(_ value: Value) -> Bool {
    if let elements = value.array { return !elements.isEmpty && elements.allSatisfy(areLinks) }
    guard let object = value.object, object.members.contains(where: { $1 != .null }) else { return false }
    if object["href"]?.text != nil { return true }
    return object.members.allSatisfy { _, member in
      member.text.map { $0.hasPrefix("/") || $0.contains(text: "://") } ?? (member == .null || areLinks(member))
    }
  }

  /// A column for each field of a member that is a record; the member itself if it is a list of records, or absent.
  private static func parts(
    of member: RelatedMember, _ records: some Collection<Record>, onlyPresent: Bool
  ) -> [FieldPath] {
    let values = records.compactMap { $0.fields[member.name] }
    if values.contains(where: { $0.array != nil }) { return [FieldPath(member.name)] }
    let described = member.fields.map(\.name)
    let objects = values.compactMap(\.object)
    var names = onlyPresent ? described.filter { name in objects.contains { $0[name] != nil } } : described
    var seen = Set(names.map { ExactText($0) })
    for name in objects.lazy.flatMap(\.names) where seen.insert(ExactText(name)).inserted { names.append(name) }
    if names.isEmpty { return onlyPresent && values.isEmpty ? [] : [FieldPath(member.name)] }
    return names.map { FieldPath("\(member.name).\($0)") }
  }

  /// The names of a record's fields, including those of related records in it.
  static func names(in record: Record, _ presentation: Presentation) -> [String] {
    guard !presentation.related.isEmpty else { return record.fields.names }
    return record.fields.members.flatMap { name, value -> [String] in
      guard presentation.isRelated(FieldPath(name)) else { return [name] }
      return value.object?.names.map { "\(name).\($0)" } ?? []
    }
  }

  /// The type of the field at a path, if known.
  package static func kind(of path: FieldPath, _ presentation: Presentation) -> FieldDescription.Kind? {
    let kind = presentation.kinds[path.text]
    return presentation.isRaw && kind == .html ? .text : kind
  }
}
