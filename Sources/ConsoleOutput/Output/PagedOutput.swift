/// Output held back until it is known whether it fits the window, then sent to a pager or to the terminal.
struct PagedOutput: Sendable {
  enum Stage: Sendable {
    /// It has fitted so far.
    case holding
    case running(Pager.Run)
    /// The user has quit the pager.
    case left(Pager.Run)
  }

  private let pager: Pager
  private let columns: Int
  private let rows: Int
  private(set) var stage = Stage.holding
  private var usedRows = 0
  private var usedColumns = 0
  private var isEscape = false

  /// No output yet, in a window of this size.
  init(_ pager: Pager, columns: Int, rows: Int) {
    self.pager = pager
    self.columns = columns
    // The footer and the prompt need rows, too.
    self.rows = max(1, rows - 2)
  }

  /// Counts text that is shown; true if it no longer fits the window.
  mutating func overflows(_ text: String) -> Bool {
    if text.utf8.count > columns * rows * 8 { return true }
    for character in text {
      if isEscape {
        isEscape = character != "m"
        continue
      }
      switch character {
      case "\u{1B}": isEscape = true
      case "\n", "\r\n":
        usedRows += 1
        usedColumns = 0
      default:
        let width = DisplayWidth.columns(of: character)
        if usedColumns + width > columns {
          usedRows += 1
          usedColumns = 0
        }
        usedColumns += width
      }
      if usedRows > rows { return true }
    }
    return false
  }

  /// Starts the pager; false on failure.
  mutating func begin() -> Bool {
    guard let run = pager.start() else { return false }
    stage = .running(run)
    return true
  }

  /// Notes that the pager accepts nothing more.
  mutating func leave() {
    if case .running(let run) = stage { stage = .left(run) }
  }
}
