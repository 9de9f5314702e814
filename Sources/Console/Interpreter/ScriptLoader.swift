import CommandLanguage
import ConsoleSystem
import Files

struct ScriptLoader {
  static let limit = 16 << 20

  private let interruption: Interruption
  private(set) var nodes: [ScriptNode] = []
  private(set) var findings: [Finding] = []
  private(set) var isInterrupted = false
  private var words = 0
  /// The files being read, innermost last.
  private var files: [String] = []
  /// Their folders, as named.
  private var folders: [Substring] = []

  var isPlainCommand: Bool {
    guard nodes.count <= 1 else { return false }
    if case .command? = nodes.first { return true }
    return nodes.isEmpty
  }

  init(interruption: Interruption) { self.interruption = interruption }

  mutating func load(_ inputs: [CommandLineOptions.Input]) async {
    for input in inputs {
      switch input {
      case .command(let text):
        words += 1
        nodes += await take(WordSource.statements(of: text, number: words), name: "-c")
      case .words(let words): nodes.append(.command(ScriptCommand(shellWords: words, source: nil)))
      case .file("-"): await load(FileLineSource(descriptor: 0, name: "stdin", interruption: interruption))
      case .file(let path): await load(path)
      }
    }
  }

  private mutating func load(_ path: String) async {
    do throws(UsageError) {
      // A file named within a run was requested by the user.
      let source = try FileLineSource(path: path, interruption: interruption, isNamedOutside: true)
      await load(source, at: path)
    } catch {
      findings.append(Finding(statement: Statement(text: "", line: 0, source: nil), error: error))
    }
  }

  private mutating func load(_ source: FileLineSource, at path: String) async {
    files.append(Path.real(path))
    folders.append(path.lastIndex(of: "/").map { path[...$0] } ?? "")
    await load(source)
    files.removeLast()
    folders.removeLast()
  }

  private mutating func load(_ source: FileLineSource) async {
    var statements: [Result<Statement, StatementError>] = []
    reading: while true {
      let next = await source.nextStatement()
      if source.bytesRead > Self.limit {
        let name = source.name ?? "the script"
        findings.append(
          Finding(
            statement: Statement(text: "", line: 0),
            error: UsageError(
              "\(name) is longer than \(Self.limit >> 20) MiB", hint: "--stream runs it line by line")))
        return
      }
      switch next {
      case .statement(let statement): statements.append(.success(statement))
      case .damaged(let error): statements.append(.failure(error))
      case .interrupted:
        isInterrupted = true
        return
      case .end: break reading
      }
    }
    nodes += await take(statements, name: source.name)
  }

  /// The statements of a file included by another one, relative to its folder.
  private mutating func included(_ word: Word, _ statement: Statement) async -> [ScriptNode] {
    let folder = folders.last ?? ""
    let path = word.text.hasPrefix("/") ? word.text : folder + word.text
    let outer = nodes
    nodes = []
    defer { nodes = outer }
    do throws(UsageError) {
      guard files.count < 16 else { throw UsageError("files that include files are nested too deeply") }
      guard !files.contains(Path.real(path)) else {
        throw UsageError("\(word.text) includes itself", hint: "it would never end")
      }
      let source = try FileLineSource(path: path, interruption: interruption)
      await load(source, at: path)
    } catch {
      findings.append(Finding(statement: statement, error: error.at(word.column)))
    }
    return nodes
  }

  private mutating func take(_ statements: [Result<Statement, StatementError>], name: String? = nil) async
    -> [ScriptNode]
  {
    var parser = ScriptParser()
    var nodes: [ScriptNode] = []
    for result in statements {
      switch result {
      case .success(var statement):
        statement.source = statement.source ?? name
        do throws(UsageError) {
          if let path = try StatementWords.included(statement) {
            let inner = await included(path, statement)
            nodes += inner.compactMap { parser.add($0) }
          } else if let node = try parser.add(statement) {
            nodes.append(node)
          }
        } catch {
          findings.append(Finding(statement: statement, error: error))
        }
      case .failure(let error):
        findings.append(
          Finding(
            statement: Statement(text: "", line: error.line, source: name),
            error: UsageError(error.message, column: error.column)))
      }
    }
    if let (statement, error, node) = parser.finish() {
      findings.append(Finding(statement: statement, error: error))
      if let node { nodes.append(node) }
    }
    return nodes
  }
}
