package import ConsoleSystem

/// The colors of results. Every escape sequence in a result is created here, around escaped text.
package struct Theme: Sendable, Hashable {
  /// The role of a piece of a result.
  package enum Role: Int, Sendable, CaseIterable {
    /// The name of a column or field.
    case name
    case identifier, number, boolean, date, link
    /// Null, empty, absent and not loaded.
    case mark
    /// Emphasis and code in HTML.
    case strong, emphasis, code
    /// The bars of a chart.
    case bar
    /// Something dangerous.
    case alarm
    /// A changed value.
    case change
  }

  package enum Name: String, Sendable, CaseIterable { case dark, light, mono }

  // The parameters of the escape sequence of each role; empty without colors.
  private let parameters: [String]

  package static let plain = Theme(parameters: [])

  private init(parameters: [String]) { self.parameters = parameters }

  /// A theme; without a name, one of colors that are readable on dark and light backgrounds.
  init(_ name: Name?) {
    parameters = Role.allCases.map { role in
      switch name {
      case .dark: Self.dark(role)
      case .light: Self.light(role)
      case .mono: Self.mono(role)
      case nil: Self.neutral(role)
      }
    }
  }

  package var isPlain: Bool { parameters.isEmpty }

  /// The text in the color of its role, if any.
  package func paint(_ text: some StringProtocol, _ role: Role?) -> String {
    guard let role, !parameters.isEmpty, !text.isEmpty, !parameters[role.rawValue].isEmpty else { return String(text) }
    return "\u{1B}[\(parameters[role.rawValue])m\(text)\u{1B}[m"
  }

  /// A line that was escaped, with the label after its first `place` characters in the color of the label.
  package func paint(_ label: MessageLabel, after place: Int, in line: String) -> EscapedText {
    let start = line.index(line.startIndex, offsetBy: place)
    let end = line.index(start, offsetBy: label.rawValue.count + 1)
    return EscapedText(formatted: line[..<start] + paint(line[start..<end], label.role) + line[end...])
  }

  /// Escaped text in the color of its role.
  package func paint(_ text: EscapedText, _ role: Role?) -> EscapedText {
    EscapedText(formatted: paint(text.text, role))
  }

  func paint(_ text: some StringProtocol, _ roles: [Role]) -> String {
    let chosen = isPlain ? [] : roles.map { parameters[$0.rawValue] }.filter { !$0.isEmpty }
    guard !chosen.isEmpty, !text.isEmpty else { return String(text) }
    return "\u{1B}[\(chosen.joined(separator: ";"))m\(text)\u{1B}[m"
  }

  private static func dark(_ role: Role) -> String {
    switch role {
    case .name: "1;96"
    case .identifier: "93"
    case .number: "92"
    case .boolean: "95"
    case .date: "96"
    case .link: "4;94"
    case .bar: "94"
    default: mono(role)
    }
  }

  private static func light(_ role: Role) -> String {
    switch role {
    case .name: "1;34"
    case .identifier: "31"
    case .number: "32"
    case .boolean: "35"
    case .date: "34"
    case .link: "4;34"
    case .bar: "34"
    default: mono(role)
    }
  }

  // Yellow is not readable on white, nor blue on black.
  private static func neutral(_ role: Role) -> String {
    switch role {
    case .name: "1"
    case .identifier: "1;35"
    case .number: "32"
    case .boolean: "35"
    case .date, .bar: "36"
    case .link: "4;36"
    default: mono(role)
    }
  }

  private static func mono(_ role: Role) -> String {
    switch role {
    case .name, .identifier, .strong: "1"
    case .date, .emphasis: "3"
    case .link: "4"
    case .mark: "2"
    case .alarm: "1;31"
    // Not in reverse, as the cursor of a screen is.
    case .change: "1;4"
    case .code: "7"
    case .number, .boolean, .bar: ""
    }
  }
}

extension Theme {
  /// The setting for coloring results.
  package enum Use: String, Sendable, CaseIterable { case auto, always, never }

  /// The theme of an output, by settings and environment.
  ///
  /// By default there are colors only at a terminal, unless disabled by `NO_COLOR`, `CLICOLOR=0` or the kind of
  /// terminal; `CLICOLOR_FORCE` enables them anywhere.
  package static func chosen(_ name: Name?, use: Use, environment: [String: String], isTerminal: Bool) -> Theme {
    switch use {
    case .never: return .plain
    case .always: break
    case .auto: guard isWanted(environment, isTerminal) else { return .plain }
    }
    return Theme(name ?? background(environment))
  }

  private static func isWanted(_ environment: [String: String], _ isTerminal: Bool) -> Bool {
    if environment["NO_COLOR"].map({ !$0.isEmpty }) == true { return false }
    if let force = environment["CLICOLOR_FORCE"], !force.isEmpty, force != "0" { return true }
    guard isTerminal, environment["CLICOLOR"] != "0" else { return false }
    let terminal = environment["TERM"] ?? ""
    return !terminal.isEmpty && terminal != "dumb"
  }

  // Some terminals report their colors as `COLORFGBG=15;0`, the background last.
  private static func background(_ environment: [String: String]) -> Name? {
    guard let last = environment["COLORFGBG"]?.split(separator: ";").last, let color = Int(last) else { return nil }
    return color == 7 || (9...15).contains(color) ? .light : .dark
  }
}
