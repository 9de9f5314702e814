import BackendKit
package import CommandLanguage
package import ConsoleOutput
package import ConsoleSystem

/// The display settings that `set` changes. None of them changes the output of a script, unless requested.
package struct DisplaySettings: Sendable {
  /// A setting with a fixed set of words.
  package struct Choice: Sendable {
    package let name: String
    package let words: [String]
    package let help: String
    /// The kind of further texts that `set` accepts, but a configuration does not.
    package var other: WordKind?
  }

  package static let choices = [
    Choice(
      name: "expanded", words: ["auto", "on", "off"],
      help: "one line per field instead of a table; auto: if the table does not fit"),
    Choice(name: "wrap", words: ["on", "off"], help: "long cells of a table: wrapped, or cut"),
    Choice(name: "color", words: ["auto", "always", "never"], help: "colors in tables"),
    Choice(name: "theme", words: ["auto", "dark", "light", "mono"], help: "colors for a dark or a light background"),
    Choice(
      name: "pager", words: ["on", "off"], help: "pager for results taller than the window", other: .free("COMMAND")),
    Choice(
      name: "timing", words: ["auto", "on", "off"],
      help: "show the duration of lists at a terminal (auto) or of every command (on)"),
  ]

  /// The setting for printing tables expanded.
  package enum Expansion: String, Sendable { case auto, on, off }

  /// The setting for reporting the time of a command.
  package enum Timing: String, Sendable { case auto, on, off }

  package var expanded = Expansion.auto
  package var wraps = false
  package var color = Theme.Use.auto
  package var theme: Theme.Name?
  package var pager = PagerChoice.on
  package var timing = Timing.auto

  /// The default settings.
  package init() {}

  /// The value of a setting as typed; nil for an unknown name.
  package func value(of name: String) -> String? {
    switch name {
    case "expanded": expanded.rawValue
    case "wrap": wraps ? "on" : "off"
    case "color": color.rawValue
    case "theme": theme?.rawValue ?? "auto"
    case "pager": pager.text
    case "timing": timing.rawValue
    default: nil
    }
  }

  /// Changes a setting; returns false for an unknown name.
  package mutating func set(_ name: String, to text: String) throws(UsageError) -> Bool {
    guard let choice = Self.choices.first(where: { $0.name == name }) else { return false }
    guard choice.words.contains(text) || choice.other != nil && !text.isEmpty else {
      throw UsageError(
        "\(name) is \(choice.words.asChoice), not \"\(text)\"",
        hint: SpellingSuggestion.suggestion(for: text, among: choice.words).map { "did you mean \($0)?" })
    }
    switch name {
    case "expanded": expanded = Expansion(rawValue: text) ?? .auto
    case "wrap": wraps = text == "on"
    case "color": color = Theme.Use(rawValue: text) ?? .auto
    case "theme": theme = Theme.Name(rawValue: text)
    case "pager": pager = PagerChoice(text)
    default: timing = Timing(rawValue: text) ?? .auto
    }
    return true
  }
}
