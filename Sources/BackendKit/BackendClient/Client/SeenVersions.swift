import BackendKit

/// The last version of each record that was seen with its revision: the later half of those seen at least.
struct SeenVersions: Sendable {
  private struct Key: Hashable {
    let path: ResourcePath
    let id: RecordID
  }

  /// So many are kept before the earlier half is forgotten.
  static let halfLimit = 5_000

  private var recent: [Key: Record] = [:]
  private var older: [Key: Record] = [:]

  /// The version of a record that was seen last; nil where its revision is not known.
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

  /// Forgets every record of a resource.
  mutating func forgetAll(of path: ResourcePath) {
    recent = recent.filter { $0.key.path != path }
    older = older.filter { $0.key.path != path }
  }
}
