import BackendKit

/// Prints records as one JSON document: an object for a single record, otherwise a list.
struct JSONPrinter: RecordPrinter {
  private let presentation: Presentation
  private var list = JSONWriter.List()
  private var isEmpty = true

  init(_ presentation: Presentation) { self.presentation = presentation }

  mutating func add(_ record: Record, to text: inout [UInt8]) {
    let start = text.count
    isEmpty = false
    if presentation.isSingle {
      JSONWriter.write(record.value(presentation), indentation: 0, to: &text)
      text.append(0x0A)
    } else {
      list.add(record.value(presentation), to: &text)
    }
    presentation.show(&text, from: start)
  }

  mutating func finish() -> String {
    if presentation.isSingle { return "" }
    var end: [UInt8] = []
    list.end(to: &end)
    return String(decoding: end, as: UTF8.self) + "\n"
  }

  /// The list stays open; a complete object is made invalid by an open quote.
  mutating func abandon() -> String { isEmpty ? "" : presentation.isSingle ? "\"cut short\n" : "\n" }
}

/// Prints each record as one line of JSON.
struct JSONLinePrinter: RecordPrinter {
  private let presentation: Presentation

  init(_ presentation: Presentation) { self.presentation = presentation }

  mutating func add(_ record: Record, to text: inout [UInt8]) {
    let start = text.count
    JSONWriter.write(record.value(presentation), to: &text)
    text.append(0x0A)
    presentation.show(&text, from: start)
  }
}

extension Record {
  /// The record as an object: as received, or with the requested columns. Absent and unloaded fields have no member.
  func value(_ presentation: Presentation) -> Value {
    guard let columns = presentation.columns else { return .object(fields) }
    var object = Object()
    for path in columns { object[path.text] = path.value(in: fields) }
    return .object(object)
  }
}

extension Presentation {
  /// Escapes the JSON text that begins at a place if the output is a terminal.
  fileprivate func show(_ text: inout [UInt8], from start: Int) {
    guard isTerminal else { return }
    let json = Escaping.json(String(decoding: text[start...], as: UTF8.self))
    text.replaceSubrange(start..., with: JSONColors.painted(json, theme).utf8)
  }
}
