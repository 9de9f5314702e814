import BackendClient
import BackendKit
import Testing

@testable import CommandLanguage
@testable import ConsoleSystem

@Suite("Predicates")
struct PredicatesTests {
  private func word(_ text: String) throws -> Word { try #require(try LineLexer.words(in: text).first) }

  @Test(
    "The first operator after the field divides the word",
    arguments: [
      ("title=a=b", "title", Comparison.equal, "a=b"), ("id!=3", "id", .notEqual, "3"), ("id>3", "id", .greater, "3"),
      ("id>=-3", "id", .greaterOrEqual, "-3"), ("id<3", "id", .less, "3"), ("id<=3", "id", .lessOrEqual, "3"),
      ("user.name~ana", "user.name", .contains, "ana"), ("wow!=x", "wow", .notEqual, "x"),
      ("a!b=x", "a!b", .equal, "x"),
      ("title=", "title", .equal, ""), ("title!=", "title", .notEqual, ""), (#"title="=x""#, "title", .equal, "=x"),
      (#"mail=\@me"#, "mail", .equal, "@me"), ("mail=@me", "mail", .equal, "@me"), ("標題~天", "標題", .contains, "天"),
    ])
  func parts(text: String, path: String, comparison: Comparison, operand: String) throws {
    #expect(try Predicates.filter(from: word(text)) == .compare(FieldPath(path), comparison, .word(operand)))
    #expect(try Predicates.looksLikePredicate(word(text)))
  }

  @Test(arguments: Comparison.allCases)
  func `Words and expressions know each operator`(comparison: Comparison) throws {
    let sign = comparison.rawValue
    let filter = Filter.compare(FieldPath("a"), comparison, .word("b"))
    #expect(try Predicates.filter(from: word("a\(sign)b")) == filter)
    #expect(try WhereParser.filter(from: word("'a\(sign)b'")) == filter)
    #expect("a\(sign)b".hasOperator)
    #expect(OperatorSigns.mayGiveValue("a\(sign)b") && !OperatorSigns.mayGiveValue("a!b"))
    #expect(throws: UsageError.self) { try Predicates.filter(from: word("a\(sign)~b")) }
  }

  @Test("An operator may be part of a name that is described, or that a record has") func names() throws {
    func filter(_ text: String, _ fields: [String], isOpen: Bool = true) throws -> Filter {
      try Predicates.filter(
        from: word(text),
        of: ResourceDescription(
          name: "r", identifier: IdentifierRule(form: .text), fields: fields.map { FieldDescription($0, .text) },
          isOpen: isOpen, capabilities: Capabilities(operations: [.list], paging: .none)))
    }
    let plain = Filter.compare(FieldPath("a"), .equal, .word("b=v"))
    #expect(try filter("a=b=v", ["a"]) == plain && filter("a=b=v", ["x"], isOpen: false) == plain)
    #expect(try filter("a=b=v", ["a=b", "a"]) == .compare(.member("a=b"), .equal, .word("v")))
    let open = try filter("a=b=v", ["x"])
    for (record, isMet) in [
      (Object([("a=b", "v")] as [(String, Value)]), true), (Object([("a", "b=v")] as [(String, Value)]), true),
      (Object([("a=b", "w"), ("a", "b=v")] as [(String, Value)]), false), (Object(), false),
    ] {
      #expect(QueryRules.matches(open, record) == isMet, "\(record.names)")
    }
    #expect(try filter(#""a=b"=v"#, ["x"]) == .compare(FieldPath("a=b"), .equal, .word("v")))
    #expect(try filter(#""a"=b=v"#, ["x"]) == plain)
    #expect(try filter("x!=5", ["id"]) == .compare(FieldPath("x"), .notEqual, .word("5")))
  }

  @Test(
    "A word that is not a condition says what to write",
    arguments: [
      ("=", "write title=x without spaces"), (">=", "write title>=x without spaces"),
      ("title", "write FIELD=VALUE without spaces"), ("=x", "write title=x, or any other field's name"),
      ("n:=1", "write n=VALUE"), ("id>", "write id>VALUE without spaces"), ("id~", "write id~VALUE without spaces"),
      ("id==1", "operators: = != < <= > >= ~; quote a value that begins with one"),
      ("id=>1", "operators: = != < <= > >= ~; quote a value that begins with one"),
    ])
  func errors(text: String, hint: String) throws {
    let word = try word(text)
    #expect(performing: { _ = try Predicates.filter(from: word) }, throws: { ($0 as? UsageError)?.hint == hint })
  }

  @Test(
    "Names, identifiers and addresses do not look like conditions",
    arguments: ["todos", "intranet/announcements", "grails:http://127.0.0.1:8080/?a=b", "=x", "hey!", "'='"])
  func others(text: String) throws {
    #expect(try !Predicates.looksLikePredicate(word(text)))
  }

  @Test("A lone operator looks like a condition, so that its hint is given", arguments: ["=", "!=", "~", "<", "=="])
  func lone(text: String) throws {
    #expect(try Predicates.looksLikePredicate(word(text)))
  }
}
