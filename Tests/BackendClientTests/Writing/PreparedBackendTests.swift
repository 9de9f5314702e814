import BackendClient
import BackendKit
import BackendTestSupport
import Synchronization
import Testing

@Suite struct PreparedBackendTests {
  private let todos = ResourcePath(name: "todos")
  private let users = ResourcePath(name: "users")
  private let settings = BackendSettings(name: "desk", options: Object())

  /// Counts of preparations and attachments.
  private final class Tally: Sendable {
    let prepared = Mutex(0)
    let attached = Mutex(0)
  }

  /// Todos, each of which names a user.
  private static func service() throws -> Service {
    let id = FieldDescription("id", .integer, isReadOnly: true)
    let rule = IdentifierRule(form: .integer)
    var todos = Service.Resource(
      "todos", at: try RequestPath("todos"), identifier: rule,
      fields: [id, FieldDescription("title", .text), FieldDescription("user", .integer)])
    todos.creating = Service.Creating()
    todos.references = [Service.Reference("user", to: "users")]
    var users = Service.Resource("users", at: try RequestPath("users"), identifier: rule, fields: [id])
    users.deleting = Service.Deleting()
    return Service(product: "a desk", resources: [todos, users])
  }

  @Test func `The settings are read once, however many writes are checked and tried`() async throws {
    let service = try Self.service()
    let tally = Tally()
    let plugin = Plugin(name: "desk", version: "1", summary: "a desk") { _ throws(BackendError) in
      tally.prepared.withLock { $0 += 1 }
      return PreparedBackend { exchange in
        tally.attached.withLock { $0 += 1 }
        return RESTBackend(service, over: exchange)
      }
    }
    let server = FixtureServer(.json(200, #"{"id": 1}"#))
    let client = Client(name: "desk", exchange: server, prepared: try plugin.prepare(settings))
    let write = Write.create(todos, Object([("title", "x")]))
    for _ in 0..<100 { try await client.check(write) }
    for _ in 0..<10 { _ = try await client.request(of: write) }
    #expect(tally.prepared.withLock { $0 } == 1)
    #expect(tally.attached.withLock { $0 } == 111)
    #expect(server.summaries == [])
  }

  @Test func `What is tried of a write is not known to the backend that does it`() async throws {
    let server = FixtureServer { .json($0.method == "POST" ? 201 : 200, #"{"id": 1, "title": "x", "user": 1}"#) }
    let client = Client(name: "desk", exchange: server, prepared: PreparedBackend(try Self.service()))
    let write = Write.create(todos, Object([("title", "x"), ("user", 1)]))
    _ = try await client.perform(write)
    // A backend that is about to delete a record forgets that it is there.
    let deletion = Write.delete(users, .one("1"))
    try await client.check(deletion)
    #expect(try await client.request(of: deletion).summary == "DELETE /users/1")
    _ = try await client.perform(write)
    #expect(server.summaries == ["GET /users/1", "POST /todos", "POST /todos"])
  }
}
