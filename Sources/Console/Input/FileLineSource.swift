import CommandLanguage
public import ConsoleOutput
public import ConsoleSystem
import Files
import Glibc

/// Commands from a file or standard input, read as they arrive.
public final class FileLineSource: LineSource, UpcomingCommands {
  private let descriptor: Int32
  private let interruption: Interruption
  private var reader = StatementReader()
  /// The statements read ahead, with their words if these are the same whenever they are run.
  private var ahead: [(statement: Result<Statement, StatementError>, words: [Word]?)] = []
  private var isAtEnd = false
  private let ownsDescriptor: Bool
  private(set) var bytesRead = 0

  enum Reading {
    case statement(Statement)
    case damaged(StatementError)
    case interrupted
    case end
  }

  /// The name in messages.
  public let name: String?

  /// Creates a source over an open descriptor, which the caller closes.
  public init(descriptor: Int32, name: String, interruption: Interruption) {
    self.descriptor = descriptor
    self.interruption = interruption
    self.name = name
    ownsDescriptor = false
  }

  /// Opens a file. Throws a usage error if it cannot be read. A restricted run opens only files named on the outer
  /// command line.
  init(path: String, interruption: Interruption, isNamedOutside: Bool = false) throws(UsageError) {
    if !isNamedOutside { try Restriction.current.check(file: path) }
    try FileContents.checkLinks(of: path)
    self.interruption = interruption
    // Opening a pipe would block until there is a writer, and unlike a read it cannot be interrupted.
    descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    name = path
    ownsDescriptor = true
    var status = stat()
    guard descriptor >= 0 else {
      throw UsageError("cannot read \(path): \(String(cString: strerror(errno)))")
    }
    if fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
      throw UsageError("cannot read \(path): it is a folder")
    }
  }

  var permissions: Permissions? { Permissions(descriptor: descriptor) }

  deinit { if ownsDescriptor { close(descriptor) } }

  /// The next commands whose lines were all read already.
  func upcoming(_ count: Int) -> [[Word]] {
    while ahead.count < count {
      do throws(StatementError) {
        guard let next = try reader.next() else { break }
        ahead.append((.success(next), (try? CommandLine(next.text))?.constantWords))
      } catch { ahead.append((.failure(error), nil)) }
    }
    var commands: [[Word]] = []
    for case (.success, let words) in ahead.prefix(count) {
      guard let words else { break }
      commands.append(words)
    }
    return commands
  }

  /// The next statement; waits for input if none is complete.
  public func next(prompt: EscapedText) async -> SourceLine {
    switch await nextStatement() {
    case .statement(let statement): .command(statement.text, line: statement.line)
    case .damaged(let error): .unreadable(error.message, line: error.line)
    case .interrupted: .interrupted
    case .end: .end
    }
  }

  func nextStatement() async -> Reading {
    while true {
      do throws(StatementError) {
        if let statement = try statement() { return .statement(statement) }
      } catch {
        return .damaged(error)
      }
      if isAtEnd { return .end }
      do {
        guard let isMore = try fill() else { return .interrupted }
        isAtEnd = !isMore
      } catch {
        isAtEnd = true
        return .damaged(StatementError(message: error.message, line: 0))
      }
    }
  }

  private func statement() throws(StatementError) -> Statement? {
    ahead.isEmpty ? try reader.next() : try ahead.removeFirst().statement.get()
  }

  /// Reads more input; false at the end, nil if interrupted.
  private func fill() throws(UsageError) -> Bool? {
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    var count = 0
    repeat {
      guard interruption.waitForInput(from: descriptor) else { return nil }
      count = read(descriptor, &piece, piece.count)
    } while count < 0 && (errno == EINTR || errno == EAGAIN)
    // A read error must not pass for the end of the script.
    guard count >= 0 else { throw UsageError("cannot be read: \(String(cString: strerror(errno)))") }
    guard count > 0 else {
      reader.finish()
      return false
    }
    bytesRead += count
    try reader.feed(piece[..<count])
    return true
  }
}
