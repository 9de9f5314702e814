import Files

/// How far a plan was applied: a mark before and after each write, by its line in the plan, in the state folder. So a plan can be
/// applied again after it was stopped or killed, and nothing of it is done twice.
struct PlanProgress: Sendable {
  /// What is known of a write.
  enum Mark: String, Sendable {
    /// It was about to be sent, and nothing is known of it.
    case begun = "b"
    case done = "d"
    /// It was certainly not made.
    case left = "l"
  }

  private let path: String?
  private var marks: [Int: Mark] = [:]
  private var lines: StateLines?

  /// What is known of a plan.
  init(_ id: String, environment: [String: String]) throws(FileFailure) {
    path = UserFolders(environment: environment).state.map { "\($0)/plans/\(id)" }
    try read()
  }

  /// What is known of the write of a line; nil where it was never begun.
  subscript(line: Int) -> Mark? { marks[line] }

  /// Whether the plan was applied before, in whole or in part.
  var isBegun: Bool { !marks.isEmpty }

  private mutating func read() throws(FileFailure) {
    guard let path else { return }
    for line in try StateLines.read(path) {
      guard let mark = Mark(rawValue: String(line.prefix(1))), let number = Int(line.dropFirst(2)) else { continue }
      marks[number] = mark
    }
  }

  /// Opens the marks for writing; throws where another console applies the same plan.
  mutating func open() throws(FileFailure) {
    guard let path else { throw FileFailure.noStateFolder }
    lines = try StateLines(path, isAlone: true)
    // Another one may have gone on meanwhile.
    try read()
  }

  /// Marks a write. Several may do so at once.
  func mark(_ mark: Mark, _ line: Int) throws(FileFailure) { try lines?.add("\(mark.rawValue) \(line)") }
}
