package import ConsoleSystem

extension MessageLabel {
  /// Colors the label in a line that begins with a place of so many characters.
  package func painted(_ theme: Theme, after place: Int, in line: String) -> String {
    let start = line.index(line.startIndex, offsetBy: place)
    let end = line.index(start, offsetBy: rawValue.count + 1)
    return line[..<start] + theme.paint(line[start..<end], role) + line[end...]
  }

  private var role: Theme.Role {
    switch self {
    case .error: .alarm
    case .warning, .note: .strong
    case .hint: .emphasis
    }
  }
}
