import BackendKit
import Testing

@Suite("Paths of resources") struct ResourcePathTests {
  @Test(
    "identifiers are encoded in the text of a path, and only they",
    arguments: [
      (["users", "1", "todos"], "users/1/todos"), (["repos", "octo/hello", "issues"], "repos/octo%2Fhello/issues"),
      (["r", "50%", "s", "a%2Fb", "t"], "r/50%25/s/a%252Fb/t"), (["a%2Fb"], "a%2Fb"),
    ])
  func texts(parts: [String], text: String) throws {
    let path = try #require(ResourcePath(parts: parts))
    #expect(path.description == text)
    #expect(ResourcePath(text)?.parts == parts)
  }

  @Test("in an identifier only slashes and percent signs are decoded") func decoded() {
    #expect(ResourcePath("a/%41%2f%25/b")?.parts == ["a", "%41/%", "b"])
    #expect(ResourcePath("a/b") == nil && ResourcePath("a//b") == nil)
  }

  private static func resource(
    _ name: String, _ parts: [String] = [], children: [String] = [], isBelow: Bool = true
  ) -> ResourceDescription {
    var rule = IdentifierRule(form: .text)
    (rule.parts, rule.separator) = (parts, "/")
    var can = Capabilities(operations: isBelow ? [] : [.list])
    can.operationsBelow = isBelow ? [.list] : nil
    return ResourceDescription(name: name, identifier: rule, capabilities: can, children: children)
  }

  /// A described resource, and outlined ones below records of several parts.
  private static let description: BackendDescription = {
    var description = BackendDescription(resources: [resource("users", children: ["todos"], isBelow: false)])
    let all = [
      resource("repos", ["owner", "repo"], children: ["repos/issues"], isBelow: false),
      resource("repos/issues", children: ["comments"]), resource("comments"),
    ]
    let owners = ["repos/issues": ["repos"], "comments": ["repos/issues"]]
    description.outlined = OutlinedResources(
      all.map { ResourceOutline(name: $0.name, owners: owners[$0.name] ?? []) }
    ) { outline throws(BackendError) in
      all.first { $0.name == outline.name } ?? resource(outline.name)
    }
    return description
  }()

  @Test(
    "names below records may leave out that of their owner, and are spelled so",
    arguments: [
      ("repos/a%2Fb/issues", "repos/issues", "repos/a%2Fb/issues"),
      ("Repos/a%2Fb/Issues/5/COMMENTS", "comments", "repos/a%2Fb/issues/5/comments"),
      ("repos/a%2Fb/comments", nil, "repos/a%2Fb/comments"), ("Users", "users", "users"),
    ])
  func chains(text: String, name: String?, spelled: String) throws {
    let path = try #require(ResourcePath(text))
    #expect(Self.description.resource(at: path)?.name == name)
    #expect(Self.description.spelled(path).description == spelled)
  }

  @Test("words in capitals show how a resource below records is written") func forms() throws {
    let description = Self.description
    #expect(description.form(of: "repos/issues") == "repos/OWNER/REPO/issues")
    #expect(description.form(of: "comments") == "repos/OWNER/REPO/issues/ID/comments")
    #expect(description.form(of: "todos") == "users/ID/todos" && description.form(of: "users") == nil)
    #expect(description.owners(of: "comments").map(\.name) == ["repos", "repos/issues"])
    #expect(description.isOutlined(try #require(ResourcePath("repos/a/issues"))))
    #expect(!description.isOutlined(ResourcePath(name: "users")) && description.hasResource(named: "COMMENTS"))
  }
}
