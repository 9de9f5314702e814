/// Performs POST, PUT, PATCH and DELETE; if writes are faked, only the response.
struct JSONServerWriter {
  let request: DemoRequest
  let body: JSONServerBody
  let answer: JSONServerAnswer
  let store: DemoStore

  private var dialect: String { "jsonplaceholder" }

  func create(in collection: String, parent: (key: String, id: String)?) throws -> DemoResponse {
    if answer.isVersion1 { return try JSONServer1(answer: answer, store: store).create(body.members, in: collection) }
    if let list = body.list, !answer.isFake { return try create(list, in: collection) }
    var body = DemoJSON.object(body.members)
    if let parent { body[parent.key] = .string(parent.id) }
    let taken: Bool
    let made: DemoJSON
    if answer.isFake {
      body["id"] = try store.read(dialect) { try Self.nextID($0, collection) }
      (taken, made) = (false, body)
    } else {
      (taken, made) = try store.write(dialect) { store in
        var body = body
        if let id = body["id"], Self.counts(id) {
          if try store.document(in: collection, id: JSONServerText.of(id)) != nil { return (true, body) }
        } else {
          body["id"] = try Self.nextID(store, collection)
        }
        let id = body["id"].map(JSONServerText.of) ?? ""
        try store.insert(in: collection, id: id, json: body.compact())
        return (false, body)
      }
    }
    if taken { return answer.failure("Error: Insert failed, duplicate id") }
    return created(made, id: made["id"].map(JSONServerText.of) ?? "")
  }

  /// Reads or writes a single record: POST and PUT replace it, and it cannot be deleted.
  func single(_ method: String, _ name: String, _ record: DemoJSON) throws -> DemoResponse {
    if method == "GET" || method == "HEAD" { return answer.json(record) }
    guard method == "PUT" || method == "PATCH" || method == "POST" && !answer.isVersion1 else { return answer.missing }
    var new = method == "PATCH" ? record : .object([])
    for member in body.members { new[member.key] = member.value }
    if !answer.isFake {
      try store.write(dialect) { [new] store in
        _ = try store.replace(in: JSONPlaceholderDialect.declared, id: name, json: new.compact())
      }
    }
    guard method == "POST" else { return answer.json(new) }
    return answer.json(
      new, status: 201,
      headers: [("Access-Control-Expose-Headers", "Location"), ("Location", Self.encoded(request.fullAddress))])
  }

  /// A list is stored unchanged, as a record that then breaks the collection.
  private func create(_ list: DemoJSON, in collection: String) throws -> DemoResponse {
    let id = try store.write(dialect) { store in
      let id = JSONServerText.of(try Self.nextID(store, collection))
      try store.insert(in: collection, id: id, json: list.compact())
      return id
    }
    return created(list, id: id)
  }

  private func created(_ made: DemoJSON, id: String) -> DemoResponse {
    answer.json(
      made, status: 201,
      headers: [
        ("Access-Control-Expose-Headers", "Location"), ("Location", Self.encoded("\(request.fullAddress)/\(id)")),
      ])
  }

  /// Encodes invalid characters of an address, but keeps existing encodings.
  private static func encoded(_ address: String) -> String {
    var encoded = ""
    for byte in address.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\\"), UInt8(ascii: "^"),
        UInt8(ascii: "`"), UInt8(ascii: "{"), UInt8(ascii: "|"), UInt8(ascii: "}"), 0...0x20, 0x7F...:
        let digits = String(byte, radix: 16, uppercase: true)
        encoded += digits.count == 1 ? "%0\(digits)" : "%\(digits)"
      default: encoded.unicodeScalars.append(Unicode.Scalar(byte))
      }
    }
    return encoded
  }

  func update(_ id: String, in collection: String, replaces: Bool) throws -> DemoResponse {
    let members = body.members
    if answer.isFake { return try fakeUpdate(id, in: collection, members, replaces: replaces) }
    let result = try store.write(dialect) { store -> DemoJSON? in
      guard let old = try store.record(in: collection, id: id) else { return nil }
      var new: DemoJSON = replaces ? .object([]) : old
      for member in members { new[member.key] = member.value }
      new["id"] = old["id"]
      try store.replace(in: collection, id: id, json: new.compact())
      return new
    }
    return result.map { answer.json($0) } ?? answer.missing
  }

  private func fakeUpdate(
    _ id: String, in collection: String, _ members: [DemoJSON.Member], replaces: Bool
  ) throws -> DemoResponse {
    let old = try store.read(dialect) { try $0.record(in: collection, id: id) }
    if replaces, old == nil {
      return answer.failure("TypeError: Cannot read properties of undefined (reading 'id')")
    }
    var new: DemoJSON = replaces ? .object([]) : old ?? .object([])
    for member in members { new[member.key] = member.value }
    if replaces { new["id"] = old?["id"] }
    return answer.json(new)
  }

  func delete(_ id: String, from collection: String) throws -> DemoResponse {
    if answer.isFake { return answer.json(.object([])) }
    if answer.isVersion1 { return try JSONServer1(answer: answer, store: store).delete(id, from: collection) }
    enum Outcome { case done, missing, broken }
    let outcome = try store.write(dialect) { store -> Outcome in
      let isThere = try store.remove(in: collection, id: id)
      switch try Self.dangling(store) {
      case nil: return .broken
      case let dangling?:
        for (collection, id) in dangling { try store.remove(in: collection, id: id) }
        return isThere ? .done : .missing
      }
    }
    switch outcome {
    case .done: return answer.json(.object([]))
    case .missing: return answer.missing
    // The record is deleted nevertheless.
    case .broken: return answer.failure("TypeError: Cannot read properties of null (reading 'toString')")
    }
  }

  /// Records in any collection that refer to a missing record; nil if a reference is null, which crashes the server.
  private static func dangling(_ store: DialectStore) throws -> [(collection: String, id: String)]? {
    let names = try store.collections()
    var ids: [String: Set<String>] = [:]
    for name in try names + store.documents(in: JSONPlaceholderDialect.declared).map(\.id) {
      ids[name] = Set(try store.documents(in: name).map(\.id))
    }
    var found: [(String, String)] = []
    for name in names where name != JSONPlaceholderDialect.declared {
      for document in try store.documents(in: name) {
        for member in try DemoJSON(parsing: document.json).members ?? [] where member.key.hasSuffix("Id") {
          guard let others = ids[JSONServerNoun.plural(String(member.key.dropLast(2)))] else { continue }
          if member.value == .null, !others.isEmpty { return nil }
          if !others.contains(JSONServerText.of(member.value)) { found.append((name, document.id)) }
        }
      }
    }
    return found
  }

  /// Returns whether a value in a body counts as an identifier: null, an empty text and 0 do not.
  private static func counts(_ id: DemoJSON) -> Bool {
    switch id {
    case .null, .bool(false), .string(""): false
    case .number(let text): Double(text) != 0
    default: true
    }
  }

  /// The highest identifier plus one; a short random text if that is not a number. Identifiers of different types may
  /// not be comparable, and then the earlier one counts as the higher.
  private static func nextID(_ store: DialectStore, _ collection: String) throws -> DemoJSON {
    // Numbers of this size count up exactly as in JavaScript.
    if let known = try store.largestNumber(in: collection), known.magnitude < 1 << 53 {
      return .number(String(known + 1))
    }
    var highest: DemoJSON?
    let documents = try store.documents(in: collection)
    for document in documents {
      let record = try DemoJSON(parsing: document.json)
      // A list among the records has its number stored separately.
      let own = record.members == nil ? .number(document.id) : record["id"]
      guard let id = own, id != .null else { continue }
      if highest.map({ JSONServerText.compare(id, $0) == 1 }) ?? true { highest = id }
    }
    if documents.isEmpty { return 1 }
    guard case .number(let text)? = highest, let value = Double(text) else {
      let letters = Array("0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_-")
      return .string(String((0..<7).map { _ in letters[Int.random(in: letters.indices)] }))
    }
    return .number(JSONServerNumber.text(value + 1))
  }
}
