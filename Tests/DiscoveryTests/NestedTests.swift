import BackendKit
import ConsoleSupport
import Testing

/// Lists below records of another resource, and documents that are spread over several.
@Suite("Nested resources and spread documents") struct NestedTests {
  private let server: StyleServer

  init() async throws { server = try await StyleServer("nested") }

  private func value(_ fact: String, of resource: String, in claims: [Object]) -> Value? {
    claims.first { $0["resource"]?.text == resource && $0["fact"]?.text == fact }?["value"]
  }

  @Test func `lists below records are found with records that were seen, and their owners are named`() async throws {
    let run = try await server.add(" blog", "--yes -o json")
    #expect(run.status == 0, "\(run.errors)")
    let claims = try run.claims
    #expect(value("owners.posts", of: "comments", in: claims) == ["field": "postId"])
    #expect(value("identifier.field", of: "comments", in: claims) == "id")
    #expect(value("operationsBelow", of: "comments", in: claims) == ["list"])
    #expect(value("owners.users", of: "posts", in: claims) == ["field": "userId"])
    #expect(value("owners.posts", of: "likes", in: claims) == [:])
    for claim in claims { #expect(claim["evidence"]?.text?.contains("/posts/2") == false, "\(claim)") }
    let used = try await server.run(
      "list blog/posts/3/comments -o id", "get blog/comments c1 -o json", "list blog/users/2/posts -o id",
      "list blog/posts/4/likes -o json")
    #expect(used.status == 0, "\(used.errors)")
    #expect(used.output.hasPrefix("c1\nc5\n"), "\(used.output)")
    #expect(used.output.contains("comment 1"))
    #expect(used.output.contains("\"stars\""))
    let checked = try await server.run("backends check blog --yes")
    #expect(checked.errors.contains("blog matches "), "\(checked.errors)")
  }

  @Test func `one of them can be chosen, with its owner`() async throws {
    let run = try await server.add(" blog", "--yes -o json --only comments")
    #expect(run.status == 0, "\(run.errors)")
    let resources = Set(try run.claims.compactMap { $0["resource"]?.text })
    #expect(resources == ["posts", "comments"])
  }

  @Test func `a document in parts is read from its own origin alone, and never from files`() async throws {
    let run = try await server.add(" blog", "--yes -o json")
    #expect(run.status == 0, "\(run.errors)")
    let claims = try run.claims
    let title = value("fields.title", of: "posts", in: claims)?.object
    #expect(title?["maximumLength"] == 77)
    let text = value("fields.text", of: "comments", in: claims)?.object
    #expect(text?["maximumLength"] == 99)
    #expect(text?["required"] == true)
    let log = try server.log()
    #expect(log.contains("GET /parts/paths.json"))
    #expect(log.contains("GET /parts/schemas.yaml"))
    #expect((1...20).contains(log.count { $0.hasPrefix("GET /chain/") }))
    #expect(!log.contains { $0.contains("passwd") })
    #expect(!run.errors.contains("root:"))
  }
}
