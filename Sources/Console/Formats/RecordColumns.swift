import BackendKit

/// Which fields become columns.
enum RecordColumns {
  /// How many records are looked at.
  static let sample = 100

  /// The columns asked for; otherwise the described fields and then what else the records have, in the order met.
  /// With `onlyPresent`, described fields that none of the records has are left out.
  static func choose(_ presentation: Presentation, _ records: some Collection<Record>, onlyPresent: Bool) -> [FieldPath]
  {
    if let columns = presentation.columns { return columns }
    var names = presentation.fields.map(\.name)
    var seen = Set(names)
    var present: Set<String> = []
    for record in records {
      for group in [record.fields.names, record.unloaded] {
        for name in group {
          present.insert(name)
          if seen.insert(name).inserted { names.append(name) }
        }
      }
    }
    if onlyPresent, !records.isEmpty { names.removeAll { !present.contains($0) } }
    return names.map { FieldPath($0) }
  }

  /// The kind of the field at a path, where it is known.
  static func kind(of path: FieldPath, _ presentation: Presentation) -> FieldDescription.Kind? {
    let kind = presentation.kinds[path.text]
    return presentation.isRaw && kind == .html ? .text : kind
  }
}
