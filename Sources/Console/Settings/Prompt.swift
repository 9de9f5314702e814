import BackendClient
import BackendKit
import ConsoleOutput
import ConsoleSetup
import ConsoleSystem

/// The prompt as the operator wants it: text with places for what the session is about.
enum Prompt {
  static let defaultFormat = "%t%m> "

  /// The placeholders of a prompt, with their meanings.
  static let places: [(place: Character, meaning: String)] = [
    ("t", "backend, resource and API version"), ("b", "the backend"), ("r", "the resource"),
    ("v", "the API version"), ("u", "the user that requests are sent as"),
    ("m", "marks for labeled and read-only backends and for insecure connections"), ("%", "a percent sign"),
  ]

  /// A text that is a prompt; throws where a place is not known.
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

  /// The text with its places filled.
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

extension Session {
  /// Learns what the prompt shows of the current backend. A backend that cannot be opened shows its name only: the
  /// command that needs it says why.
  func refreshPrompt() async {
    guard let current = targets.current, let client = try? targets.open(current.backend).client else { return }
    state.apiVersions[current.backend] = try? await client.describe(.known).apiVersion
  }

  /// The prompt: what is known without asking anybody.
  var prompt: EscapedText {
    guard let current = targets.current else { return "switchboard> " }
    let configuration = targets.configuration(of: current.backend)
    let resource = current.path?.description ?? configuration?.resource ?? ""
    let version = state.apiVersions[current.backend] ?? ""
    return Prompt.filled(settings.prompt) { placeholder in
      switch placeholder {
      case "b": "\(current.backend)"
      case "r": "\(resource)"
      case "v": "\(version)"
      case "u": "\(configuration.flatMap(ports.user) ?? "")"
      case "m": mark(configuration)
      case "t":
        "\(current.backend)" + (resource.isEmpty ? "" : "/\(resource)") + (version.isEmpty ? "" : " \(version)")
      default: ""
      }
    }
  }

  private func mark(_ configuration: BackendConfiguration?) -> EscapedText {
    guard let configuration else { return "" }
    let label = configuration.label.map { " [\($0)]" as EscapedText } ?? ""
    let readOnly: EscapedText = configuration.isReadOnly ? " [read only]" : ""
    let theme = Theme.chosen(
      settings.display.theme, use: settings.display.color, environment: context.environment, isTerminal: true)
    return (configuration.isProduction ? theme.paint(label, .alarm) : label) + readOnly
      + (ports.connectionMark(configuration).map { theme.paint(" [\($0)]", .alarm) } ?? "")
  }
}
