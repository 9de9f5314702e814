import BackendClient
import BackendKit

/// Values on one line of a description, in YAML or JSON.
struct FlowText {
  let isJSON: Bool

  func text(_ value: Value) -> String {
    switch value {
    case .object(let object): "{" + object.members.map { member($0, $1) }.joined(separator: ", ") + "}"
    case .array(let elements): "[" + elements.map(text).joined(separator: ", ") + "]"
    case .string(let text): self.text(text)
    default: JSONWriter.compact(value)
    }
  }

  func member(_ name: String, _ value: Value) -> String { "\(text(name)): \(text(value))" }

  /// Texts stay without quotes only if that is safe within braces.
  private func text(_ text: String) -> String {
    let signs = ",[]{}#&*!|>'\"%@`?:"
    let isPlain = YAMLWriter.text(.string(text)) == text && !text.contains { signs.contains($0) || $0.isNewline }
    return isPlain && !isJSON ? text : JSONWriter.compact(.string(text))
  }
}
