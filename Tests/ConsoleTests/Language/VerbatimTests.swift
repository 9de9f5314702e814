import BackendKit
import SQL
import Testing

@testable import CommandLanguage
@testable import Console
@testable import ConsoleSetup
@testable import ConsoleSystem

/// A statement in SQL is one word of its line, as it is written.
@Suite("The rest of a line as it is") struct VerbatimTests {
  @Test(
    "after sql and its options the rest is one word",
    arguments: [
      ("sql SELECT 1", ["sql", "SELECT 1"]), ("  sql   SELECT  'a  b' ", ["sql", "SELECT  'a  b'"]),
      ("sql SELECT a | b > 'c' # d", ["sql", "SELECT a | b > 'c' # d"]),
      ("sql -o json --to x.csv SELECT \\ 'it''s'", ["sql", "-o", "json", "--to", "x.csv", "SELECT \\ 'it''s'"]),
      ("sql --trust-end --no-header SELECT 1", ["sql", "--trust-end", "--no-header", "SELECT 1"]),
      ("sql --max-scan=5 SELECT 1", ["sql", "--max-scan=5", "SELECT 1"]),
      ("sql -- SELECT 1", ["sql", "--", "SELECT 1"]),
      ("explain sql -o json SELECT ')'", ["explain", "sql", "-o", "json", "SELECT ')'"]),
      ("explain -o json sql SELECT 1", ["explain", "-o", "json", "sql", "SELECT 1"]),
      ("plan --to f.plan sql UPDATE a.b SET c = '|'", ["plan", "--to", "f.plan", "sql", "UPDATE a.b SET c = '|'"]),
      ("watch 5 sql SELECT '|'", ["watch", "5", "sql", "SELECT '|'"]),
      ("capture n = sql SELECT '|'", ["capture", "n", "=", "sql", "SELECT '|'"]),
      ("list sql SELECT | x", ["list", "sql", "SELECT", "|", "x"]), ("'sql' a 'b'", ["sql", "a", "b"]),
      ("sql <<END\nSELECT '\nEND'\n  EN\nEND", ["sql", "SELECT '\nEND'\n  EN"]), ("sql", ["sql"]),
      ("sql --to", ["sql", "--to"]), ("explain list a", ["explain", "list", "a"]),
    ] as [(String, [String])])
  func words(line: String, words: [String]) throws {
    #expect(try LineLexer.words(in: line).map(\.text) == words)
  }

  @Test("options before a statement take a value or none as the rows say") func flags() {
    for command in CommandTable.commands
    where command.takes(.statement) || command.takes(.line) || command.name == "explain" {
      guard command.name == VerbatimPlace.verb || VerbatimPlace.carriers[command.name] != nil else { continue }
      for option in command.allOptions {
        for spelling in option.spellings {
          #expect(VerbatimPlace.flags.contains(spelling) == (option.value == nil), "\(command.name) \(spelling)")
        }
      }
    }
    let carriers = CommandTable.commands.filter { $0.takesLine && StatementKeyword(rawValue: $0.name) == nil }
    #expect(Set(carriers.map(\.name)).union(["explain"]) == Set(VerbatimPlace.carriers.keys))
  }

  private func condition(_ text: String) throws -> [String] {
    var words = try StatementWords(Statement(text: text, line: 1))
    guard case .expectation(let condition, _, _) = try words.simple() else { return [] }
    guard case .command(let command, let sign, let word) = condition else { return [] }
    return command.line.words.map(\.text) + [sign?.rawValue ?? "", word?.text ?? ""]
  }

  @Test("in parentheses it ends at the closing one outside of quotes") func group() throws {
    let sql = "SELECT count(*) FROM a.b WHERE c IN (1, 2) AND d = ')' -- )"
    #expect(try condition("expect (sql \(sql)\n) = 0") == ["sql", sql, "=", "0"])
    #expect(try condition("expect (sql SELECT ')' AS \")\") > 1") == ["sql", "SELECT ')' AS \")\"", ">", "1"])
    #expect(throws: UsageError.self) { try condition("expect (sql SELECT (1) = 0") }
    var words = try StatementWords(Statement(text: "capture n = sql SELECT ')' || (1)", line: 1))
    guard case .capture("n", let command) = try words.simple() else { return #expect(Bool(false)) }
    #expect(command.line.words.map(\.text) == ["sql", "SELECT ')' || (1)"])
  }

  @Test("references are bound, wherever they are no text, and never become part of it") func references() throws {
    let line = "sql SELECT '$a', $a, ${b.c}, $b.c + ${b.c} -- $d\n, $1 FROM \"x$y\""
    let word = try #require(try LineLexer.words(in: line).last)
    #expect(word.text == "SELECT '$a', $a, $_0   , $_1  + $_0    -- $d\n, $1 FROM \"x$y\"")
    #expect(word.references.map(\.shown) == ["$a", "$b.c", "$b.c", "$b.c", "$1"])
    var scope = Scope()
    scope.arguments = ["x' OR 'a"]
    scope.set("a", to: .known(.value(.null)))
    scope.set("b", to: .known(.value(["c": 5])))
    let bound = try scope.resolved(word)
    #expect(bound.text == word.text)
    #expect(
      SQLStatement(bound).parameters == ["a": .null, "_0": 5, "_1": 5, "1": "x' OR 'a"])
    #expect(throws: UsageError.self) { try Scope().resolved(word) }
  }

  @Test("a quote that is not closed does not take the next line") func openQuote() throws {
    var reader = StatementReader("sql SELECT 'a\nlist")
    #expect(try reader.next()?.text == "sql SELECT 'a")
    #expect(throws: UsageError.self) { try LineLexer.words(in: "sql SELECT 'a") }
  }

  @Test("lines up to a mark belong to the statement, whatever they hold") func heredoc() throws {
    var reader = StatementReader("sql -o json <<END\nSELECT 'a\\\n\n# x\n END\nEND  \nlist\n")
    let statement = try #require(try reader.next())
    #expect(statement.text == "sql -o json <<END\nSELECT 'a\\\n\n# x\n END\nEND  ")
    #expect(statement.place(of: 27).line == 2)
    #expect(try reader.next()?.text == "list")
    var open = StatementReader("capture n = sql <<X\nSELECT 1\n")
    _ = try open.next()
    #expect(open.endedOpen)
    #expect(throws: UsageError.self) { try LineLexer.words(in: "sql <<X\nSELECT 1") }
    #expect(try LineLexer.words(in: "sql <<X\nX").map(\.text) == ["sql", ""])
  }

  @Test(
    "where it is typed, a statement goes on up to a semicolon",
    arguments: [
      ("sql SELECT 1;", false), ("sql SELECT 1", true), ("sql SELECT 1\nFROM a.b ; -- done", false),
      ("sql SELECT ';'", true), ("sql SELECT ';\n';", false), ("sql SELECT 1 -- ;", true),
      ("sql SELECT 1; SELECT 2", true),
      ("sql", false), ("sql ?", false), ("capture n = sql SELECT 1", true), ("expect (sql SELECT 1) = 1", false),
      ("sql <<END\nSELECT 1;", true), ("sql <<END\nSELECT 1\nEND", false), ("explain sql SELECT 1", true),
    ] as [(String, Bool)])
  func typed(text: String, isOpen: Bool) {
    let typed = TypedText(text)
    #expect(typed.isOpen == isOpen)
    #expect(typed.statements == [text])
  }

  @Test(
    "a typed query needs no sql before it",
    arguments: [
      ("SELECT 1;", "sql SELECT 1;", false), ("select 1\nfrom a.b", "sql select 1\nfrom a.b", true),
      ("  with t as (select 1) select * from t;", "sql   with t as (select 1) select * from t;", false),
      ("selection", "selection", false), ("list select", "list select", false),
    ] as [(String, String, Bool)])
  func query(text: String, statement: String, isOpen: Bool) {
    let typed = TypedText(text)
    #expect(typed.statements == [statement] && typed.isOpen == isOpen)
  }

  @Test(
    "a statement that always gives one row is known by its text",
    arguments: [
      ("SELECT count(*) FROM a.b", true), ("select max(x) - min(x) from a.b where y > 1;", true), ("SELECT 1", true),
      ("SELECT EXISTS (SELECT 1 FROM a.b LIMIT 1)", true), ("SELECT round(avg(x), 1) FROM a.b", true),
      ("SELECT x FROM a.b", false), ("SELECT count(*) FROM a.b GROUP BY c", false),
      ("SELECT max(x, y) FROM a.b", false),
      ("SELECT 1 WHERE 0", false), ("SELECT (SELECT count(*) FROM a.c) FROM a.b", false), ("VALUES (1)", false),
      ("SELECT count(*) OVER () FROM a.b", false), ("SELECT 1 UNION SELECT 2", false), ("SELECT 1 LIMIT 0", false),
      ("WITH t AS (SELECT 1) SELECT count(*) FROM t", false), ("SELECT \"count\" FROM a.b -- count(*)", false),
    ] as [(String, Bool)])
  func oneRow(text: String, isOne: Bool) { #expect(SQLText.givesOneRow(text) == isOne) }

  @Test(
    "a statement that writes is known by its text",
    arguments: [
      ("INSERT INTO a.b (c) SELECT replace(c, 'x', 'y') FROM a.d", true), ("replace into a.b values (1)", true),
      ("WITH t AS (SELECT 1) DELETE FROM a.b", true), ("UPDATE a.b SET c = 1", true),
      ("SELECT replace(c, 'x', 'y') FROM a.b", false), ("WITH replace AS (SELECT 1) SELECT * FROM replace", false),
      ("WITH t AS (SELECT replace(c, 'x', 'y') FROM a.b) SELECT * FROM t", false),
    ] as [(String, Bool)])
  func written(text: String, writes: Bool) { #expect(SQLText.writes(text) == writes) }
}
