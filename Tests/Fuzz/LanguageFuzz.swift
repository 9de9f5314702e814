@testable import CommandLanguage
@testable import Console

/// A script: however its bytes are cut, the statements are the same, and whatever can be read is read without a trap.
enum LanguageFuzz {
  static func run(_ bytes: [UInt8]) {
    let whole = statements([bytes[...]])
    let cut = bytes.count / 2
    require(statements([bytes[..<cut], bytes[cut...]]) == whole, "statements do not depend on how a script is cut")
    var parser = ScriptParser()
    for case .success(let statement) in whole {
      _ = try? parser.add(statement)
      if let line = try? CommandLine(statement.text) { read(line) }
      _ = try? WhereParser.filter(from: statement.text)
      _ = statement.place(of: bytes.count)
    }
    _ = parser.finish()
  }

  /// Whatever a command's words are, each of them is bound once it is known what they name.
  private static func read(_ line: CommandLine) {
    guard let (command, reading) = CommandTable.reading(line.words[...]) else { return }
    _ = command.complaint(about: reading.bound { _, _ in nil })
    for isNamed in [true, false] {
      let bound = reading.bound { _, _ in isNamed }
      require(bound.isBound, "every word of a command is bound")
      _ = command.complaint(about: bound)
    }
  }

  private static func statements(_ pieces: [ArraySlice<UInt8>]) -> [Result<Statement, StatementError>] {
    var reader = StatementReader()
    var found: [Result<Statement, StatementError>] = []
    func take() {
      while true {
        do throws(StatementError) {
          guard let statement = try reader.next() else { return }
          found.append(.success(statement))
        } catch { found.append(.failure(error)) }
      }
    }
    for piece in pieces {
      guard (try? reader.feed(piece)) != nil else { return found }
      take()
    }
    reader.finish()
    take()
    return found
  }
}
