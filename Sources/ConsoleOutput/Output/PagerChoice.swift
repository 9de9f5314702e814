/// The setting for the pager.
package enum PagerChoice: Sendable, Hashable {
  /// The pager that the environment names.
  case on
  case off
  case command(String)

  /// A choice as typed.
  package init(_ text: String) {
    self = text == "on" ? .on : text == "off" ? .off : .command(text)
  }

  package var text: String {
    switch self {
    case .on: "on"
    case .off: "off"
    case .command(let text): text
    }
  }
}
