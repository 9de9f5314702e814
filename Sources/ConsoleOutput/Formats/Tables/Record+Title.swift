import BackendKit

extension Record {
  /// The text by which people recognize the record: that of a field with a telling name, otherwise the first text that
  /// is neither the identifier nor a URL.
  package var title: String? {
    for name in ["title", "name", "label", "subject", "summary"] {
      if let text = fields[name]?.text, !text.isEmpty { return text }
    }
    for (_, value) in fields.members {
      if let text = value.text, !text.isEmpty, text != id?.text, !text.contains(text: "://") { return text }
    }
    return nil
  }
}

extension Cell {
  static let missing = "missing"

  /// The text of a member with a related record, or a list of such: their titles.
  static func related(_ state: FieldState) -> String {
    switch state {
    case .value(.null): missing
    case .value(.object(let fields)): title(fields)
    case .value(.array(let elements)): elements.map { related(.value($0)) }.joined(separator: ", ")
    default: text(state, kind: nil)
    }
  }

  private static func title(_ fields: Object) -> String {
    guard let title = Record(id: nil, fields: fields).title else { return text(.value(.object(fields)), kind: nil) }
    return title == missing ? "\"\(title)\"" : text(Escaping.text(title))
  }
}
