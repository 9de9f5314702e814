import Files
import Glibc

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
  private var descriptor: Int32 = -1

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
    guard let path, let found = OwnedFile.read(path, limit: 1 << 30) else { return }
    let file = try found.get()
    if let problem = file.permissions.problem { throw FileFailure(problem) }
    for line in file.bytes.split(separator: 0x0A) {
      guard let mark = line.first.flatMap({ Mark(rawValue: String(decoding: [$0], as: UTF8.self)) }),
        let number = Int(String(decoding: line.dropFirst(2), as: UTF8.self))
      else { continue }
      marks[number] = mark
    }
  }

  /// Opens the marks for writing; throws where another console applies the same plan.
  mutating func open() throws(FileFailure) {
    guard let path else { throw FileFailure.noStateFolder }
    try OwnedFile.makeFolder(of: path)
    descriptor = try AddedFile.open(path, .regular)
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      throw errno == EWOULDBLOCK ? FileFailure("another console applies the plan just now") : .system
    }
    // Another one may have gone on meanwhile.
    try read()
  }

  /// Marks a write. Several may do so at once.
  func mark(_ mark: Mark, _ line: Int) throws(FileFailure) {
    let text = Array("\(mark.rawValue) \(line)\n".utf8)
    guard text.withUnsafeBytes({ write(descriptor, $0.baseAddress, $0.count) }) == text.count else { throw .system }
  }

  /// Closes the marks.
  func end() { if descriptor >= 0 { close(descriptor) } }
}
