import BackendKit
import ServiceDescription

/// The sections that describe a place as its document does.
struct OutlineSections {
  private let place: OutlinePlace
  private let schemas: SchemaReader
  private let base: String
  private let owner: String?
  private let models: [ResourceSurvey]
  /// The records of the list, and the members that lead to them; nil if there is no list.
  private let list: (path: [String], schema: Object)?
  private let record: OutlineRecord
  /// True if the list has plain texts.
  private let hasTexts: Bool

  init(
    _ place: OutlinePlace, _ schemas: SchemaReader, below base: String, owner: String?, _ models: [ResourceSurvey]
  ) {
    (self.place, self.schemas, self.base, self.owner, self.models) = (place, schemas, base, owner, models)
    let get = place.resource?.collection.operations["GET"]
    let name = Candidates.bare(place.segments.last ?? "")
    // Lists in the only record are its fields.
    let isSole = place.resource?.isSole == true
    let texts = isSole ? nil : schemas.texts(in: get?.response, named: name)
    let field = Object([(ListShape.textField, Value.object(Object([("type", "string")])))])
    let records = isSole ? nil : schemas.records(in: get?.response, named: name)
    hasTexts = records == nil && texts != nil
    list = records ?? texts.map { ($0, Object([("properties", .object(field))])) }
    record = OutlineRecord(place, list?.schema, schemas)
  }

  /// The first tag of its operations.
  var group: String? { place.resource?.collection.operations["GET"]?.tag ?? item?.operations.values.first?.tag }

  private var item: ServiceDocument.Path? { place.resource?.item }

  var all: Object {
    var sections = Object()
    if let suffix { sections["base"] = .object(Object([("suffix", .string(suffix))])) }
    sections["paths"] = .object(paths)
    var records = Object()
    if let path = list?.path, !path.isEmpty { records[.recordsListPath] = .string(MemberPath.text(path)) }
    if !record.path.isEmpty { records[.recordsRecordPath] = MemberPath.text(record.path) }
    if hasTexts { records[.recordsValueField] = ListShape.textField }
    if !records.isEmpty { sections["records"] = .object(records) }
    if place.resource?.collection.operations["GET"] == nil { sections["listRequest"] = .null }
    sections["identifier"] = .object(record.identifier)
    for (name, section) in OutlinePages(place.resource, list, schemas, models).sections {
      sections[name] = .object(section)
    }
    take(required: &sections)
    // A path to a record that cannot be written leaves the list.
    let isReached = place.item == nil || sections["paths"]?.object?[Key.pathsItem.name] != .null
    for (name, section) in OutlineWrites(place.resource, record).sections {
      sections[name] = isReached || name == "create" ? section : .null
    }
    sections["persistence"] = .object(Object([("kept", "unknown")]))
    if let owner { own(owner, &sections) }
    if !record.fields.isEmpty { sections["fields"] = .object(record.fields) }
    sections["additionalFields"] = true
    sections[.likely] = Self.likely.filter { sections[$0]?.object != nil }
    return sections
  }

  private static let likely = ["page", "size", "end", "total", "create", "update", "delete", "fields"]

  /// The ending that all paths of a service may have.
  private var suffix: String? {
    let isListed = place.resource?.collection.operations.isEmpty == false
    guard let path = isListed ? place.resource?.collection.template : item?.template else { return nil }
    return path.hasSuffix("/") ? "/" : path.hasSuffix(".json") ? ".json" : nil
  }

  private func plain(_ path: String) -> String {
    guard let suffix, path.hasSuffix(suffix) else { return path }
    return String(path.dropLast(suffix.count))
  }

  private var paths: Object {
    var paths = Object()
    let segments = place.resource.map { $0.collection.plain.split(separator: "/") } ?? []
    let depth = base.split(separator: "/").count
    let collection = plain(segments.dropFirst(depth).filter { !$0.contains("{") }.joined(separator: "/"))
    if !collection.isEmpty, collection != place.name { paths[.pathsCollection] = collection }
    guard let item = place.item else {
      if place.resource?.isSole != true { paths[Key.pathsItem.name] = .null }
      return paths
    }
    if place.resource?.item?.operations["GET"] == nil { paths[.pathsReadable] = false }
    var path = plain(item)
    // A record below its list needs no path of its own; with several variables, only if that is below others.
    if place.variables.count == 1 || owner != nil, path.hasSuffix("}") {
      let folder = path.split(separator: "/").dropLast(place.variables.count).joined(separator: "/")
      let list = place.resource.map { _ in plain(segments.dropFirst(depth).joined(separator: "/")) } ?? folder
      if ServiceDocument.Path.shape(folder) == ServiceDocument.Path.shape(list), owner != nil || !folder.isEmpty {
        if place.resource == nil, folder != place.name, owner == nil { paths[.pathsCollection] = folder }
        return paths
      }
    }
    // Below other records, only a path below the list can be written.
    if owner != nil {
      paths[Key.pathsItem.name] = .null
      return paths
    }
    if place.variables.count == 1 { path = path.replacing(text: "{\(place.variables[0])}", with: "{id}") }
    paths[.pathsItem] = path
    return paths
  }

  /// Adds the values of parameters without which the list is refused. The first page is requested without its position
  /// unless that is one of them.
  private func take(required sections: inout Object) {
    func parameter(_ section: String) -> String? { sections[section]?.object?["parameter"]?.text }
    let first = sections["page"]?.object?["style"]?.text.flatMap { ["number": "1", "offset": "0"][$0] }
    let needed = (place.resource?.requiredParameters ?? []).compactMap { name, value -> (String, String?)? in
      if name == parameter("size") { return nil }
      return name == parameter("page") ? first.map { (name, value ?? $0) } : (name, value)
    }
    guard !needed.isEmpty else { return }
    var paths = sections["paths"]?.object ?? Object()
    let filled = needed.compactMap { name, value in value.map { (name, Value.string($0)) } }
    let open = needed.filter { $0.1 == nil }.map { Value.string($0.0) }
    if !filled.isEmpty { paths["parameters"] = .object(Object(filled)) }
    if !open.isEmpty { paths["requiredParameters"] = .array(open) }
    sections["paths"] = .object(paths)
  }

  /// Says below which records the resource is, and what can be done there.
  private func own(_ owner: String, _ sections: inout Object) {
    let path = plain(place.segments.joined(separator: "/"))
    var fact = Object([("field", Value.null), ("itemsBelow", true)])
    fact["path"] = .string(path.isEmpty ? "/" : path)
    sections["owners"] = .object(Object([(owner, .object(fact))]))
    var operations = place.resource?.collection.operations["GET"] == nil ? [] : ["list"]
    let isReached = sections["paths"]?.object?[Key.pathsItem.name] != .null
    if isReached, place.resource?.one?.operations["GET"] != nil { operations.append("get") }
    operations += ["create", "update", "delete"].filter { sections[$0]?.object != nil }
    sections[Key.operationsBelow.name] = .array(operations.map { .string($0) })
  }
}

/// A record as its document describes it.
struct OutlineRecord {
  /// The members that lead to the record in a response with one.
  let path: [String]
  let properties: Object
  let identifier: Object

  let bodies: OutlineBodies
  /// True if the client chooses the identifier.
  let isChosen: Bool

  private let schemas: SchemaReader

  init(_ place: OutlinePlace, _ listed: Object?, _ schemas: SchemaReader) {
    self.schemas = schemas
    let resource = place.resource
    let isSole = resource?.isSole == true
    let one = schemas.record(in: resource?.one?.operations["GET"]?.response, like: listed, isSole: isSole)
    path = one?.path ?? []
    properties = one?.properties ?? listed?["properties"]?.object ?? Object()
    let shownFields = properties
    let name = Candidates.bare(place.segments.last ?? "")
    let bodies = OutlineBodies(resource, like: properties, named: [name], schemas)
    self.bodies = bodies
    let inList = listed?["properties"]?.object
    let shown = inList.map { list in Object(shownFields.members.filter { list[$0.0] != nil }) } ?? shownFields
    let identifier = Self.identifier(place, shown.isEmpty ? shownFields : shown, schemas)
    self.identifier = identifier
    let field = identifier["member"]?.text ?? identifier["field"].map(\.text) ?? "id"
    isChosen = field.map { bodies.create?.chooses($0, schemas) == true } ?? false
  }

  /// The section on identifiers: a variable of the path tells, else the usual names.
  private static func identifier(_ place: OutlinePlace, _ properties: Object, _ schemas: SchemaReader) -> Object {
    if place.resource?.isSole == true { return Object([("type", "none")]) }
    guard place.variables.count < 2 else {
      // Records of a list that do not show its variables have no identifier.
      let isShown = place.variables.allSatisfy { properties[$0] != nil }
      guard isShown || place.resource?.collection.operations["GET"] == nil else { return Object([("field", .null)]) }
      return Object([
        ("field", .null), ("fields", .array(place.variables.map { .string($0) })), ("separator", "/"),
      ])
    }
    func scalar(_ name: String) -> String? {
      let schema = schemas.folded(properties[name]) ?? Object()
      return schemas.type(of: schema).map { ["string", "integer", "number"].contains($0) } ?? true ? name : nil
    }
    let plain = Dictionary(
      properties.names.map { (DocumentedResource.plain($0), $0) }, uniquingKeysWith: { first, _ in first })
    var words: [String] = []
    if let variable = place.variables.first.map(DocumentedResource.plain) {
      words.append(variable)
      words += endings.filter { variable != $0 && variable.hasSuffix($0) }
    }
    words += usual
    for word in words {
      guard let name = plain[word].flatMap(scalar) else { continue }
      var section = Object()
      if name != "id" { section[.identifierField] = name }
      if schemas.folded(properties[name]).flatMap(schemas.type) == "integer" { section[.identifierType] = "integer" }
      if !section.isEmpty, section[.identifierType] != nil { section["likely"] = ["type"] }
      return section
    }
    if schemas.folded(properties["metadata"])?["properties"]?.object?["name"] != nil {
      return Object([("field", .null), ("member", "metadata.name")])
    }
    // Whoever knows the value of the variable reaches a record that no list shows.
    let isListed = place.resource?.collection.operations["GET"] != nil
    return Object([("field", isListed ? .null : place.variables.first.map { .string($0) } ?? .null)])
  }

  private static let endings = [
    "uuid", "sid", "gid", "id", "slug", "login", "username", "name", "key", "number", "sku", "code", "tag", "hash",
    "email", "token",
  ]
  private static let usual = [
    "id", "uuid", "gid", "sid", "key", "slug", "login", "username", "name", "number", "code", "sku",
  ]

  /// The fields of a record and of a body, each with what the document says of it.
  var fields: Object {
    var fields = Object()
    let names = properties.names + bodies.names.filter { properties[$0] == nil }
    for name in names.prefix(FieldsProbe.mostFields) {
      let facts = bodies.facts(of: name, shownAs: schemas.folded(properties[name]))
      fields[name] = facts.count == 1 && facts[.fieldType] != nil ? facts[Key.fieldType.name] : .object(facts)
    }
    return fields
  }
}
