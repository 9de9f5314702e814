import BackendKit

/// Where the records of a list stand in a response, and what stands around them.
struct ListShape {
  /// The members that lead to the list; none where the document is the list.
  let path: [String]
  /// The records.
  let rows: [Object]
  /// Whether records are lists, whose names are beside them in `columns`.
  let isTable: Bool

  /// Names under which services send their records, the most telling first.
  private static let names = [
    "data", "results", "items", "_items", "Resources", "records", "rows", "value", "entities", "objects", "content",
    "hydra:member", "member", "list", "entries", "values", "payload",
  ]

  /// The list in a document; nil where it has none. `name` is that of the resource, under which a list may stand, too.
  init?(_ document: Value?, resource name: String, known: [String]? = nil) {
    guard let document else { return nil }
    if let known {
      let list = Self.value(document, at: known)
      let table = Self.table(list, Self.value(document, at: known.dropLast())?.object)
      guard let rows = table ?? Self.rows(list) else { return nil }
      (path, self.rows, isTable) = (known, rows, table != nil)
      return
    }
    var found: [(rank: Int, path: [String], rows: [Object])] = []
    func look(_ value: Value, _ path: [String], in parent: Object?) {
      if let rows = Self.table(value, parent) ?? Self.rows(value) {
        let last = path.last ?? ""
        let named = last == name ? 0 : Self.names.firstIndex(of: last).map { $0 + 1 } ?? 40
        // An empty list might be one of anything.
        let rank = path.isEmpty ? -1 : named + path.count * 20 + (rows.isEmpty ? 200 : 0)
        found.append((rank, path, rows))
      } else if let object = value.object, path.count < 3 {
        for (name, member) in object.members { look(member, path + [name], in: object) }
      }
    }
    look(document, [], in: nil)
    guard let best = found.min(by: { $0.rank < $1.rank }), best.rank < 240 else { return nil }
    (path, rows) = (best.path, best.rows)
    isTable = Self.table(Self.value(document, at: path), Self.value(document, at: path.dropLast())?.object) != nil
  }

  /// The objects of a list that share at least half of their members; nil where it is none.
  private static func rows(_ value: Value?) -> [Object]? {
    guard let elements = value?.array else { return nil }
    let rows = elements.compactMap(\.object)
    guard rows.count == elements.count else { return nil }
    guard let first = rows.first else { return [] }
    // What leads elsewhere is no record.
    guard !rows.allSatisfy({ $0["href"]?.text != nil && $0["rel"]?.text != nil }) else { return nil }
    let names = Set(first.names)
    let isAlike = rows.prefix(20).allSatisfy { row in
      let shared = names.intersection(row.names).count
      return shared * 2 >= min(names.count, row.names.count)
    }
    return isAlike ? rows : nil
  }

  /// The records of a list of lists, beside which their names are in `columns`; nil where it is none.
  private static func table(_ value: Value?, _ parent: Object?) -> [Object]? {
    guard let rows = value?.array, let columns = parent?["columns"]?.array?.compactMap(\.text), !columns.isEmpty else {
      return nil
    }
    let lists = rows.compactMap(\.array)
    guard lists.count == rows.count, lists.allSatisfy({ $0.count == columns.count }) else { return nil }
    return lists.map { Object(zip(columns, $0)) }
  }

  /// A member's name without the prefix of a vocabulary, `hydra:next`, in small letters.
  static func plainName(_ name: String) -> String {
    name.hasPrefix("@")
      ? name.lowercased()
      : String(name[(name.lastIndex(of: ":").map { name.index(after: $0) } ?? name.startIndex)...]).lowercased()
  }

  static func value(_ document: Value, at path: some Collection<String>) -> Value? {
    path.reduce(document as Value?) { value, name in
      guard let elements = value?.array else { return value?.object?[name] }
      return Int(name).flatMap { elements.indices.contains($0) ? elements[$0] : nil }
    }
  }

  /// The scalars around the records, by the members that lead to them.
  static func siblings(of path: [String], in document: Value?) -> [(path: [String], value: Value)] {
    var found: [(path: [String], value: Value)] = []
    func look(_ value: Value, _ here: [String]) {
      guard here != path || path.isEmpty && here.isEmpty else { return }
      guard let object = value.object else {
        if value.array == nil, !here.isEmpty { found.append((here, value)) }
        return
      }
      guard here.count < 4 else { return }
      for (name, member) in object.members { look(member, here + [name]) }
    }
    if let document { look(document, []) }
    return found
  }
}
