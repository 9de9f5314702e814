import BackendKit

/// The last seen version of each record that has a revision; bounded, the older half is forgotten first.
struct SeenVersions: Sendable {
  private struct Key: Hashable {
    let path: ResourcePath
    let id: RecordID
  }

  /// The number of records after which the older half is forgotten.
  static let halfLimit = 5_000

  private var recent: [Key: Record] = [:]
  private var older: [Key: Record] = [:]

  /// The last seen version of a record; nil if its revision is not known.
  subscript(id: RecordID, path: ResourcePath) -> Record? {
    get {
      let key = Key(path: path, id: id)
      return recent[key] ?? older[key]
    }
    set {
      let key = Key(path: path, id: id)
      older[key] = nil
      recent[key] = newValue
      if recent.count >= Self.halfLimit {
        older = recent
        recent = [:]
      }
    }
  }

  mutating func forgetAll(of path: ResourcePath) {
    recent = recent.filter { $0.key.path != path }
    older = older.filter { $0.key.path != path }
  }
}
