import BackendKit
import ConsoleSystem

/// The arguments of a call, checked by those of the tool.
struct AssistantArguments: Sendable {
  /// The maximum size of one argument in bytes: nobody writes longer conditions or statements.
  private static let longest = 64 << 10

  private let values: Object

  init(_ value: Value?, of tool: AssistantTool) throws(UsageError) {
    switch value {
    case nil, .null?: values = Object()
    case .object(let object)?: values = object
    default: throw UsageError("arguments is an object")
    }
    for (name, value) in values.members {
      guard let argument = tool.arguments.first(where: { $0.name == name }) else {
        let names = tool.arguments.map(\.name).joined(separator: ", ")
        throw UsageError(
          "unknown argument \"\(name.prefix(40))\" of \(tool.name)",
          hint: names.isEmpty ? "it takes none" : "arguments: \(names)")
      }
      try Self.check(value, argument)
    }
    if let missing = tool.arguments.first(where: { $0.isRequired && !values.has($0.name) }) {
      throw UsageError("\(tool.name) needs \(missing.name)")
    }
  }

  private static func check(_ value: Value, _ argument: AssistantTool.Argument) throws(UsageError) {
    let texts: [String?]
    switch (argument.type, value) {
    case ("string", .string(let text)): texts = [text]
    case ("integer", _) where value.integer != nil: texts = []
    case ("array", .array(let elements)): texts = elements.map { RecordID($0)?.text }
    default: throw UsageError("\(argument.name) is \(argument.type == "string" ? "a text" : "an \(argument.type)")")
    }
    for text in texts {
      guard let text, !text.isEmpty else { throw UsageError("\(argument.name) has an empty text, or none") }
      guard text.utf8.count <= longest else {
        throw UsageError("\(argument.name) is longer than \(longest >> 10) KiB")
      }
    }
  }

  func text(_ name: String) -> String? { values[name]?.text }

  func number(_ name: String) -> Int? { values[name]?.integer }

  /// The texts of a list.
  func texts(_ name: String) -> [String] { (values[name]?.array ?? []).compactMap { RecordID($0)?.text } }
}
