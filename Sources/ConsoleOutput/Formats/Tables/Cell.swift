package import BackendKit

/// The one-line text of a field for people.
package enum Cell {
  static let null = "null"
  static let empty = "\"\""
  static let absent = "-"
  static let unloaded = "not loaded"

  /// The text of a field. One that looks like a mark is put in quotes.
  package static func text(_ state: FieldState, kind: FieldDescription.Kind?) -> String {
    switch state {
    case .absent: absent
    case .unloaded: unloaded
    case .value(.string(let text)): Cell.text(kind == .html ? HTMLText.oneLine(text) : Escaping.text(text))
    case .value(.array(let elements)): Escaping.text(JSONWriter.compact(.array(elements)))
    case .value(.object(let object)): Escaping.text(JSONWriter.compact(.object(object)))
    case .value(let value): scalar(value)
    }
  }

  /// An escaped text, quoted if it looks like a mark.
  static func text(_ visible: String) -> String {
    switch visible {
    case "": empty
    case null, absent, unloaded: "\"" + visible + "\""
    default: visible
    }
  }

  /// A null, boolean or number; anything else as JSON.
  static func scalar(_ value: Value) -> String {
    switch value {
    case .null: null
    case .bool(let value): value ? "true" : "false"
    case .number(let number): number.text
    default: JSONWriter.compact(value)
    }
  }
}
