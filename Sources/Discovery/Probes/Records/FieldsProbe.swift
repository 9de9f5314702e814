import BackendClient
import BackendKit
import ServiceDescription

/// Describes the fields by the records that were read, the document and OPTIONS.
struct FieldsProbe: Probe {
  static let mostRows = 200
  static let mostFields = 200
  let survey: ResourceSurvey

  func run() {
    var rows = survey.rows.prefix(Self.mostRows).map { survey.fields(of: $0) }
    if let identifier = survey.identifier { rows.append(survey.fields(of: identifier.record)) }
    let document = schema()
    let bodies = survey.bodies
    let created = created(bodies, like: document)
    let required = bodies?.create?.required ?? []
    var names: [String] = []
    var seen: Set<String> = []
    seen = Set(survey.claims[.recordsNotFields] ?? [])
    for row in rows { names += row.names.filter { seen.insert($0).inserted } }
    let unseen = document?.names.filter { !seen.contains($0) } ?? []
    if !unseen.isEmpty {
      let (list, isOne) = (SurveyText.cut(unseen.joined(separator: ", ")), unseen.count == 1)
      let read = "no record that was read has \(isOne ? "it" : "them")"
      survey.differ("the document has the field\(isOne ? "" : "s") \(list); \(read)")
    }
    for name in names.prefix(Self.mostFields) {
      let values = rows.compactMap { $0[name] }
      let known = values.filter { $0 != .null }
      let said = document?[name].flatMap { survey.schemas?.folded($0) }
      let option = survey.options?[name]?.object
      var facts = Object()
      let type = Self.type(known)
      if let said = said.flatMap({ survey.schemas?.fieldType(of: $0) }) {
        // JSON Schema considers 22.0 an integer, too.
        let isWhole = said == "integer" && known.allSatisfy { $0.integer != nil }
        let isRefuted = type.map { !isWhole && !Self.fits($0, said) } ?? false
        if isRefuted, let type {
          survey.claims.add(.documentedType(of: name), said, .contradicted, "the service sends \(type)")
          survey.differ("the document says that \(name) is \(said); the service sends \(type)")
        }
        let isSaid = !isRefuted && (type == "text" || said == "number")
        facts[.fieldType] = isSaid ? said : type ?? said
      } else if let type = type ?? option.flatMap(Self.type(ofOption:)) {
        facts[.fieldType] = type
      }
      let inBody = bodies?[name]
      if let inBody, let said, known.allSatisfy({ Self.type([$0]) == survey.schemas?.fieldType(of: said) }) {
        bodies?.take(inBody, said, of: name, &facts)
      }
      let written = created?.contains(name) == true ? inBody : nil
      // Clients may choose an identifier that is documented for new records, or looks chosen by people.
      let isNaming = name == survey.identifier?.field && written == nil && !hasPeoplesNames
      // A field in the path of a new record is not in its body.
      let isClosed = created != nil && written == nil && !(isMadeAtItem && name == survey.identifier?.field)
      let isOwn = written == nil && (isOwnTime(name, type) || isOwnKind(name, values))
      let isReadOnly =
        written.map { $0["readOnly"]?.bool ?? false } ?? said?["readOnly"]?.bool ?? option?["read_only"]?.bool
        ?? (isNaming || survey.claims[.identifierLink] != nil && name == survey.identifier?.link.first
          || name.hasPrefix("@") || Self.areLinks(known)
          || survey.dialect.readOnly.contains(name) || isClosed || isOwn || isOwnAddress(name, rows))
      if isReadOnly { facts[.fieldReadOnly] = true }
      // A write-only field need not be a secret, and a number of tokens is not one.
      if said?["format"] == "password" || survey.prober.isSecret(name) && ["text", nil].contains(facts[.fieldType]) {
        facts[.fieldSecret] = true
      }
      if required.contains(name) && !isReadOnly || option?["required"]?.bool == true { facts[.fieldRequired] = true }
      if let values = survey.choices(of: name) {
        facts[.fieldValues] = values
      } else if let said = survey.saidChoices(of: name) {
        refute(name, "one of \(counted(said.count, "value"))", "records have others")
      } else if facts[.fieldType] == "text", survey.isUndescribed(name),
        let words = Enumeration.words(in: known, of: name)
      {
        facts[.fieldValues] = words
      }
      if let most = said?["maxLength"]?.integer ?? written?["maxLength"]?.integer ?? option?["max_length"]?.integer,
        most > 0
      {
        if known.contains(where: { ($0.text?.count ?? 0) > most }) {
          refute(name, "at most \(counted(most, "character")) long", "records have longer texts")
        } else {
          facts[.fieldMaximumLength] = most
        }
      }
      let isReference = !known.isEmpty && known.allSatisfy(survey.namesRecord)
      if !isReadOnly, facts[.fieldValues] == nil, isReference || isPerhapsLimited(facts[.fieldType], values) {
        facts[.fieldRestrictedValues] = true
      }
      // A text in every record may be required in new ones.
      if facts[.fieldType] == "text", !isReadOnly, values.count == rows.count,
        !values.contains(.null), !values.contains("")
      {
        survey.claims.perhapsRequired.insert(name)
      }
      let isSaid = said != nil || option != nil
      let evidence = "\(counted(values.count, "record")) seen" + (isSaid ? "; the document" : "")
      survey.claims.add(.field(name), Object(), known.isEmpty ? .likely : .proved, evidence)
      // Other records may refute what these show, and the service what its document says.
      for (fact, value) in facts.members {
        survey.claims.claim(field: name, Key<Value>(fact), value, evidence, .likely)
      }
    }
    if let bodies, created != nil { addUnshown(bodies, besides: seen) }
  }

  /// Adds the fields that are only in the bodies of the document, such as passwords.
  private func addUnshown(_ bodies: OutlineBodies, besides seen: Set<String>) {
    for name in bodies.names.filter({ !seen.contains($0) }).prefix(Self.mostFields) {
      var facts = bodies.facts(of: name, shownAs: nil)
      guard facts[.fieldReadOnly] != true else { continue }
      if survey.prober.isSecret(name), ["text", nil].contains(facts[.fieldType]) { facts[.fieldSecret] = true }
      let evidence = "only in the document, in the body of a write"
      survey.claims.add(.field(name), Object(), .likely, evidence, from: .document)
      for (fact, value) in facts.members {
        survey.claims.claim(field: name, Key<Value>(fact), value, evidence, .likely)
      }
    }
  }

  private func refute(_ name: String, _ said: String, _ seen: String) {
    let source = survey.options?[name] == nil ? "the document" : "OPTIONS"
    survey.differ("\(source) says that \(name) is \(said); \(seen)")
  }

  /// The documented fields of new and changed records; nil if they may have others, or share too few with the records.
  private func created(_ bodies: OutlineBodies?, like record: Object?) -> Set<String>? {
    guard let bodies, let record, let body = bodies.create, !body.isOpen, body.isLike(record) else { return nil }
    return Set(bodies.names)
  }

  /// True if the identifier is a field with names that people choose.
  private var hasPeoplesNames: Bool {
    let made = ["id", "_id", "uuid", "guid", "pk", "documentid"]
    return survey.hasChosenNames && !made.contains(survey.identifier?.field.lowercased() ?? "")
  }

  /// True if the document only creates records at their own paths.
  private var isMadeAtItem: Bool { survey.documented.map { $0.collection.operations["POST"] == nil } ?? false }

  /// Names of times that services set, without punctuation.
  private static let times: Set<String> = [
    "created", "createdat", "createdon", "createtime", "creationtime", "creationdate", "createddate", "datecreated",
    "updated", "updatedat", "updatedon", "updatetime", "updateddate", "dateupdated", "lastupdated", "lastupdate",
    "modified", "modifiedat", "modifiedon", "modifieddate", "datemodified", "lastmodified", "changed", "changedat",
    "lastactivity", "lastseen", "lastlogin",
  ]

  /// Returns whether a field looks like the time of a change, which the service sets.
  private func isOwnTime(_ name: String, _ type: String?) -> Bool {
    type == "date" && Self.times.contains(DocumentedResource.plain(name))
  }

  /// Returns whether a field contains the kind of each record, a word like the name of the resource.
  private func isOwnKind(_ name: String, _ values: [Value]) -> Bool {
    guard ["kind", "type", "object", "resourcetype", "objecttype"].contains(DocumentedResource.plain(name)),
      isPerhapsLimited("text", values), let word = values.first?.text?.lowercased()
    else { return false }
    return ([word] + Plural.forms(of: word)).contains(survey.name.lowercased())
  }

  private func isOwnAddress(_ name: String, _ rows: [Object]) -> Bool {
    guard let identifier = survey.identifier, !rows.isEmpty else { return false }
    return survey.rows.prefix(Self.mostRows).allSatisfy { row in
      guard let address = row[name]?.text, let path = Link.rootPath(address),
        let id = RecordID(identifier.value(of: row))
      else { return false }
      return path == identifier.target(id).address || path == identifier.template.replacing(text: "{id}", with: id.text)
    }
  }

  /// Returns whether a field may accept only some values of its type: those of lists, objects and always empty fields
  /// have unknown rules, and a text that all records share may be a constant.
  private func isPerhapsLimited(_ type: String?, _ values: [Value]) -> Bool {
    switch type {
    case nil, "any"?, "list"?, "object"?: true
    case "text"?: values.count >= Self.enoughRows && Set(values).count == 1
    default: false
    }
  }

  private static let enoughRows = 5

  /// Returns whether a field has nothing but addresses in each record, such as `_links`.
  private static func areLinks(_ values: [Value]) -> Bool {
    !values.isEmpty
      && values.allSatisfy { value in
        guard let object = value.object, !object.isEmpty else { return false }
        return object.members.allSatisfy { IndexShape.leads($1) }
      }
  }

  /// The documented members of a record: those in the list, and those that only a single record has if one was read;
  /// or else of a new record.
  func schema() -> Object? {
    guard let documented = survey.documented, let schemas = survey.schemas else { return nil }
    let list = schemas.records(in: documented.collection.operations["GET"]?.response)?.schema
    let one = schemas.record(in: documented.item?.operations["GET"]?.response, like: list)?.properties
    guard var members = list?["properties"]?.object ?? one else { return survey.bodies?.create?.properties }
    for (name, schema) in one?.members.map({ $0 }) ?? [] where survey.identifier != nil && members[name] == nil {
      members[name] = schema
    }
    return members
  }

  /// The common type of all values, with numbers by how they are written; nil for no values.
  static func type(_ values: [Value]) -> String? {
    guard let first = values.first else { return nil }
    let kinds = Set(
      values.map { value -> String in
        switch value {
        case .bool: "boolean"
        // A number with a decimal point is not an integer, whatever its value.
        case .number(let number): Int(number.text) == nil ? "number" : "integer"
        case .string: value.isDay ? (value.text?.utf8.count == 10 ? "day" : "date") : "text"
        case .array: "list"
        case .object: "object"
        case .null: "any"
        }
      })
    if kinds.count == 1 { return kinds.first }
    if kinds == ["integer", "number"] { return "number" }
    return kinds.isSubset(of: ["text", "day", "date"]) ? "text" : first.kind == "any" ? nil : "any"
  }

  private static func fits(_ seen: String, _ said: String) -> Bool {
    seen == said || said == "number" && seen == "integer" || said == "text" && ["date", "day"].contains(seen)
      || seen == "text" && ["date", "day"].contains(said)
  }
}

extension FieldsProbe {
  static func type(ofOption option: Object) -> String? {
    switch option["type"]?.text {
    case "string"?, "email"?, "url"?, "slug"?, "choice"?: "text"
    case "datetime"?: "date"
    case "date"?: "day"
    case "integer"?, "boolean"?, "list"?: option["type"]?.text
    case "float"?, "decimal"?: "number"
    case "nested object"?: "object"
    default: nil
    }
  }
}
