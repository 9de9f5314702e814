import AdapterSupport
import BackendKit
import Testing

/// Access lists of records, as actions.
@Suite struct BaasicAccessTests {
  private let todo = WrittenServer.todo

  @Test func `A list is read, and nothing is an empty one`() async throws {
    let list = FixtureServer.json(200, #"[{"actionId":"a","roleId":"r"}]"#)
    let written = try WrittenServer([], list, FixtureServer.json(204, ""))
    #expect(
      try await written.backend.act("acl", on: "x/y", in: todo, with: [:]).answer == [["actionId": "a", "roleId": "r"]])
    #expect(try await written.backend.act("acl", on: "b", in: todo, with: [:]).answer == [])
    #expect(written.exchange.summaries == ["GET /resources/todo/x%2Fy/acl", "GET /resources/todo/b/acl"])
    #expect(written.exchange.requests.allSatisfy { $0.effect == .read && $0.body == nil })
  }

  @Test func `A grant sends a list of one policy, a withdrawal names all in its path`() async throws {
    let written = try WrittenServer(
      [], FixtureServer.json(201, #"[{"actionId":"a","userId":"u"}]"#), FixtureServer.json(204, ""),
      FixtureServer.json(204, ""))
    _ = try await written.backend.act("grant", on: "b", in: todo, with: ["actionId": "a", "userId": "u"])
    _ = try await written.backend.act(
      "withdraw-role", on: "b", in: todo, with: ["action": "Read", "role": "a/b é"])
    _ = try await written.backend.act("withdraw-user", on: "b", in: todo, with: ["action": "Read", "user": "bo"])
    #expect(
      written.exchange.summaries == [
        "PUT /resources/todo/b/acl", "DELETE /resources/todo/b/acl/actions/Read/roles/a%2Fb%20%C3%A9",
        "DELETE /resources/todo/b/acl/actions/Read/users/bo",
      ])
    let bodies = written.exchange.requests.map { $0.body.map { String(decoding: $0, as: UTF8.self) } }
    #expect(bodies == [#"[{"actionId":"a","userId":"u"}]"#, nil, nil])
    #expect(written.exchange.requests.allSatisfy { $0.effect == .write })
  }

  @Test(arguments: ["", ".", ".."]) func `A name that is not a valid path is refused`(name: String) async throws {
    let written = try WrittenServer([], [])
    let error = await failure { () throws(BackendError) in
      _ = try await written.backend.act(
        "withdraw-user", on: "b", in: todo, with: ["action": "Read", "user": .string(name)])
    }
    #expect(error?.code == .invalid && written.exchange.requests.isEmpty)
  }
}
