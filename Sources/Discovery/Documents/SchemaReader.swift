import BackendKit

/// Reads the schemas of a document. Follows references within it and to the documents read with it, and merges `allOf`.
struct SchemaReader {
  private static let depth = 20
  private let root: Object
  /// The other documents, by the paths in references.
  private let others: [String: Value]
  private let memory = Memory()

  /// The schemas that were merged, by the references to them.
  private final class Memory {
    var merged: [String: Object?] = [:]
    /// The references that are being followed.
    var open: Set<String> = []
  }

  init(_ root: Object, others: [String: Value]) {
    self.root = root
    self.others = others
  }

  /// An object of the document, or the one that it refers to.
  func object(_ value: Value?) -> Object? { object(value, Self.depth) }

  private func object(_ value: Value?, _ depth: Int) -> Object? {
    guard depth > 0, let object = value?.object else { return nil }
    guard let reference = object["$ref"]?.text else { return object }
    guard let mark = reference.firstIndex(of: "#") else { return nil }
    var place = mark == reference.startIndex ? .object(root) : others[String(reference[..<mark])]
    let pointer = reference[mark...].dropFirst()
    guard pointer.isEmpty || pointer.hasPrefix("/") else { return nil }
    for part in pointer.dropFirst().split(separator: "/", omittingEmptySubsequences: false) where !pointer.isEmpty {
      let name = (PercentEncoding.decoded(part) ?? String(part)).replacing(text: "~1", with: "/")
        .replacing(text: "~0", with: "~")
      place = place?.object?[name]
    }
    return self.object(place, depth - 1)
  }

  /// A schema merged with all of its parts.
  func folded(_ value: Value?) -> Object? { folded(value, Self.depth) }

  private func folded(_ value: Value?, _ depth: Int) -> Object? {
    guard let reference = value?.object?["$ref"]?.text else { return merged(value, depth) }
    if let known = memory.merged[reference] { return known }
    // A schema that is a part of itself is not merged again.
    guard memory.open.insert(reference).inserted else { return object(value, depth) }
    defer { memory.open.remove(reference) }
    let schema = merged(value, depth)
    memory.merged[reference] = .some(schema)
    return schema
  }

  private func merged(_ value: Value?, _ depth: Int) -> Object? {
    guard depth > 0, var schema = object(value, depth) else { return nil }
    var properties = schema["properties"]?.object ?? Object()
    var required = schema["required"]?.array ?? []
    for part in schema["allOf"]?.array ?? [] {
      guard let part = folded(part, depth - 1) else { continue }
      for (name, property) in part["properties"]?.object?.members.map({ $0 }) ?? [] where properties[name] == nil {
        properties[name] = property
      }
      required += part["required"]?.array ?? []
      for (name, member) in part.members where schema[name] == nil { schema[name] = member }
    }
    // A single alternative besides null counts as a whole; of several, what they share.
    let alternatives = (schema["oneOf"] ?? schema["anyOf"])?.array?.compactMap { folded($0, depth - 1) } ?? []
    let real = alternatives.filter { $0["type"] != "null" }
    if let first = real.first {
      if real.count == 1 {
        for (name, member) in first.members where schema[name] == nil { schema[name] = member }
        properties = properties.isEmpty ? first["properties"]?.object ?? properties : properties
        required += first["required"]?.array ?? []
      } else {
        if schema["type"] == nil, let type = first["type"], real.allSatisfy({ $0["type"] == type }) {
          schema["type"] = type
        }
        for (name, property) in first["properties"]?.object?.members.map({ $0 }) ?? [] where properties[name] == nil {
          let others = real.dropFirst().map { $0["properties"]?.object?[name] }
          guard others.allSatisfy({ $0 != nil }) else { continue }
          properties[name] = common([property] + others.compactMap(\.self), depth - 1)
        }
      }
      if real.count < alternatives.count { schema["nullable"] = true }
    }
    if !properties.isEmpty { schema["properties"] = .object(properties) }
    if !required.isEmpty { schema["required"] = .array(required) }
    return schema
  }

  /// The schema that all alternatives share: the keywords on which they agree, and the values that any allows.
  private func common(_ alternatives: [Value], _ depth: Int) -> Value {
    guard let first = alternatives.first, alternatives.contains(where: { $0 != first }) else {
      return alternatives.first ?? .object(Object())
    }
    let schemas = alternatives.map { folded($0, depth) ?? Object() }
    var shared = Object(
      schemas[0].members.filter { name, member in
        !["enum", "const", "default", "example"].contains(name) && schemas.allSatisfy { $0[name] == member }
      })
    let values = schemas.map { $0["enum"]?.array ?? $0["const"].map { [$0] } ?? [] }
    if values.allSatisfy({ !$0.isEmpty }) { shared["enum"] = .array(values.joined().unique) }
    return .object(shared)
  }

  /// The names of all properties and parameters with the format `password`.
  var passwords: Set<String> {
    var names: Set<String> = []
    var places: [Value] = [.object(root)] + Array(others.values)
    while let value = places.popLast() {
      switch value {
      case .array(let elements): places += elements
      case .object(let object):
        for (name, property) in object["properties"]?.object?.members.map({ $0 }) ?? [] where isPassword(property) {
          names.insert(name)
        }
        if let name = object["name"]?.text, isPassword(object["schema"] ?? value) { names.insert(name) }
        places += object.members.map { $0.1 }
      default: break
      }
    }
    return names
  }

  /// Returns whether a schema, a part of it or that of its elements has the format `password`.
  private func isPassword(_ value: Value, _ depth: Int = 3) -> Bool {
    guard depth > 0, let schema = object(value) else { return false }
    if schema["format"] == "password" { return true }
    var parts = ["allOf", "oneOf", "anyOf"].flatMap { name -> [Value] in schema[name]?.array ?? [] }
    // A hostile document may refer to itself in many ways.
    parts = Array(parts.prefix(8))
    if let elements = schema["items"] { parts.append(elements) }
    return parts.contains { isPassword($0, depth - 1) }
  }

  /// The type of a schema; for a list of types, the only one besides null.
  func type(of schema: Object) -> String? {
    if let type = schema["type"]?.text { return type }
    let types = schema["type"]?.array?.compactMap(\.text).filter { $0 != "null" } ?? []
    if let type = types.first { return types.count == 1 ? type : nil }
    return schema["properties"] != nil ? "object" : schema["items"] != nil ? "array" : nil
  }

  /// Returns whether all members of an object are addresses.
  func isIndex(_ schema: Object) -> Bool {
    let members = schema["properties"]?.object?.members.map { $0 } ?? []
    return members.count > 1
      && members.allSatisfy { name, member in
        name.hasSuffix("_url") || ["uri", "url"].contains(folded(member)?["format"]?.text)
      }
  }

  /// The path to a list of plain texts, as ``ListShape`` finds it; nil if there is none.
  func texts(in response: Value?, named name: String) -> [String]? {
    var found: [(path: [String], isAlone: Bool)] = []
    func look(_ value: Value?, _ path: [String], isAlone: Bool) {
      guard let schema = folded(value) else { return }
      if type(of: schema) == "array" {
        return folded(schema["items"]).map(type) == "string" ? found.append((path, isAlone)) : ()
      }
      guard path.count < 2 else { return }
      let members = schema["properties"]?.object
      for (name, member) in members?.members.map({ $0 }) ?? [] {
        look(member, path + [name], isAlone: members?.count == 1)
      }
    }
    look(response, [], isAlone: true)
    guard let only = found.first, found.count == 1, only.isAlone || ListShape.isNamed(only.path.last ?? "", name)
    else { return nil }
    return only.path
  }

  /// Returns whether a form repeats the names of its lists, as it does unless its encoding says otherwise.
  func repeatsNames(in body: Value?, encoded encoding: Object?) -> Bool {
    func style(_ how: Value?) -> String { how?.object?["style"]?.text ?? "form" }
    guard encoding?.members.allSatisfy({ style($0.1) == "form" }) ?? true else { return false }
    return folded(body)?["properties"]?.object?.members.contains { name, property in
      guard let list = folded(property), type(of: list) == "array", encoding?[name]?.object?["explode"] != false
      else { return false }
      return folded(list["items"]).flatMap(type) != "object"
    } ?? false
  }

  /// The type of a field in a description; nil if the schema has none that a field can have.
  func fieldType(of schema: Object) -> String? {
    switch type(of: schema) {
    case "string": schema["format"] == "date-time" ? "date" : schema["format"] == "date" ? "day" : "text"
    case "integer": "integer"
    case "number": "number"
    case "boolean": "boolean"
    case "array": "list"
    case "object": "object"
    default: nil
    }
  }

  /// The schema of the records in a list, and the path to them; nil if it has none. Of several lists that at the root
  /// counts, then that with the name of the resource or a usual one.
  func records(in response: Value?, named name: String = "") -> (path: [String], schema: Object)? {
    var found: [(path: [String], schema: Object)] = []
    func look(_ value: Value?, _ path: [String]) {
      guard let schema = folded(value) else { return }
      if type(of: schema) == "array" {
        let item = folded(schema["items"]) ?? Object()
        // A list at the root may say nothing of its records.
        guard type(of: item) == "object" || item["properties"] != nil || path.isEmpty && type(of: item) == nil else {
          return
        }
        return found.append((path, item))
      }
      guard path.count < 2 else { return }
      for (name, property) in schema["properties"]?.object?.members.map({ $0 }) ?? [] { look(property, path + [name]) }
    }
    look(response, [])
    let wanted = DocumentedResource.plain(name)
    func rank(_ path: [String]) -> Int {
      guard let last = path.last, case let plain = DocumentedResource.plain(last) else { return 0 }
      if plain == wanted { return 1 + path.count }
      return (ListShape.names.contains(last) ? 10 : ListShape.notices.contains(plain) ? 30 : 20) + path.count
    }
    return found.min { rank($0.path) < rank($1.path) }
  }

  /// The object in a response that has most fields of a list's records, and the members that lead to it. A record may
  /// contain others that are more like those of the list, but have no more of their fields. Without a list, an object
  /// alone is the record, or with one more member unless the record `isSole`, or in an envelope with notices.
  func record(in response: Value?, like listed: Object?, isSole: Bool = false) -> (
    path: [String], properties: Object
  )? {
    guard let properties = folded(response)?["properties"]?.object, !properties.isEmpty else { return nil }
    let listed = listed?.isEmpty == true ? nil : listed
    let names = (listed?["properties"]?.object ?? listed)?.names.map(DocumentedResource.plain) ?? []
    func shared(_ object: Object) -> Int {
      let own = Set(object.names.map(DocumentedResource.plain))
      return names.count(where: own.contains)
    }
    var best: (path: [String], properties: Object, shared: Int) = ([], properties, shared(properties))
    for (name, member) in properties.members {
      guard let inner = folded(member)?["properties"]?.object, !inner.isEmpty else { continue }
      let others = properties.names.filter { $0 != name }.map(DocumentedResource.plain)
      let isAlone =
        listed == nil && best.path.isEmpty
        && (others.count <= (isSole ? 0 : 1)
          || ListShape.names.contains(name) && others.allSatisfy(ListShape.notices.contains))
      if shared(inner) > best.shared || isAlone { best = ([name], inner, shared(inner)) }
    }
    return (best.path, best.properties)
  }
}
