extension Service.Resource {
  /// The values of `{id}` and, if it is made of several fields, of `{FIELD}`: as texts, and as JSON.
  func values(naming id: RecordID?) -> (texts: [String: String], whole: [String: Value]) {
    guard let id else { return ([:], [:]) }
    var texts: [String: String] = [:]
    for (name, value) in parts(of: id) ?? [] { texts[name] = value }
    texts["id"] = id.text
    let whole = texts.map { name, text in
      let kind = fields.first { $0.name == name }?.kind
      let isNumber = name == "id" ? identifier.form == .integer : kind == .integer || kind == .number
      return (name, isNumber ? Number(text).map { Value.number($0) } ?? .string(text) : .string(text))
    }
    return (texts, Dictionary(uniqueKeysWithValues: whole))
  }
}

extension Service.Extras {
  /// The parameters and the members with the identifier in its place.
  func naming(_ id: RecordID?, _ resource: Service.Resource) -> (parameters: [(String, String)], members: Object) {
    let (texts, whole) = resource.values(naming: id)
    let filled = members.isEmpty ? nil : Value.object(members).filled(texts, whole: whole).object
    return (parameters.map { ($0, $1.filled(texts)) }, filled ?? members)
  }
}

extension Value {
  /// The object with more members, merged into objects that it has; what is no object stays as it is.
  func adding(_ members: Object) -> Value {
    guard var object, !members.isEmpty else { return self }
    for (name, value) in members.members {
      object[name] =
        value.object.flatMap { inner in object[name]?.object.map { Value.object($0).adding(inner) } } ?? value
    }
    return .object(object)
  }
}
