import ConsoleSystem

extension MessageLabel {
  var role: Theme.Role {
    switch self {
    case .error: .alarm
    case .warning, .note: .strong
    case .hint: .emphasis
    }
  }
}
