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
      _ = try? CommandLine(statement.text)
      _ = try? WhereParser.filter(from: statement.text)
      _ = statement.place(of: bytes.count)
    }
    _ = parser.finish()
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
