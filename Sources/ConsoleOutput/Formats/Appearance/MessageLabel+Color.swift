import ConsoleSystem

extension MessageLabel {
  /// The color of the label.
  var role: Theme.Role {
    switch self {
    case .error: .alarm
    case .warning, .note: .strong
    case .hint: .emphasis
    }
  }
}
