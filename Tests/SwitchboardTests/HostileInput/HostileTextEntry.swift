import Foundation
import Testing

extension HostileTextTests {
  /// A run of the console: its arguments, what is typed at it, and the files that it finds.
  struct Entry: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var arguments: @Sendable (String) -> [String]
    var files: @Sendable (String) -> [String: String] = { _ in [:] }
    /// The question it asks at a terminal, answered by Ctrl-C.
    var question: String?

    init(
      _ name: String, files: @escaping @Sendable (String) -> [String: String] = { _ in [:] },
      _ arguments: @escaping @Sendable (String) -> [String]
    ) {
      testDescription = name
      self.arguments = arguments
      self.files = files
    }

    /// A run of one command.
    static func command(_ words: String...) -> Entry {
      Entry("\(words.joined(separator: " "))") { text in words.map { $0.replacing("X", with: text) } }
    }

    /// The same run, which asks something at a terminal.
    func asking(_ question: String) -> Entry {
      var entry = self
      entry.question = question
      return entry
    }

    /// A script of these lines.
    static func script(_ lines: String) -> Entry {
      Entry("script: \(lines)", files: { ["s.sb": lines.replacing("X", with: $0) + "\n"] }) { _ in ["-f", "s.sb"] }
    }

    /// A configuration.
    static func configuration(_ json: String, _ words: String...) -> Entry {
      Entry(
        "configuration: \(json)",
        files: { text in
          let encoded = (try? JSONEncoder().encode([text])).map { String(decoding: $0, as: UTF8.self) } ?? ""
          return ["c.json": json.replacing("X", with: encoded.dropFirst(2).dropLast(2))]
        }
      ) { _ in ["--config", "c.json"] + words }
    }
  }
}
