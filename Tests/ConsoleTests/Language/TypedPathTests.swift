import BackendKit
import Testing

@testable import Console

/// The resources and records that typed segments name.
@Suite("Typed paths") struct TypedPathTests {
  private static let description: BackendDescription = {
    func resource(
      _ name: String, _ parts: [String] = [], children: [String] = [], isBelow: Bool = false
    ) -> ResourceDescription {
      var rule = IdentifierRule(form: .text)
      (rule.parts, rule.separator) = (parts, "/")
      var can = Capabilities(operations: isBelow ? [] : [.list, .get])
      can.operationsBelow = isBelow ? [.list, .get] : nil
      return ResourceDescription(name: name, identifier: rule, capabilities: can, children: children)
    }
    return BackendDescription(resources: [
      resource("repos", ["owner", "repo"], children: ["repos/issues"]),
      resource("repos/issues", children: ["repos/issues/comments"], isBelow: true),
      resource("repos/issues/comments", isBelow: true), resource("repositories", children: ["tags"]),
      resource("tags", isBelow: true),
    ])
  }()

  private func segments(_ text: String) -> [String] {
    text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
  }

  @Test(
    "an identifier has as many segments as fields, and a name is as long as it can be",
    arguments: [
      ("repos/octo/hello/issues", ["repos", "octo/hello", "issues"], nil),
      ("repos/octo%2Fhello/issues", ["repos", "octo/hello", "issues"], nil),
      ("repos/octo/a%2Fb/issues", ["repos", "octo/a%2Fb", "issues"], nil),
      ("Repos/octo/hello/issues/5/comments", ["repos", "octo/hello", "issues", "5", "comments"], nil),
      ("repos/octo/hello", ["repos"], "octo/hello"),
      ("repos/octo/hello/issues/5", ["repos", "octo/hello", "issues"], "5"),
      ("repos/issues", ["repos/issues"], nil), ("repos/issues/comments", ["repos/issues/comments"], nil),
      ("repositories/team%2Fsub%2Fapp/tags", ["repositories", "team/sub/app", "tags"], nil),
      ("repositories/5%25", ["repositories"], "5%"),
    ] as [(String, [String], String?)])
  func read(text: String, parts: [String], id: String?) {
    let typed = TypedPath(segments(text), in: Self.description)
    #expect(typed?.path.parts == parts && typed?.id?.text == id)
  }

  @Test(
    "what is unknown below a record stays the name of a resource",
    arguments: [
      ("repos/octo/hello/isues", ["repos", "octo/hello", "isues"]),
      ("repos/octo/hello/isues/5/x", ["repos", "octo/hello", "isues", "5", "x"]),
      ("repositories/team/sub/app/tags", ["repositories", "team", "sub", "app", "tags"]),
    ])
  func unknown(text: String, parts: [String]) {
    #expect(TypedPath(segments(text), in: Self.description) == nil)
    #expect(TypedPath.reading(segments(text), in: Self.description)?.path.parts == parts)
  }

  @Test("segments that begin with nothing known are not read", arguments: ["nope", "nope/1/tags", "repos//issues", ""])
  func nothing(text: String) {
    #expect(TypedPath.reading(segments(text), in: Self.description) == nil)
  }
}
