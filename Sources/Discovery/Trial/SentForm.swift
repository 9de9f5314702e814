import BackendKit
import ServiceDescription

struct SentForm {
  /// The path to the fields; empty if they are the document.
  var wrap: [String] = []
  /// The form of bodies, as a description names it; nil for JSON.
  private(set) var kind: String?
  var isForm: Bool { kind != nil }
  /// The type of the records in JSON:API; nil for other bodies.
  var type: String?
  /// The types of records that relationships lead to, by the names of these.
  private var related: [String: String] = [:]
  var contentType = "application/json"

  /// Derives the format from that of responses.
  init(_ survey: ResourceSurvey, documented wrap: [String]?) {
    let at = survey.identifier?.oneAt ?? []
    kind = survey.dialect.writesForms ? "form" : survey.claims[.createBody].flatMap { $0 == "json" ? nil : $0 }
    if survey.dialect.isJSONAPI {
      type = survey.identifier?.record["type"]?.text ?? survey.rows.first?["type"]?.text
      for link in Relationships.links(of: survey) where !link.isList { related[link.name] = link.type }
    } else if !isForm {
      self.wrap = wrap ?? survey.dialect.wrap ?? at.filter { $0 != "0" }
    }
    contentType = isForm ? "application/x-www-form-urlencoded" : survey.dialect.contentType
  }

  var place: String { wrap.isEmpty ? "$" : wrap.joined(separator: ".") }

  func document(_ fields: Object, id: RecordID? = nil) -> Value {
    guard let type else { return wrap.reversed().reduce(.object(fields)) { .object(Object([($1, $0)])) } }
    var data = Object([("type", .string(type))])
    if let id { data["id"] = .string(id.text) }
    data["attributes"] = .object(Object(fields.members.filter { related[$0.0] == nil }))
    let links = fields.members.compactMap { name, id -> (String, Value)? in
      guard let type = related[name] else { return nil }
      let link = id == .null ? id : .object(Object([("type", .string(type)), ("id", id)]))
      return (name, .object(Object([("data", link)])))
    }
    if !links.isEmpty { data["relationships"] = .object(Object(links)) }
    return .object(Object([("data", .object(data))]))
  }

  func body(_ fields: Object, id: RecordID? = nil) -> [UInt8] {
    guard isForm else { return Array(JSONWriter.compact(document(fields, id: id)).utf8) }
    return Array(PercentEncoding.form(fields.members.flatMap { pairs($1, $0) }).utf8)
  }

  private func pairs(_ value: Value, _ name: String) -> [(String, String)] {
    switch value {
    case .null: [(name, "")]
    case .string(let text): [(name, text)]
    case .object(let object): object.members.flatMap { pairs($1, "\(name)[\($0)]") }
    case .array(let elements):
      elements.enumerated().flatMap { pairs($1, kind == "repeatingForm" ? name : "\(name)[\($0)]") }
    default: [(name, JSONWriter.compact(value))]
    }
  }
}
