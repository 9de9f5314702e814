import BackendKit
import Testing

@testable import CommandLanguage
@testable import Console
@testable import ConsoleSetup
@testable import ConsoleSystem

/// Tab completion within a statement in SQL.
@Suite("Completion of SQL") struct SQLCompletionTests {
  private func offered(_ line: String) -> [String] {
    var completer = Completer(CompleterTests.known)
    return completer.complete(line).candidates.map(\.text)
  }

  /// The line with its only continuation.
  private func taken(_ line: String) -> String? {
    var completer = Completer(CompleterTests.known)
    let completion = completer.complete(line)
    guard completion.candidates.count == 1 else { return nil }
    return String(String.UnicodeScalarView(line.unicodeScalars.prefix(completion.start)))
      + completion.candidates[0].text + completion.candidates[0].suffix
  }

  @Test("words of the language in the case that is typed, functions with their parenthesis") func words() {
    #expect(offered("sql SEL") == ["SELECT"])
    #expect(offered("sql sel") == ["select"])
    #expect(taken("sql SELECT dense") == "sql SELECT dense_rank(")
    #expect(offered("sql -o js") == ["json"])
    #expect(taken("sql --trust") == "sql --trust-end ")
    #expect(offered("explain s") == ["sql"])
  }

  @Test("a backend and its resources where a table belongs") func tables() {
    #expect(taken("sql SELECT 1 FROM intr") == "sql SELECT 1 FROM intranet.")
    #expect(taken("sql SELECT 1 FROM intranet.n") == "sql SELECT 1 FROM intranet.news ")
    #expect(offered("explain sql SELECT 1 FROM lists.t") == ["todos", "tags"])
    #expect(offered("sql SELECT 1 FROM intranet.news n JOIN li") == ["lists"])
    #expect(offered("sql SELECT 1\nFROM lists.") == ["todos", "tags"])
    #expect(offered("for row in (sql SELECT 1 FROM intranet.n") == ["news"])
    #expect(offered("capture n = sql SELECT 1 FROM intranet.n") == ["news"])
    #expect(offered("sql SELECT 'FROM intranet.n") == [])
    #expect(offered("sql SELECT 1 -- FROM intranet.n") == [])
  }

  @Test("columns of the tables that the statement names, also by what it calls them") func columns() {
    #expect(taken("sql SELECT 1 FROM intranet.news WHERE tit") == "sql SELECT 1 FROM intranet.news WHERE title ")
    #expect(offered("sql SELECT 1 FROM intranet.news AS n WHERE n.ope") == ["open"])
    #expect(offered("sql SELECT 1 FROM lists.tags t, intranet.news n WHERE n.te") == ["text"])
    #expect(offered("sql SELECT 1 FROM intranet.news WHERE news.ope") == ["open"])
    #expect(offered("sql SELECT 1 FROM intranet.news a, intranet.news b WHERE ope") == ["open"])
  }

  @Test("values that are set, after a dollar sign") func values() {
    #expect(offered("sql SELECT $ro") == ["row"])
    #expect(offered("sql SELECT $row.t") == ["title"])
  }

  @Test("names of queries and their parameters") func queries() {
    var known = CompleterTests.known
    known.queries["stale"] = NamedQuery(sql: "SELECT $who, $days", defaults: Object([("days", 30)]))
    func offered(_ line: String) -> [String] {
      var completer = Completer(known)
      return completer.complete(line).candidates.map(\.text)
    }
    #expect(offered("query s") == ["stale"])
    #expect(offered("query stale ") == ["who=", "days="])
  }
}
