import BackendClient
import BackendKit
import Testing

@testable import Console
@testable import ConsoleSetup

/// The words of a write before it is sent.
@Suite struct WriteWordsTests {
  private static let path = ResourcePath(name: "todos")
  private static let before = Object([("title", "a"), ("count", .int(2)), ("done", .bool(true))])

  private func line(_ write: Write, _ adapt: (inout Capabilities) -> Void = { _ in }) -> String {
    var resource = BrowseBench.todos
    if let place = resource.fields.firstIndex(where: { $0.name == "done" }) {
      resource.fields[place].serverDefault = .bool(false)
    }
    adapt(&resource.capabilities)
    return WriteWords(resource: resource, blanking: Blanking()).line(write, before: Self.before)
  }

  private func update(_ change: Change) -> Write { .update(Self.path, "1", [change]) }

  @Test func `a field that is cleared has what the service leaves in it`() {
    let ways: [(Capabilities.Cleared, String)] = [
      (.absent, "absent"), (.null, "null"), (.emptyText, "\"\""), (.serverDefault, "absent"),
      (.untestedNull, "null (may not be cleared)"),
    ]
    for (way, shown) in ways {
      #expect(line(update(.unset("count"))) { $0.cleared = way } == "update todos/1  count: 2 → \(shown)")
    }
    for way in [Capabilities.Cleared.serverDefault, .null] {
      #expect(line(update(.unset("done"))) { $0.clearedFields["done"] = way }.hasSuffix("true → false"))
    }
  }

  @Test func `values under telling names are not shown`() {
    #expect(line(update(.set("token", "abc"))) == "update todos/1  token: … → …")
    #expect(line(update(.set("login", .object(Object([("password", "abc")]))))) == "update todos/1  login: … → …")
    let creation = Write.create(Self.path, Object([("title", "b"), ("api_key", "abc")]))
    #expect(line(creation) == #"create todos  {"title":"b","api_key":"…"}"#)
  }

  @Test func `a null is shown only where it is kept`() {
    let change = update(.set("count", .null))
    #expect(line(change) == "update todos/1  count: 2 → null")
    #expect(line(change) { $0.keepsNull = false } == "update todos/1  count: 2 → absent")
    let creation = Write.create(Self.path, Object([("title", "b"), ("count", .null)]))
    #expect(line(creation) == #"create todos  {"title":"b","count":null}"#)
    #expect(line(creation) { $0.createsNull = false } == #"create todos  {"title":"b"}"#)
  }

  @Test func `a new record is shown with the defaults that are sent, but for secrets`() {
    var resource = BrowseBench.todos
    let defaults = Object([("count", .int(3)), ("done", .bool(true)), ("key", "k")])
    for place in resource.fields.indices {
      resource.fields[place].defaultValue = defaults[resource.fields[place].name]
    }
    let words = WriteWords(resource: resource, blanking: Blanking())
    let creation = Write.create(Self.path, Object([("title", "b"), ("done", .bool(false))]))
    #expect(words.line(creation, before: nil) == #"create todos  {"title":"b","done":false,"count":3}"#)
    // A null that was given is sent, and not replaced by the default.
    resource.capabilities.createsNull = false
    let empty = Object([("title", "b"), ("count", .null), ("done", .null), ("size", .null)])
    #expect(resource.asKept(new: empty) == Object([("title", "b"), ("count", .null), ("done", .null)]))
  }
}
