import BackendKit

/// The format of the fields in the body of a write.
struct SentForm {
  /// The members of the document that hold the fields; empty where they are the document.
  var wrap: [String] = []
  /// True if the body is a form.
  var isForm = false
  /// Of JSON:API: the type of the records.
  var type: String?
  var contentType = "application/json"

  /// Creates the format in which records of a resource are written, as far as reading them shows.
  init(_ survey: ResourceSurvey, documented wrap: [String]?) {
    let at = survey.identifier?.oneAt ?? []
    isForm = survey.dialect.writesForms
    if survey.dialect.isJSONAPI {
      type = survey.identifier?.record["type"]?.text ?? survey.rows.first?["type"]?.text
    } else if !isForm {
      self.wrap = wrap ?? survey.dialect.wrap ?? at.filter { $0 != "0" }
    }
    contentType = isForm ? "application/x-www-form-urlencoded" : survey.dialect.contentType
  }

  /// The path to the fields in the document.
  var place: String { wrap.isEmpty ? "$" : wrap.joined(separator: ".") }

  /// The document with fields in it.
  func document(_ fields: Object, id: RecordID? = nil) -> Value {
    guard let type else { return wrap.reversed().reduce(.object(fields)) { .object(Object([($1, $0)])) } }
    var data = Object([("type", .string(type))])
    if let id { data["id"] = .string(id.text) }
    data["attributes"] = .object(fields)
    return .object(Object([("data", .object(data))]))
  }

  /// The body with fields in it.
  func body(_ fields: Object, id: RecordID? = nil) -> [UInt8] {
    guard isForm else { return Array(JSONWriter.compact(document(fields, id: id)).utf8) }
    return Array(PercentEncoding.form(fields.members.flatMap { Self.pairs($1, $0) }).utf8)
  }

  private static func pairs(_ value: Value, _ name: String) -> [(String, String)] {
    switch value {
    case .null: [(name, "")]
    case .string(let text): [(name, text)]
    case .object(let object): object.members.flatMap { pairs($1, "\(name)[\($0)]") }
    case .array(let elements): elements.enumerated().flatMap { pairs($1, "\(name)[\($0)]") }
    default: [(name, JSONWriter.compact(value))]
    }
  }
}
