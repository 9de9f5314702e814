import BackendClient
import BackendKit

/// Prints records as one YAML document: a mapping for a result that is one record, a sequence otherwise.
///
/// Each document begins with `---`, so that those of several commands stay apart.
struct YAMLPrinter: RecordPrinter {
  private let presentation: Presentation
  private var count = 0

  /// A printer at the beginning of the document.
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

  /// A document has no end that could be missing, so that an open quote makes it one that is refused.
  mutating func abandon() -> String { count == 0 ? "" : (presentation.isSingle ? "" : "- ") + "\"cut short\n" }
}

extension Presentation {
  /// Returns the YAML that was written, escaped if a terminal reads it.
  func yaml(_ writer: YAMLWriter) -> String {
    let text = String(decoding: writer.bytes, as: UTF8.self)
    return isTerminal ? Escaping.yaml(text) : text
  }
}
