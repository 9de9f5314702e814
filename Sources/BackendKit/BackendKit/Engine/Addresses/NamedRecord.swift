extension Service.Resource {
  /// The values of `{id}` and, for identifiers of several fields, of `{FIELD}`: as texts, and as JSON.
  func values(naming id: RecordID?) -> (texts: [String: String], whole: [String: Value]) {
    guard let id else { return ([:], [:]) }
    var texts = ["id": id.text]
    for (name, value) in parts(of: id) ?? [] { texts[name] = value }
    return (texts, Dictionary(uniqueKeysWithValues: texts.map { ($0, value($1, of: $0)) }))
  }

  /// An identifier, or a part of one, as the value of its field.
  func value(_ text: String, of field: String) -> Value {
    let kind = fields.named(field)?.kind
    let isWhole = (field == "id" || field == identifier.field) && identifier.form == .integer
    guard isWhole || kind == .integer || kind == .number, let number = Number(text) else { return .string(text) }
    return .number(number)
  }

  /// The fields of a new record, with an identifier split into the fields that form it. A whole number is sent as one
  /// even if no field is described as such.
  func takenApart(_ fields: Object) throws(BackendError) -> Object {
    guard creating?.takesIdentifiers == true, let name = identifier.field, let id = RecordID(fields[name]),
      !identifier.parts.contains(name)
    else { return fields }
    guard !identifier.parts.isEmpty else {
      guard self.fields.named(name) == nil, fields[name]?.text != nil else { return fields }
      var fields = fields
      fields[name] = value(id.text, of: name)
      return fields
    }
    guard let parts = parts(of: id) else {
      throw .invalid("\"\(id)\" is not an identifier of \(self.name)", hint: namingHint)
    }
    var fields = fields
    fields[name] = nil
    for (part, text) in parts {
      guard let given = fields[part] else {
        fields[part] = value(text, of: part)
        continue
      }
      guard given.plain == text else {
        throw .invalid("\(name) and \(part) identify different records", hint: "leave one of them out")
      }
    }
    return fields
  }

  /// Returns whether none of the fields is described, although the identifier is a field.
  func isForeign(_ found: Object) -> Bool {
    guard naming == .field, identifier.field != nil, identifier.parts.isEmpty, !fields.isEmpty else { return false }
    return !fields.contains { found.has($0.name) }
  }

  /// Adds the fields of the identifier to a record requested by it, if the response omits them.
  func name(_ record: inout Record, _ id: RecordID) {
    guard !id.isSole else { return }
    var held = identifier.field.map { [($0, id.text)] } ?? []
    if !identifier.parts.isEmpty { held += parts(of: id) ?? [] }
    let missing = held.filter { name, _ in record.fields[name] == nil && !name.contains(".") }
    guard !missing.isEmpty else { return }
    record.fields = Object(missing.map { ($0, value($1, of: $0)) } + Array(record.fields.members))
  }

  /// Wraps an element that stands for a record in an object with one field.
  func filled(_ value: Value) -> Value {
    guard let valueField else { return value }
    switch value {
    case .string, .number, .bool: return .object(Object([(valueField, value)]))
    case .null, .array, .object: return value
    }
  }
}

extension Service.WriteParameters {
  /// The parameters and members with the identifier filled in.
  func naming(_ id: RecordID?, _ resource: Service.Resource) -> (parameters: [(String, String)], members: Object) {
    let (texts, whole) = resource.values(naming: id)
    let filled = members.isEmpty ? nil : Value.object(members).filled(texts, whole: whole).object
    return (parameters.map { ($0, $1.filled(texts)) }, filled ?? members)
  }
}

extension Value {
  /// The object with more members, merged into nested objects; any other value is unchanged.
  func adding(_ members: Object) -> Value {
    guard var object, !members.isEmpty else { return self }
    for (name, value) in members.members {
      object[name] =
        value.object.flatMap { inner in object[name]?.object.map { Value.object($0).adding(inner) } } ?? value
    }
    return .object(object)
  }
}
