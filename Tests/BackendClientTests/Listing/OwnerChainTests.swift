import BackendKit
import Testing

@testable import BackendClient

/// Resources below records, at any depth, and such as only a document describes.
@Suite("Owners of owners") struct OwnerChainTests {
  private static func resource(
    _ name: String, _ parts: [String] = [], form: IdentifierRule.Form = .text, children: [String] = [],
    isBelow: Bool = true
  ) -> ResourceDescription {
    var rule = IdentifierRule(form: form)
    (rule.parts, rule.separator) = (parts, "/")
    var can = Capabilities(operations: isBelow ? [] : [.list])
    can.operationsBelow = isBelow ? [.list] : nil
    return ResourceDescription(name: name, identifier: rule, capabilities: can, children: children)
  }

  private let client: Client

  init() {
    let repos = Self.resource("repos", ["owner", "repo"], children: ["issues", "repos/pulls"], isBelow: false)
    let known = [
      Self.resource("issues", form: .integer, children: ["comments"]), Self.resource("comments"),
      Self.resource("repos/pulls"), Self.resource("labels", isBelow: false),
    ]
    let owners = ["issues": "repos", "comments": "issues", "repos/pulls": "repos"]
    var backend = PagesBackend(pages: [:], resources: [repos])
    backend.outlined = OutlinedResources(
      known.map { ResourceOutline(name: $0.name, owners: owners[$0.name].map { [$0] } ?? []) }
    ) { outline throws(BackendError) in
      guard let found = known.first(where: { $0.name == outline.name }) else { throw .misconfigured("lost") }
      return found
    }
    client = Client(name: "svc", backend: backend)
  }

  @Test(
    "a path names the resource below each of its owners",
    arguments: [
      ("repos/a%2Fb/issues", "issues"), ("repos/a%2Fb/pulls", "repos/pulls"),
      ("repos/a%2Fb/issues/5/comments", "comments"),
    ])
  func found(text: String, name: String) async throws {
    let path = try #require(ResourcePath(text))
    let found = try await client.resource(path)
    #expect(found.name == name && found.capabilities.operations == [.list])
    #expect(try await client.spelled(path) == path)
    #expect(client.isOutlined(path))
  }

  @Test(
    "a mistake in the chain is shown with what to write",
    arguments: [
      ("repos/a%2Fb/isues", "unknown resource \"isues\" below repos", "did you mean issues?"),
      ("repos/a%2Fb/labels", "unknown resource \"labels\" below repos", "resources below it: issues, pulls"),
      ("repos/a/issues", "\"a\" does not identify a record of repos", "write svc/repos/OWNER/REPO"),
      (
        "repos/a%2Fb/issues/x/comments", "invalid identifier \"x\": expected a whole number", nil
      ),
      (
        "issues/5/comments", "issues are below the records that own them",
        "write svc/repos/OWNER/REPO/issues/ID/comments"
      ),
      ("lables", "unknown resource \"lables\"", "did you mean labels?"),
    ])
  func mistakes(text: String, message: String, hint: String?) async throws {
    let path = try #require(ResourcePath(text))
    let error = await #expect(throws: BackendError.self) { try await client.resource(path) }
    #expect(error?.message == message && error?.hint == hint && error?.effect == .notSent)
  }

  @Test("a list that needs its owner says what to write") func needed() async throws {
    let query = ListQuery(ResourcePath(name: "issues"))
    let error = await #expect(throws: BackendError.self) {
      try await client.list(ListRequest(query), to: RecordSink { _ in .more })
    }
    #expect(error?.message == "svc cannot list issues without the record that owns them")
    #expect(error?.hint == "write svc/repos/OWNER/REPO/issues")
  }

  @Test("nothing reads records unasked that only a document describes") func unasked() async throws {
    _ = try await client.describe(.known)
    let error = await #expect(throws: BackendError.self) {
      _ = try await RelatedRecords(RecordReference(to: "labels"), of: client, maximumScan: 10)
    }
    #expect(error?.code == .unsupported && error?.effect == .notSent)
  }
}
