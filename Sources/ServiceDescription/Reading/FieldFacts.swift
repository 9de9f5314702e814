import BackendKit

/// The descriptions of fields in a section.
struct FieldFacts {
  private let facts: Facts

  init(_ facts: Facts) { self.facts = facts }

  /// The fields of a key, in order; one that is null is not there.
  func fields(_ key: String) -> [FieldDescription] {
    (facts[key]?.members ?? []).filter { !$0.node.isNull }.map { member in
      field(member.name, Facts(.field, member.node, at: member.place, facts.reading))
    }
  }

  private func field(_ name: String, _ facts: Facts) -> FieldDescription {
    if let word = facts.node?.value.text {
      return FieldDescription(name, FieldDescription.Kind(rawValue: word) ?? .any)
    }
    var field = FieldDescription(name, facts.text("type").flatMap { FieldDescription.Kind(rawValue: $0) } ?? .any)
    field.isRequired = facts.flag("required")
    field.isReadOnly = facts.flag("readOnly")
    field.isUnique = facts.flag("unique")
    field.isSecret = facts.flag("secret")
    field.isHidden = facts.flag("hidden")
    field.holdsNumbers = facts.flag("numericBoolean")
    field.maximumLength = facts.integer("maximumLength")
    field.minimumLength = facts.integer("minimumLength")
    field.lengthUnit = facts.text("lengthUnit").flatMap { LengthUnit(rawValue: $0) } ?? .utf16
    field.minimum = bound("minimum", facts)
    field.maximum = bound("maximum", facts)
    field.pattern = facts.text("pattern")
    field.values = facts.value("values")?.array ?? []
    field.isLimited = facts.flag("restrictedValues")
    field.isNullable = facts.flag("nullable", else: true)
    field.likely = Set((facts.texts("likely") ?? []).compactMap { FieldDescription.Fact(rawValue: $0) })
    field.reference = reference(facts)
    field.fields = FieldFacts(facts).fields("fields")
    field.defaultValue = facts.value("default")
    field.serverDefault = facts.value("serverDefault")
    field.title = facts.text("title")
    field.note = facts.text("note")
    field.file = file(facts.section("file", .file))
    if field.file?.upload == nil, field.file != nil { field.isReadOnly = true }
    switch facts.value("suggestion") {
    case nil: break
    case .string("count")?: field.suggestion = .count
    case .string("now")?: field.suggestion = .now
    case let value?: field.suggestion = .value(value)
    }
    return field
  }

  private func file(_ facts: Facts) -> FileField? {
    let (method, part) = (facts.text("method"), facts.text("part"))
    var file = FileField(upload: nil)
    switch facts.text("upload") {
    case "form"?: file.upload = .form(part: part)
    case "body"?: file.upload = .body(method: method ?? "PUT")
    default: break
    }
    file.path = facts.path("path")?.segments
    file.link = facts.member("link") ?? []
    (file.size, file.type) = (facts.member("size"), facts.member("type"))
    file.mediaType = facts.text("mediaType")
    guard facts.isThere else { return nil }
    if case .body? = file.upload, file.path == nil {
      facts.mistake("path is missing", hint: "where the content is sent below the record, for example path: content")
    }
    if let type = file.mediaType, !MediaType.isOne(type) {
      facts.mistake("\"\(type)\" is not a media type", at: "mediaType", hint: "for example image/png")
    }
    return file
  }

  private func bound(_ key: String, _ facts: Facts) -> NumberBound? {
    guard let node = facts[key] else { return nil }
    if case .number(let number) = node.value { return NumberBound(number) }
    let bound = Facts(.bound, node, at: node.place, facts.reading)
    guard case .number(let number)? = bound.value("value") else {
      facts.mistake("this is not a number", at: key, hint: "for example \(key): 0")
      return nil
    }
    return NumberBound(number, isExcluded: bound.flag("exclusive"))
  }

  private func reference(_ facts: Facts) -> RecordReference? {
    guard let node = facts["reference"] else { return nil }
    if let resource = node.value.text { return RecordReference(to: resource) }
    let reference = Facts(.reference, node, at: node.place, facts.reading)
    return reference.required("to", "users").map { RecordReference(to: $0, by: reference.text("by")) }
  }

  /// How fields are written, if not each under its name and as JSON has it, and how they are cleared.
  func written(
    _ key: String
  ) -> (textNumbers: Set<String>, shownAt: [(field: String, place: [String])], clear: [String: String]) {
    var (numbers, shown, clear): (Set<String>, [(String, [String])], [String: String]) = ([], [], [:])
    for member in facts[key]?.members ?? [] {
      let field = Facts(.field, member.node, at: member.place, facts.reading)
      if field.text("format") != nil {
        numbers.insert(member.name)
        if !["number", "integer"].contains(field.text("type")) {
          field.mistake("only numbers can have a format", at: "format", hint: "add type: number")
        }
      }
      if let place = field.member("readPath") { shown.append((member.name, place)) }
      clear[member.name] = field.text("clear")
    }
    return (numbers, shown, clear)
  }

  /// The fields whose record has to be there before a write names it.
  func checkedReferences(_ key: String) -> [Service.Reference] {
    (facts[key]?.members ?? []).compactMap { member in
      guard let node = member.node["reference"], node.members != nil else { return nil }
      let reference = Facts(.reference, node, at: node.place, facts.reading)
      guard reference.flag("mustExist"), let resource = reference.text("to") else { return nil }
      return Service.Reference(member.name, to: resource)
    }
  }
}
