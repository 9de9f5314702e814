/// The choice of the pager for results higher than the window.
package enum PagerChoice: Sendable, Hashable {
  /// The pager that the environment names.
  case on
  case off
  /// A command.
  case command(String)

  /// A choice as it is typed.
  package init(_ text: String) {
    self = text == "on" ? .on : text == "off" ? .off : .command(text)
  }

  /// The choice as it is typed.
  package var text: String {
    switch self {
    case .on: "on"
    case .off: "off"
    case .command(let text): text
    }
  }
}
