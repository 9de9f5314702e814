import BackendClient
import BackendKit

/// Prints records as one YAML document: a mapping for a single record, otherwise a sequence.
///
/// Each document begins with `---`, so that those of several commands are separate.
struct YAMLPrinter: RecordPrinter {
  private let presentation: Presentation
  private var count = 0

  init(_ presentation: Presentation) { self.presentation = presentation }

  mutating func add(_ record: Record, to text: inout [UInt8]) {
    var writer = YAMLWriter()
    if count == 0 { writer.append("---\n") }
    if !presentation.isSingle { writer.append("- ") }
    writer.write(record.value(presentation), level: presentation.isSingle ? 0 : 1)
    writer.append("\n")
    count += 1
    text.append(contentsOf: presentation.yaml(writer).utf8)
  }

  mutating func finish() -> String { count == 0 ? "---\n[]\n" : "" }

  /// A document needs no end, so an open quote makes an interrupted one invalid.
  mutating func abandon() -> String { count == 0 ? "" : (presentation.isSingle ? "" : "- ") + "\"cut short\n" }
}

extension Presentation {
  /// Returns the YAML that was written, escaped if a terminal reads it.
  func yaml(_ writer: YAMLWriter) -> String {
    let text = String(decoding: writer.bytes, as: UTF8.self)
    return isTerminal ? Escaping.yaml(text) : text
  }
}
