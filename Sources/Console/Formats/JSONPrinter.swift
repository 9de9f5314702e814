import BackendKit

/// Prints records as one JSON document: an object for a result that is one record, a list otherwise.
struct JSONPrinter: RecordPrinter {
  private let presentation: Presentation
  private var count = 0

  /// A printer at the beginning of the document.
  init(_ presentation: Presentation) { self.presentation = presentation }

  mutating func add(_ record: Record) -> String {
    var bytes: [UInt8] = []
    if presentation.isSingle {
      JSONWriter.write(record.value(presentation), indentation: 0, to: &bytes)
      bytes.append(0x0A)
    } else {
      bytes.append(contentsOf: (count == 0 ? "[\n  " : ",\n  ").utf8)
      JSONWriter.write(record.value(presentation), indentation: 1, to: &bytes)
    }
    count += 1
    return presentation.document(bytes)
  }

  mutating func finish() -> String {
    if presentation.isSingle { return "" }
    return count == 0 ? "[]\n" : "\n]\n"
  }

  /// The list stays open.
  mutating func abandon() -> String { presentation.isSingle || count == 0 ? "" : "\n" }
}

/// Prints each record as one line of JSON.
struct JSONLinePrinter: RecordPrinter {
  private let presentation: Presentation

  /// A printer before the first record.
  init(_ presentation: Presentation) { self.presentation = presentation }

  mutating func add(_ record: Record) -> String {
    var bytes: [UInt8] = []
    JSONWriter.write(record.value(presentation), to: &bytes)
    bytes.append(0x0A)
    return presentation.document(bytes)
  }
}

extension Record {
  /// The record as an object: as it came, or with the columns asked for. What is absent or not loaded has no member.
  func value(_ presentation: Presentation) -> Value {
    guard let columns = presentation.columns else { return .object(fields) }
    var object = Object()
    for path in columns { object[path.text] = path.value(in: fields) }
    return .object(object)
  }
}

extension Presentation {
  fileprivate func document(_ bytes: [UInt8]) -> String {
    let text = String(decoding: bytes, as: UTF8.self)
    return isTerminal ? JSONColors.painted(Visible.json(text), theme) : text
  }
}
