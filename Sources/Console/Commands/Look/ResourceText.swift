import BackendKit
import ConsoleOutput

/// The text of a resource for `describe`.
struct ResourceText {
  let target: Target
  let backend: BackendDescription
  let resource: ResourceDescription
  /// The sides that decide conditions and orders; nil if the adapter cannot say it.
  let decisions: QueryDecisions?

  var whole: BackendText { BackendText(backend: target.backend, description: backend) }

  var text: EscapedText {
    var head = whole.head
    head.append(["resource", target.path.description])
    let others = backend.resources.map(\.name).filter { $0 != resource.name }
    let outlined = backend.outlined?.outlines.count ?? 0
    if !others.isEmpty || backend.isOpen || outlined > 0 {
      let more = outlined > 0 ? " and \(outlined) in its document" : ""
      head.append(["others", others.joined(separator: ", ") + more + (backend.isOpen ? " (more may exist)" : "")])
    }
    if let note = backend.note { head.append(["note", note]) }
    if !resource.children.isEmpty {
      let form = backend.form(below: resource)
      head.append([
        "below one", resource.children.map { "\(form)/\(resource.shortName(of: $0))" }.joined(separator: ", "),
      ])
    }
    if resource.isOnlyBelow, let form = backend.form(of: resource.name) { head.append(["written", form]) }
    let identifier = resource.identifier
    let form =
      switch identifier.form {
      case .integer: ", whole number"
      case .text: ", text"
      case .none: ""
      }
    let made = identifier.parts.isEmpty ? nil : identifier.parts.joined(separator: identifier.separator)
    let field =
      identifier.form == .none
      ? "none: it is one record"
      : identifier.namesRecords ? made ?? identifier.field ?? "not among the fields" : "none: records are only listed"
    let address = identifier.address.map { "; a record's \($0) also works" } ?? ""
    let pattern = identifier.pattern.map { ", matches \($0)" } ?? ""
    head.append(["identifier", identifier.namesRecords ? field + form + pattern + address : field])
    for (index, relation) in backend.relations(of: resource).enumerated() {
      head.append([index == 0 ? "relations" : "", relation.description])
    }
    for (index, words) in capabilities.enumerated() { head.append([index == 0 ? "can" : "", words]) }
    head += decisions?.rows ?? []
    var text = Columns.text(head)
    guard !resource.fields.isEmpty || !resource.actions.isEmpty else { return text + "fields are not known\n" }
    var rows = [["FIELD", "KIND", "", "NOTE"]]
    rows += resource.fields.flatMap { $0.rows(below: "") }
    text +=
      "\n" + Columns.text(rows) + "fields known from: \(source)\(resource.isOpen ? "; records may have others" : "")\n"
    guard !resource.actions.isEmpty else { return text }
    text += "\n" + Columns.text([["ACTION", "OF", "TAKES", "NOTE"]] + resource.actions.map(\.row))
    return text
  }

  private var source: String {
    switch resource.source {
    case .adapter: "the adapter"
    case .schema: "the server's schema"
    case .configuration: "the configuration"
    case .sample: "a record"
    case .unknown: "nothing"
    }
  }
}

extension FieldDescription {
  /// Returns the row of the field, followed by those of the fields within it.
  fileprivate func rows(below path: String) -> [[String]] {
    let marks = [
      isRequired ? "required" : nil, isReadOnly ? "read-only" : nil, isVolatile ? "volatile" : nil,
      isUnique ? "unique" : nil,
      isSecret ? "secret" : nil, isHidden ? "hidden" : nil, file == nil ? nil : "file",
    ]
    let doubts = FieldDescription.Fact.allCases.filter(likely.contains).map(\.rawValue)
    let doubt: String? = doubts.isEmpty ? nil : "not verified: \(doubts.joined(separator: ", "))"
    let notes =
      [title.map { "\"\($0)\"" }] + constraints + [
        defaultValue.map { "default \($0.plainText)" }, serverDefault.map { "server default \($0.plainText)" },
        suggestion.map { "suggested \($0.words)" },
        reference?.words, file?.words(for: self.name), note, doubt,
      ]
    let name = path + name
    let row = [
      name, kind.rawValue, marks.compactMap(\.self).joined(separator: ", "),
      notes.compactMap(\.self).joined(separator: "; "),
    ]
    return [row] + fields.flatMap { $0.rows(below: "\(name).") }
  }
}

extension ActionDescription {
  fileprivate var row: [String] {
    let inputs = fields.map { $0.isRequired ? "\($0.name)=" : "[\($0.name)=]" }
    let notes = [effect == .read ? "changes nothing" : nil, note].compactMap(\.self)
    return [
      name, subject == .record ? "a record" : "the collection", inputs.joined(separator: " "),
      notes.joined(separator: "; "),
    ]
  }
}

extension SuggestedValue {
  var words: String {
    switch self {
    case .value(let value): value.plainText
    case .count: "the number of records"
    case .now: "the present time"
    }
  }
}

extension RecordReference {
  var words: String { "a record of \(resource)\(key.map { " by its \($0)" } ?? "")" }
}
