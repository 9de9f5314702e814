import BackendClient
import BackendKit
import ServiceDescription

/// Finds the identifier: a field whose values lead to the records that have them.
struct IdentifierProbe: Probe {
  struct Found {
    /// The field; in JSON:API `id`; empty if the identifier is in an address, or consists of several fields.
    let field: String
    /// The path to an address in the record whose last part is the identifier; empty if it is in a field.
    var link: [String] = []
    /// The fields that make up the identifier; empty if it is a single one.
    var parts: [String] = []
    /// True if single records lack the field, as in a map.
    var isUnnamed = false
    /// The path of a record, with `{id}` or the names of the parts in braces.
    let template: String
    /// The path to the record in the response for a single one.
    let oneAt: [String]
    let record: Object
    let answer: ProbeResponse

    var fields: [String] { parts.isEmpty ? [field].filter { !$0.isEmpty } : parts }

    func target(_ id: RecordID) -> ProbeTarget {
      parts.isEmpty ? Self.target(id, template) : NameParts(parts).target(id, template)
    }

    static func target(_ id: RecordID, _ template: String) -> ProbeTarget {
      ProbeTarget(template.replacing(text: "{id}", with: PercentEncoding.encode(id.text)), shownAs: template)
    }

    func read(_ id: RecordID, _ prober: Prober) async throws(BackendError) -> Object? {
      guard let answer = try await prober.get(target(id)), answer.isSuccess else { return nil }
      return record(id, in: answer.document)?.record
    }

    func value(of row: Object) -> Value {
      guard parts.isEmpty else { return NameParts(parts).id(of: row).map { .string($0.text) } ?? .null }
      guard !link.isEmpty else { return row[field] ?? .null }
      return ListShape.value(.object(row), at: link)?.text.flatMap { Link.lastPart($0) }.map { .string($0) } ?? .null
    }

    /// The record in the response for a single one: at the known place, or else where an object resembles it.
    func record(_ id: RecordID, in document: Value?) -> (path: [String], record: Object)? {
      if let document, let found = ListShape.value(document, at: oneAt)?.object {
        if isUnnamed, found[field] == nil, !found.isEmpty {
          return (oneAt, Object([(field, .string(id.text))] + Array(found.members)))
        }
        if RecordID(value(of: found)) == id { return (oneAt, found) }
      }
      return IdentifierProbe.record(in: document, like: record) { RecordID(value(of: $0)) == id }
    }
  }

  static let names = ["id", "_id", "uuid", "key", "pk", "documentId", "guid", "slug", "name"]
  let survey: ResourceSurvey

  func run() async throws(BackendError) {
    let rows = survey.rows
    let fields = candidates(rows)
    let pairs = pairs(fields, rows)
    guard let row = readable(rows, pairs.first) else {
      return survey.claims.leave(.identifierField, "the list is empty")
    }
    var refused: [ProbeResponse] = []
    var isOpen = false
    for (field, path) in pairs {
      var template = path
      guard let id = RecordID(row[field]) else { continue }
      var answer = try await survey.prober.get(Found.target(id, template))
      // Everything else depends on the response, so that a lost one is requested again.
      if answer == nil { answer = try await survey.prober.get(Found.target(id, template)) }
      guard let answer else {
        isOpen = true
        continue
      }
      // Writes are not redirected.
      if answer.isSlashed { template += "/" }
      let isUnnamed = survey.shape?.keyField == field && survey.shape?.holdsKeys == false
      let found =
        isUnnamed
        ? Self.unnamed(in: answer.document, like: row, without: field)
        : Self.record(in: answer.document, like: row, where: field, is: row[field])
      guard answer.isSuccess, let (place, record) = found else {
        if [404, 405, 410].contains(answer.status) { refused.append(answer) } else { isOpen = true }
        continue
      }
      survey.identifier = Found(
        field: field, isUnnamed: isUnnamed, template: template, oneAt: place, record: record, answer: answer)
      // An object with only the identifier of the row may be anything.
      let isRecord = Self.shows(record, row, besides: [field])
      let grade: SurveyClaim.Grade = isRecord ? .proved : .likely
      let evidence = answer.evidence(isRecord ? "the same record" : "its identifier, without its other fields")
      let kind = FieldsProbe.type(rows.map { $0[field] ?? .null }) == "integer" ? "integer" : "text"
      survey.claims.add(.identifierField, field, grade, evidence)
      survey.suppose(.identifierType, kind, "\(counted(rows.count, "record")) in lists")
      if kind == "text", let pattern = pattern(rows.compactMap { RecordID($0[field])?.text }) {
        survey.suppose(.identifierPattern, pattern, "\(counted(rows.count, "record")) in lists match it")
      }
      survey.claims.add(.pathsItem, template, grade, evidence)
      survey.claims.add(.recordsRecordPath, place.isEmpty ? "$" : place.joined(separator: "."), grade, evidence)
      return
    }
    if let (link, answer) = try await link(row) {
      survey.prove(.identifierLink, link, answer.evidence("the record with the same address"))
      survey.linked = answer.target
      name(rows, by: link, answer)
      if let first = link.split(separator: ".").first.map(String.init), first != link {
        survey.suppose(.recordsNotFields, [first], answer.evidence("it contains addresses"))
      }
      return survey.claims.leave(.identifierField, "a record is identified by its own address")
    }
    if try await findParts(rows) { return }
    if try await findMember(rows, row) { return }
    if let item = survey.documented?.item, item.operations["GET"] == nil, item.variables == 1, survey.nested == nil {
      return write(at: item, fields)
    }
    if let answer = refused.first, !isOpen {
      survey.suppose(.pathsItem, nil, answer.evidence("no path leads to the record"))
    }
    if let field = fields.first(where: Self.names.contains) ?? onlyUnique(rows) {
      survey.suppose(.identifierField, field, "unique in \(counted(rows.count, "record"))")
    } else if let item = survey.documented?.item, let field = named(by: item), others(rows).contains(field) {
      survey.suppose(.identifierField, field, "the variable of its path in the document", from: .document)
    } else {
      survey.claims.leave(.identifierField, "no field's value led to the record")
    }
  }

  /// The field with the name of a path's variable.
  private func named(by item: ServiceDocument.Path) -> String? {
    let name = DocumentedResource.plain(OutlinePlaces.plain(item.template))
    return survey.rows.first?.names.first { DocumentedResource.plain($0) == name }
  }

  /// Takes the path at which the document only writes records.
  private func write(at item: ServiceDocument.Path, _ fields: [String]) {
    let evidence = "the document: records are written there, and not read"
    let known = named(by: item) ?? fields.first(where: Self.names.contains)
    guard let field = known ?? onlyUnique(survey.rows) else { return }
    let isNumber = survey.rows.allSatisfy { $0[field]?.integer != nil }
    survey.suppose(.identifierField, field, evidence, from: .document)
    survey.suppose(.identifierType, isNumber ? "integer" : "text", "\(counted(survey.rows.count, "record")) in lists")
    survey.suppose(.pathsItem, Self.named(item.template), evidence, from: .document)
    survey.suppose(.pathsReadable, false, evidence, from: .document)
  }

  /// Uses the last part of each record's address as the identifier, if records are below their list.
  private func name(_ rows: [Object], by link: String, _ answer: ProbeResponse) {
    let template = Candidates.plain(survey.collection) + "/{id}"
    let steps = link.split(separator: ".").map(String.init)
    func address(_ object: Object) -> String? { ListShape.value(.object(object), at: steps)?.text }
    guard let row = rows.last, let wanted = address(row),
      let (place, record) = Self.record(in: answer.document, like: row, where: { address($0) == wanted })
    else { return }
    let found = Found(field: "", link: steps, template: template, oneAt: place, record: record, answer: answer)
    let identifiers = rows.compactMap { RecordID(found.value(of: $0)) }
    guard identifiers.count == rows.count, Set(identifiers).count == rows.count,
      let id = RecordID(found.value(of: record)),
      found.target(id).address == answer.target.address
    else { return }
    survey.identifier = found
    let isNumber = identifiers.allSatisfy { Int($0.text).map(String.init) == $0.text }
    survey.suppose(.identifierType, isNumber ? "integer" : "text", "\(counted(rows.count, "record")) in lists")
    if !isNumber, let pattern = pattern(identifiers.map(\.text)) {
      survey.suppose(.identifierPattern, pattern, "\(counted(rows.count, "record")) in lists match it")
    }
    let grade: SurveyClaim.Grade = Self.shows(record, row, besides: Array(steps.prefix(1))) ? .proved : .likely
    let evidence = answer.evidence("the record with the same address")
    survey.claims.add(.pathsItem, template, grade, evidence)
    if !place.isEmpty {
      survey.claims.add(.recordsRecordPath, place.joined(separator: "."), grade, evidence)
    }
  }

  /// The pattern of generated identifiers; nil if they have none of the usual forms, or are too few.
  private func pattern(_ identifiers: [String]) -> String? {
    guard identifiers.count >= Self.enoughIdentifiers else { return nil }
    let numbers = survey.dialect.isJSONAPI ? ["^(0|[1-9][0-9]{0,17})$"] : []
    return (Self.patterns + numbers).first { pattern in
      identifiers.allSatisfy { TextPattern(pattern)?.isFound(in: $0) == true }
    }
  }

  static let enoughIdentifiers = 10
  /// MongoDB's object identifiers, and UUIDs with and without hyphens.
  static let patterns = [
    "^[0-9a-f]{24}$", "^[0-9a-f]{32}$", "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$",
  ]

  /// Finds the member with a record's own address below the list, and the response there; nil if there is none.
  private func link(_ row: Object) async throws(BackendError) -> (link: String, answer: ProbeResponse)? {
    let list = Candidates.plain(survey.collection)
    let usual = ["_links.self.href", "_links.self", "links.self", "self", "url", "href", "resource_uri", "name"]
    // Any address directly below the list is that of the record, whatever it is called.
    let others = row.members.filter { name, value in
      let path = value.text.flatMap { Link.rootPath($0) }.map(Candidates.plain)
      return path?.hasPrefix(list + "/") == true && path?.dropFirst(list.count + 1).contains("/") == false
        && !usual.contains(name) && !name.contains(".")
    }
    for place in usual + others.map(\.0) {
      let steps = place.split(separator: ".").map(String.init)
      guard let address = ListShape.value(.object(row), at: steps)?.text,
        let path = Link.rootPath(address) ?? below(list, address),
        Candidates.plain(path).hasPrefix(list + "/"),
        let answer = try await survey.prober.get(ProbeTarget(path, shownAs: list + "/{id}")), answer.isSuccess,
        let record = answer.document, ListShape.value(record, at: steps)?.text == address
      else { continue }
      return (place, answer)
    }
    return nil
  }

  /// The path of a record whose name contains that of the list: `flats/12`.
  private func below(_ list: String, _ name: String) -> String? {
    guard let slash = list.lastIndex(of: "/"), name.hasPrefix(list[list.index(after: slash)...] + "/") else {
      return nil
    }
    return list[...slash] + name
  }

  /// The record in the response for a single one, found by its identifier and its similarity to the row.
  static func record(
    in document: Value?, like row: Object, where field: String, is value: Value?
  ) -> (path: [String], record: Object)? {
    guard let value else { return nil }
    return record(in: document, like: row) { object in
      object[field].map { $0.isSame(as: value) || RecordID($0) == RecordID(value) } ?? false
    }
  }

  /// The record in the response for a single one of a map, which lacks its key: an object with all other fields of the
  /// row, at least one with the same value.
  static func unnamed(
    in document: Value?, like row: Object, without field: String
  ) -> (path: [String], record: Object)? {
    guard let document else { return nil }
    let members: [([String], Value)] = document.object?.members.map { ([$0], $1) } ?? []
    for (path, value) in [([], document)] + members {
      guard let object = value.object, !object.isEmpty, object[field] == nil else { continue }
      let record = Object([(field, row[field] ?? .null)] + Array(object.members))
      let others = row.members.filter { $0.0 != field }
      if others.allSatisfy({ object[$0.0] != nil }), shows(record, row, besides: [field]) { return (path, record) }
    }
    return nil
  }

  /// The record in the response for a single one: among the objects with its identifier, that with most fields of its
  /// row. Enclosing objects may have the same identifier.
  static func record(
    in document: Value?, like row: Object, where isWanted: (Object) -> Bool
  ) -> (path: [String], record: Object)? {
    var best: (path: [String], record: Object, shared: Int)?
    func take(_ path: [String], _ object: Object) {
      let shared = row.names.count { object[$0] != nil }
      if shared > best?.shared ?? -1 { best = (path, object, shared) }
    }
    func look(_ part: Value, _ path: [String]) {
      if let object = part.object {
        // A single record may be a table with one row.
        if let shape = ListShape(part, resource: "", known: ["rows"]), shape.isTable, shape.rows.count == 1,
          let only = shape.rows.first, isWanted(only)
        {
          return take(path + ["rows"], only)
        }
        if isWanted(object) { take(path, object) }
        guard path.count < 2 else { return }
        for (name, member) in object.members { look(member, path + [name]) }
      } else if let only = part.array, only.count == 1 {
        look(only[0], path + ["0"])
      }
    }
    if let document { look(document, []) }
    return best.map { ($0.path, $0.record) }
  }

  /// Returns whether an object is the whole record: it has half of the row's other fields, at least one equal.
  static func shows(_ record: Object, _ row: Object, besides identifier: [String]) -> Bool {
    let others = row.members.filter { !identifier.contains($0.0) }
    let shared = others.filter { record[$0.0] != nil }
    return others.isEmpty
      || shared.count * 2 >= others.count && shared.contains { record[$0.0]?.isSame(as: $0.1) == true }
  }
}
