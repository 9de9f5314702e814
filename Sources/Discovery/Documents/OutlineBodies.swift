import BackendKit
import ServiceDescription

/// The body of a write, as its document describes it.
struct OutlineBody {
  /// The member that holds the fields; nil if the body is the record.
  let wrap: String?
  let properties: Object
  let required: Set<String>
  /// True if it may have other members.
  let isOpen: Bool
  /// A body whose record is most like one with these properties; nil if the document has none. A member with one of
  /// `names` holds the record if neither is like it.
  init?(_ operation: ServiceDocument.Operation?, like record: Object, named names: [String], _ schemas: SchemaReader) {
    guard let schema = schemas.folded(operation?.request), let own = schema["properties"]?.object, !own.isEmpty else {
      return nil
    }
    var best: (wrap: String?, schema: Object, likeness: Double) = (nil, schema, Self.likeness(own, record))
    for (name, member) in own.members where own.count <= 2 {
      guard let inner = schemas.folded(member) else { continue }
      let properties = inner["properties"]?.object ?? Object()
      let isNamed = name == "data" || names.contains { $0.hasPrefix(name) }
      // A service may take any fields, and describe none.
      guard !properties.isEmpty || isNamed && schemas.type(of: inner) == "object" else { continue }
      let likeness = max(Self.likeness(properties, record), isNamed ? 0.001 : 0)
      if likeness > best.likeness { best = (name, inner, likeness) }
    }
    wrap = best.wrap
    properties = best.schema["properties"]?.object ?? Object()
    required = Set(best.schema["required"]?.array?.compactMap(\.text) ?? [])
    let others = best.schema["additionalProperties"]
    isOpen = others?.bool == true || others?.object != nil || properties.isEmpty
  }

  /// Returns whether most of its members are those of a record.
  func isLike(_ record: Object) -> Bool {
    properties.names.count(where: { record[$0] != nil }) * 2 > properties.count
  }

  /// Returns whether the client may choose the value of an identifier, a field or a member of one: not if it is named
  /// like one that services make, and is not required.
  func chooses(_ identifier: String, _ schemas: SchemaReader) -> Bool {
    var (names, members) = (properties as Object?, identifier.split(separator: ".").map(String.init)[...])
    while let name = members.popFirst() {
      guard let schema = schemas.folded(names?[name]), schema["readOnly"]?.bool != true else { return false }
      names = schema["properties"]?.object
    }
    let made = ["id", "_id", "uuid", "guid", "pk", "gid", "sid"]
    return required.contains(identifier) || !made.contains(identifier.lowercased())
  }

  /// The share of names that two objects have in common, signs and capitals aside.
  static func likeness(_ properties: Object, _ other: Object) -> Double {
    let (own, theirs) = (
      Set(properties.names.map(DocumentedResource.plain)), Set(other.names.map(DocumentedResource.plain))
    )
    guard !own.isEmpty, !theirs.isEmpty else { return 0 }
    return Double(own.intersection(theirs).count) / Double(own.union(theirs).count)
  }
}

/// The bodies that create and change records, as their document describes them.
struct OutlineBodies {
  let create: OutlineBody?
  let change: OutlineBody?
  private let schemas: SchemaReader

  init(_ resource: DocumentedResource?, like record: Object, named names: [String], _ schemas: SchemaReader) {
    self.schemas = schemas
    create = OutlineBody(resource?.creation, like: record, named: names, schemas)
    change = OutlineBody(resource?.change?.operation, like: record, named: names, schemas)
  }

  /// True if they describe no field.
  private var isEmpty: Bool { names.isEmpty }
  var names: [String] {
    let first = create?.properties.names ?? []
    return first + (change?.properties.names ?? []).filter { create?.properties[$0] == nil }
  }

  /// The schema of a field in them; nil if they lack it.
  subscript(name: String) -> Object? { schemas.folded(create?.properties[name] ?? change?.properties[name]) }

  /// The fields of a record that are not sent with it when it is replaced.
  func dropped(of record: Object) -> [String] {
    guard let change, !change.isOpen, change.isLike(record) else { return [] }
    return record.names.filter { name in
      change.properties[name].map { schemas.folded($0)?["readOnly"] == true } ?? true
    }
  }

  /// The facts of a field that records show with a schema, or do not show.
  func facts(of name: String, shownAs said: Object?) -> Object {
    let written = self[name]
    let schema = written ?? said ?? Object()
    var facts = Object()
    facts[.fieldType] = schemas.fieldType(of: said ?? schema)
    if let written, let said { take(written, said, of: name, &facts) }
    if (written ?? said)?["readOnly"]?.bool ?? false || !isEmpty && written == nil { facts[.fieldReadOnly] = true }
    if schema["format"] == "password" || said?["format"] == "password" { facts[.fieldSecret] = true }
    if create?.required.contains(name) == true { facts[.fieldRequired] = true }
    if let values = (said ?? schema)["enum"]?.array, !values.isEmpty, values.count <= 100 {
      facts[.fieldValues] = values
    }
    if let most = schema["maxLength"]?.integer, most > 0 { facts[.fieldMaximumLength] = most }
    return facts
  }

  /// Takes the type from the body where records show another: an object whose identifier the body has, or anything.
  func take(_ written: Object, _ said: Object, of name: String, _ facts: inout Object) {
    guard let type = schemas.type(of: written), let shown = schemas.type(of: said), type != shown,
      !Set([type, shown]).isSubset(of: ["integer", "number"])
    else { return }
    let members = said["properties"]?.object
    let id = ["id", "_id", "uuid", "gid", "key"].first { schemas.folded(members?[$0]).flatMap(schemas.type) == type }
    facts[.fieldType] = id == nil ? "any" : schemas.fieldType(of: written)
    facts[.fieldReadPath] = id.map { "\(name).\($0)" }
  }
}
