import BackendClient
import BackendKit
import ConsoleOutput
import ConsoleSetup
import ConsoleSystem

extension Session {
  /// Reads what the prompt shows of the current backend. If it cannot be opened, only its name is shown: a command that
  /// needs it reports the reason.
  func refreshPrompt() async {
    guard let current = targets.current, let client = try? targets.open(current.backend).client else { return }
    state.apiVersions[current.backend] = try? await client.describe(.known).apiVersion
  }

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
      case "u": "\(configuration.flatMap { targets.user($0, context.environment) } ?? "")"
      case "m": mark(configuration)
      case "t":
        "\(current.backend)" + (resource.isEmpty ? "" : "/\(resource)") + (version.isEmpty ? "" : " \(version)")
      default: ""
      }
    }
  }

  /// The command that a typed line is short for, otherwise the line.
  func resolved(_ line: String) throws(UsageError) -> String {
    if line.split(whereSeparator: \.isWhitespace) == ["b"] { return Command.browsing(after: execution.words) }
    var state: String?
    let command = try Aliases.command(for: line) { name in
      let value = settings.value(of: name) == "on" ? "off" : "on"
      state = "\(name) is \(value)"
      return value
    }
    if let state { reporter.tell(state) }
    return command ?? line
  }

  private func mark(_ configuration: BackendConfiguration?) -> EscapedText {
    guard let configuration else { return "" }
    let label = configuration.label.map { " [\($0)]" as EscapedText } ?? ""
    let readOnly: EscapedText = configuration.isReadOnly ? " [read only]" : ""
    let theme = Theme.chosen(
      settings.display.theme, use: settings.display.color, environment: context.environment, isTerminal: true)
    return (configuration.isProduction ? theme.paint(label, .alarm) : label) + readOnly
      + (targets.connectionMark(configuration).map { theme.paint(" [\($0)]", .alarm) } ?? "")
  }
}
