import BackendKit

/// The place of the records of a list in a response, and the members around them.
struct ListShape {
  /// The path to the list; empty if the document is the list.
  let path: [String]
  let rows: [Object]
  /// True if records are arrays, with the field names in `columns` beside them.
  let isTable: Bool
  /// The field for the keys of a map of records; nil for lists.
  var keyField: String?
  /// True if the records themselves contain that field.
  var holdsKeys = true
  /// The field for the records of a list of plain texts; nil for objects.
  var valueField: String?

  /// Names of members with records, the most telling first.
  static let names = [
    "data", "results", "items", "_items", "Resources", "records", "rows", "value", "entities", "objects", "content",
    "hydra:member", "member", "list", "entries", "values", "payload", "result",
  ]

  /// Names of members that say of a response how it went, and are no records unless they are all that there is.
  static let notices: Set<String> = [
    "success", "ok", "status", "statuscode", "code", "error", "errors", "errorcode", "message", "messages", "msg",
    "warning", "warnings", "notices", "meta", "metadata", "links", "included", "requestid", "jsonapi",
  ]

  /// Finds the list in a document; nil if there is none. `name` is that of the resource, which a list may also have;
  /// `key` is the field for the keys of a known map, `field` that for the texts of a known list.
  init?(
    _ document: Value?, resource name: String, known: [String]? = nil, keyedBy key: String? = nil,
    valuesIn field: String? = nil
  ) {
    guard let document else { return nil }
    if let known, let field {
      guard let rows = Self.texts(Self.value(document, at: known)) else { return nil }
      (path, self.rows, isTable, valueField) = (known, rows, false, field)
      return
    }
    if let known, let key {
      guard let rows = Self.value(document, at: known).flatMap({ Self.keyed($0, by: key) }) else { return nil }
      (path, self.rows, isTable, keyField) = (known, rows, false, key)
      return
    }
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
        // An empty list may be of anything.
        let rank = path.isEmpty ? -1 : named + path.count * 20 + (rows.isEmpty ? 200 : 0)
        found.append((rank, path, rows))
      } else if let object = value.object, path.count < 3 {
        for (name, member) in object.members where name != "_links" { look(member, path + [name], in: object) }
      }
    }
    look(document, [], in: nil)
    guard let best = found.min(by: { $0.rank < $1.rank }), best.rank < 240 else {
      guard found.allSatisfy(\.rows.isEmpty), let (place, rows) = Self.texts(in: document, resource: name) else {
        return nil
      }
      (path, self.rows, isTable, valueField) = (place, rows, false, Self.textField)
      return
    }
    (path, rows) = (best.path, best.rows)
    isTable = Self.table(Self.value(document, at: path), Self.value(document, at: path.dropLast())?.object) != nil
  }

  /// The field for plain texts, which are names.
  static let textField = "name"

  /// The only list of plain texts in a document: the document itself, its only member, or one that is named like a
  /// list. Addresses are no records.
  private static func texts(in document: Value, resource name: String) -> (path: [String], rows: [Object])? {
    var found: [(path: [String], rows: [Object], isAlone: Bool)] = []
    func look(_ value: Value, _ path: [String], isAlone: Bool) {
      if let rows = texts(value), !rows.isEmpty { return found.append((path, rows, isAlone)) }
      guard path.count < 2, let object = value.object else { return }
      for (name, member) in object.members { look(member, path + [name], isAlone: object.count == 1) }
    }
    look(document, [], isAlone: true)
    guard let only = found.first, found.count == 1 else { return nil }
    return only.isAlone || isNamed(only.path.last ?? "", name) ? (only.path, only.rows) : nil
  }

  /// Returns whether a member with texts is named like a list, or like the resource.
  static func isNamed(_ member: String, _ name: String) -> Bool {
    member == name || (names + ["keys"]).contains(member)
  }

  /// The elements of a list if all are texts, none of them an address.
  private static func texts(_ value: Value?) -> [Object]? {
    guard let elements = value?.array else { return nil }
    let texts = elements.compactMap(\.text)
    guard texts.count == elements.count, !texts.contains(where: { $0.hasPrefix("/") || $0.contains(text: "://") })
    else { return nil }
    return texts.map { Object([(textField, .string($0))]) }
  }

  /// The objects of a list if they share at least half of their members.
  private static func rows(_ value: Value?) -> [Object]? {
    guard let elements = value?.array else { return nil }
    let rows = elements.compactMap(\.object)
    guard rows.count == elements.count else { return nil }
    guard let first = rows.first else { return [] }
    // Links are not records.
    guard !rows.allSatisfy({ $0["href"]?.text != nil && $0["rel"]?.text != nil }) else { return nil }
    let names = Set(first.names)
    let isAlike = rows.prefix(20).allSatisfy { row in
      let shared = names.intersection(row.names).count
      return shared * 2 >= min(names.count, row.names.count)
    }
    return isAlike ? rows : nil
  }

  private static func table(_ value: Value?, _ parent: Object?) -> [Object]? {
    guard let rows = value?.array, let columns = parent?["columns"]?.array?.compactMap(\.text), !columns.isEmpty else {
      return nil
    }
    let lists = rows.compactMap(\.array)
    guard lists.count == rows.count, lists.allSatisfy({ $0.count == columns.count }) else { return nil }
    return lists.map { Object(zip(columns, $0)) }
  }

  /// Finds the map in a document, at its root or in a member: alike records that contain their keys. Without the keys,
  /// it is a map only if its records can be read by them.
  init?(mapIn document: Value?, resource name: String) {
    guard let document else { return nil }
    let members: [([String], Value)] = document.object?.members.map { ([$0], $1) } ?? []
    let root: [([String], Value)] = [([], document)]
    let places = root + members.filter { $0.0[0] == name } + members.filter { $0.0[0] != name }
    let maps = places.compactMap { path, value in Self.map(value).map { (path, $0.field, $0.holdsKeys, $0.rows) } }
    guard let best = maps.first(where: { $0.2 }) ?? maps.first else { return nil }
    (path, keyField, holdsKeys, rows, isTable) = (best.0, best.1, best.2, best.3, false)
  }

  func holds(_ other: ListShape) -> Bool { other.path.count > path.count && other.path.starts(with: path) }

  /// The records of an object whose members are alike, and the field for their keys.
  private static func map(_ value: Value) -> (field: String, holdsKeys: Bool, rows: [Object])? {
    guard let object = value.object, object.count > 1 else { return nil }
    let members = Array(object.members)
    let rows = members.compactMap { $0.1.object }
    guard rows.count == members.count, let first = rows.first, !first.isEmpty else { return nil }
    let names = Set(first.names)
    // Objects of different shapes are parts of a single record.
    let isAlike = rows.allSatisfy { names.intersection($0.names).count * 2 > max(names.count, $0.count) }
    guard isAlike else { return nil }
    func holdsKeys(_ field: String) -> Bool {
      members.allSatisfy { key, row in RecordID(row.object?[field])?.text == key }
    }
    if let field = first.names.first(where: holdsKeys) { return (field, true, rows) }
    guard let field = ["id", "name", "key"].first(where: { name in rows.allSatisfy { $0[name] == nil } }) else {
      return nil
    }
    return keyed(value, by: field).map { (field, false, $0) }
  }

  private static func keyed(_ value: Value, by field: String) -> [Object]? {
    guard let object = value.object else { return nil }
    let rows = object.members.compactMap { key, row in
      row.object.map { $0[field] == nil ? Object([(field, .string(key))] + Array($0.members)) : $0 }
    }
    return rows.count == object.count ? rows : nil
  }

  /// The name of a member in lowercase, without the prefix of a vocabulary as in `hydra:next`.
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

  /// The scalars around the records, with their paths.
  static func siblings(of path: [String], in document: Value?) -> [(path: [String], value: Value)] {
    var found: [(path: [String], value: Value)] = []
    func look(_ value: Value, _ here: [String]) {
      guard here != path else { return }
      guard let object = value.object else {
        if value.array == nil, !here.isEmpty { found.append((here, value)) }
        return
      }
      guard here.count < 4 else { return }
      for (name, member) in object.members { look(member, here + [name]) }
    }
    // The members of a map at the root are its records.
    if let document, !path.isEmpty { look(document, []) }
    return found
  }
}
