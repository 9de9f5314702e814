import ConsoleOutput
import ConsoleSystem

/// The prompt format: text with placeholders for the state of the session.
enum Prompt {
  static let defaultFormat = "%t%m> "

  static let places: [(place: Character, meaning: String)] = [
    ("t", "backend, resource and API version"), ("b", "the backend"), ("r", "the resource"),
    ("v", "the API version"), ("u", "the user that requests are sent as"),
    ("m", "marks for labeled and read-only backends and for insecure connections"), ("%", "a percent sign"),
  ]

  static func checked(_ text: String) throws(UsageError) -> String {
    var rest = text[...]
    while let percent = rest.firstIndex(of: "%") {
      let next = rest.index(after: percent)
      guard next < rest.endIndex, places.contains(where: { $0.place == rest[next] }) else {
        throw UsageError(
          "unknown prompt sequence \"%\(next < rest.endIndex ? String(rest[next]) : "")\"",
          hint: "sequences: " + places.map { "%\($0.place)" }.joined(separator: ", "))
      }
      rest = rest[rest.index(after: next)...]
    }
    return text
  }

  static func filled(_ text: String, _ value: (Character) -> EscapedText) -> EscapedText {
    var result: EscapedText = ""
    var isPlace = false
    for character in text {
      if isPlace {
        result += character == "%" ? "%" : value(character)
        isPlace = false
      } else if character == "%" {
        isPlace = true
      } else {
        result += "\(character)"
      }
    }
    return result
  }
}
