import BackendKit

/// A field's description, with facts that belong to its resource.
struct DescribedField {
  var description: FieldDescription
  /// True if the service writes the number as text.
  var isTextNumber = false
  /// The path in a record, if other than the name.
  var place: [String]?
  /// The word for how the field is cleared.
  var clear: String?
  /// The node that names the referenced resource.
  var target: Node?
  /// The reference to a record that must exist before a write refers to it.
  var checkedReference: Service.Reference?
}

/// A field, with its file, its limits and its reference.
struct FieldFacts: Facts {
  let from: SectionNode

  func field(_ name: String) -> DescribedField {
    let kind = word(Key.fieldType, FieldWords.kinds, "its type (default: any)") ?? FieldDescription.Kind.any
    var field = FieldDescription(name, kind)
    var facts = DescribedField(description: field)
    field.isRequired = flag(Key.fieldRequired, "whether it is required in a new record")
    field.isReadOnly = flag(Key.fieldReadOnly, "whether only the service sets it")
    field.isVolatile = flag(
      "volatile",
      "whether the service changes it on its own, such as a count of reads: it is read-only, and not compared"
    )
    if field.isVolatile { field.isReadOnly = true }
    field.isUnique = flag("unique", "whether its values are unique")
    field.isSecret = flag(
      Key.fieldSecret, "whether its value is kept out of every log, history, trace, recording and message")
    field.isHidden = flag("hidden", "whether the service hides it from users")
    field.maximumLength = integer(Key.fieldMaximumLength, 0...1_000_000_000, "the maximum length of a text value")
    field.minimumLength = integer("minimumLength", 0...1_000_000_000, "the minimum length of a text value")
    let units: [Word] = [
      ("utf16", "UTF-16 units, as Java and JavaScript count"), ("codePoints", "code points, as Python counts"),
      ("bytes", "bytes of UTF-8"),
    ]
    set(&field.lengthUnit, word("lengthUnit", units, "the unit of length (default: utf16)"))
    field.minimum = bound("minimum", "the minimum of a number")
    field.maximum = bound("maximum", "the maximum of a number")
    field.pattern = text(
      "pattern", "a regular expression that must match somewhere in each text, as in JSON Schema", .pattern)
    if let least = field.minimum, let most = field.maximum, Number.compare(least.value, most.value) == .after {
      mistake("the minimum is more than the maximum", at: "minimum")
    }
    if let least = field.minimumLength, let most = field.maximumLength, least > most {
      mistake("the minimum length is more than the maximum", at: "minimumLength")
    }
    field.values = read(Key.fieldValues, .list(.any), "the only values it may have")?.value.array ?? []
    field.isLimited = flag(
      Key.fieldRestrictedValues, "whether the service accepts or stores only some values of the type, by its own rules",
      formerly: "limited")
    field.isNullable = flag(Key.fieldNullable, "whether it may be null (default: true)", else: true)
    set(
      &field.likely,
      words(
        Key.fieldLikely, FieldWords.facts, "keys that have not been verified: they never cause a write to be refused"))
    field.reference = reference(of: &facts)
    field.fields = fields("fields", "the fields of its object").map(\.description)
    field.holdsNumbers = flag(
      "numericBoolean", "whether records may contain 0 and 1 for false and true", formerly: "holdsNumbers")
    field.defaultValue = value("default", "the value to send in a new record if none is given")
    field.serverDefault = value(
      "serverDefault", "the value that the service stores if none is sent, and after the field is cleared")
    facts.clear = word("clear", ClearingWords.all, "how it is cleared, if different from `update`")
    let format: String? = word(
      "format", [("decimal", "a number that the service writes as text, `\"12.50\"`")], "how a number is written")
    facts.isTextNumber = format != nil
    if facts.isTextNumber, ![.number, .integer].contains(kind) {
      mistake("only numbers can have a format", at: "format", hint: "add type: number")
    }
    facts.place = member(
      Key.fieldReadPath,
      "where records have the value, if not under the field's own name: `project.id`; `*` is each element of a list")
    field.file = Self(section(.file, "how its content is sent and read, if it is a file")).file()
    if let file = field.file, file.upload == nil { field.isReadOnly = true }
    field.suggestion = value(
      "suggestion", "the value to suggest when prompting for the fields of a new record: a value, `count` or `now`"
    ).map { $0 == "count" ? .count : $0 == "now" ? .now : .value($0) }
    field.title = text("title", "the display name that is used elsewhere")
    field.note = text(Key.fieldNote, "a note for people")
    facts.description = field
    check(facts)
    return facts
  }

  /// Reports limits and values that do not fit the type.
  private func check(_ facts: DescribedField) {
    let field = facts.description
    let kind = field.proved.kind
    if [.text, .html, .boolean, .object, .list].contains(kind) {
      for key in ["minimum", "maximum"] where has(key) {
        mistake("only numbers can have a \(key)", at: key, hint: kind == .text ? "write \(key)Length" : nil)
      }
    }
    let values = [.object, .list].contains(kind) ? [] : field.proved.values
    let given = [field.defaultValue].compactMap(\.self)
    let stored = [field.serverDefault].compactMap(\.self)
    for (key, values) in [("values", values), ("default", given), ("serverDefault", stored)] {
      let complaint = values.lazy.compactMap { facts.complaint(about: $0, isSent: key == "default") }.first
      if let complaint { mistake(complaint, at: key) }
    }
  }

  func file() -> FileField? {
    var file = FileField(upload: nil)
    let ways: [Word] = [
      ("form", "as a part of a form with the other fields"),
      ("body", "alone, as the body of a request to `path`, after the other fields"),
    ]
    let upload: String? = word("upload", ways, "how the content is sent (default: not at all)")
    file.path = path("path", "where the content is, below the path of the record")?.segments
    let method = word("method", MethodWords.writing, "the method that sends it to `path` (default: PUT)") ?? "PUT"
    let part = text("part", "the name of its form part (default: the field's own)")
    if let upload { file.upload = upload == "form" ? .form(part: part) : .body(method: method) }
    let link = member(
      "link", "without `path`: where the address of the content is in the field's value (default: the value itself)")
    set(&file.link, link)
    file.size = member("size", "where the size in bytes is in the field's value")
    file.type = member("type", "where the media type is in the field's value")
    file.mediaType = text("mediaType", "the media type to send (default: from the file name)")
    guard isThere else { return nil }
    if case .body? = file.upload, file.path == nil {
      missing("path", "where the content is sent below the record, for example path: content")
    }
    if let type = file.mediaType, !MediaType.isOne(type) {
      mistake("\"\(type)\" is not a media type", at: "mediaType", hint: "for example image/png")
    }
    return file
  }

  private func bound(_ key: String, _ help: String) -> NumberBound? {
    guard let node = read(key, .either(.section(.bound), .any), help) else { return nil }
    if case .number(let number) = node.value { return NumberBound(number) }
    let bound = Self(below(node)).bound()
    if bound == nil { mistake("this is not a number", at: key, hint: "for example \(key): 0") }
    return bound
  }

  func bound() -> NumberBound? {
    let value = value("value", "the number")
    let isExcluded = flag("exclusive", "whether the number itself is excluded", formerly: "excluded")
    guard case .number(let number)? = value else { return nil }
    return NumberBound(number, isExcluded: isExcluded)
  }

  private func reference(of field: inout DescribedField) -> RecordReference? {
    let node = read(Key.fieldReference, .either(.text(), .section(.reference)), "the resource it refers to")
    guard let node else { return nil }
    field.target = node["to"] ?? node
    if let resource = node.value.text { return RecordReference(to: resource) }
    let described = Self(below(node)).reference()
    if let described, described.mustExist {
      field.checkedReference = Service.Reference(field.description.name, to: described.reference.resource)
    }
    return described?.reference
  }

  func reference() -> (reference: RecordReference, mustExist: Bool)? {
    let resource = required("to", "the resource", example: "users")
    let field = text("by", "the field that has the value (default: the identifier)")
    let mustExist = flag(
      "mustExist", "whether the record has to exist before a write refers to it", formerly: "checked")
    if mustExist, field != nil {
      mistake("only references by the identifier can be looked up", at: "mustExist", hint: "omit mustExist")
    }
    return resource.map { (reference: RecordReference(to: $0, by: field), mustExist) }
  }
}

extension Facts {
  /// The fields in a map, in order, without those that are null.
  func fields(_ key: String, _ help: String) -> [DescribedField] {
    let fields = read(key, .map(of: "field", .either(.word(FieldWords.kinds), .section(.field))), help)
    return (fields?.members ?? []).filter { !$0.node.isNull }.map { member in
      if let word = member.node.value.text {
        return DescribedField(description: FieldDescription(member.name, FieldDescription.Kind(rawValue: word) ?? .any))
      }
      return FieldFacts(below(member.node)).field(member.name)
    }
  }
}

enum FieldWords {
  static let kinds: [Word] = [
    ("text", "text"), ("html", "text that is HTML"), ("integer", "a whole number"), ("number", "a number"),
    ("boolean", "true or false"), ("date", "a day and a time"), ("day", "a day"), ("object", "an object"),
    ("list", "a list"), ("any", "anything"),
  ]
  static let facts = plain(
    "type", "required", "readOnly", "maximumLength", "minimumLength", "minimum", "maximum", "pattern", "values",
    "nullable")
  static let operations = plain("list", "get", "create", "update", "delete", "deleteAll")
}
