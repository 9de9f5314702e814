import AdapterSupport
import BackendClient
import BackendKit
import Testing

/// The console's reports after writes, checked against what the server did: over a real socket, with the built adapters
/// and the client that every command uses.
@Suite("What is said of a write is true") struct WriteTruthTests {
  /// The adapters, each with a resource that can be written to without a request before.
  static let adapters: [JudgedAdapter] = [
    JudgedAdapter(plugin: "kitura", dialect: "", resource: "todos"),
    JudgedAdapter(plugin: "grails", dialect: "", resource: "announcements"),
    JudgedAdapter(plugin: "jsonplaceholder", dialect: "", resource: "posts", options: [("writes", "kept")]),
    JudgedAdapter(
      plugin: "baasic", dialect: "", resource: "todo", options: [("resources", .object(Object([("todo", .null)])))]),
  ]
  static let verbs = ["create", "update", "delete"]

  /// One cell of the table: what becomes of the first attempt, and what any later one meets.
  struct Cell: CustomStringConvertible {
    var replies: [LedgerServer.Reply]
    var isRefused = false

    var description: String {
      isRefused ? "refused" : replies.map(\.description).joined(separator: ", then ")
    }

    static let all: [Cell] = {
      let seconds: [LedgerServer.Reply] =
        [.closed(carriedOut: false), .closed(carriedOut: true), .reset, .garbled]
        + [302, 303, 408, 500].map { .done($0) }
        + [200, 302, 307, 400, 401, 403, 404, 409, 412, 422, 408, 421, 425, 429, 500, 502, 503, 504].map { .status($0) }
      let lost = [false, true].flatMap { carriedOut in
        [Cell(replies: [.closedForGood(carriedOut: carriedOut)])]
          + seconds.map { Cell(replies: [.closed(carriedOut: carriedOut), $0]) }
      }
      return [Cell(replies: [.reset], isRefused: true)] + seconds.map { Cell(replies: [$0]) } + lost
        + [Cell(replies: [.reset, .status(404)]), Cell(replies: [.reset, .status(200)])]
    }()
  }

  @Test("whatever the attempts met: never better than the server's own ledger proves", arguments: adapters, verbs)
  func table(adapter: JudgedAdapter, verb: String) async throws {
    for cell in Cell.all {
      let list = adapter.plugin == "baasic" ? #"{"item":[],"totalRecords":0}"# : "[]"
      let server = try LedgerServer(title: verb == "create" ? nil : "old", list: list, cell.replies)
      if cell.isRefused { server.stop() }
      let exchange = try ServerExchange(server.address)
      let client = Client(
        name: "test", backend: try PluginLibrary(adapter.plugin).backend(exchange, options: adapter.options))
      let path = ResourcePath(name: adapter.resource)
      let write: Write =
        switch verb {
        case "create": .create(path, Object([("title", "new")]))
        case "update": .update(path, "1", [.set("title", "new")])
        default: .delete(path, .one("1"))
        }
      var error: BackendError?
      do throws(BackendError) { _ = try await client.perform(write) } catch let failure { error = failure }
      let complaint = complaint(error, server, verb: verb)
      #expect(complaint == nil, "\(verb), \(cell): \(error.map { "\($0.effect) \($0)" } ?? "done"), \(server.entries)")
    }
  }

  /// Returns how an outcome contradicts the server's ledger; nil if it does not.
  private func complaint(_ error: BackendError?, _ server: LedgerServer, verb: String) -> String? {
    let entries = server.entries
    let hasWanted = server.title == (verb == "delete" ? nil : "new")
    let answered = entries.allSatisfy { entry in
      entry.status.map { $0 == 307 || (400..<500).contains($0) && $0 != 408 } ?? false
    }
    if verb == "create", entries.count > 1 { return "a create was sent again" }
    switch error?.effect {
    case nil, .applied: return hasWanted ? nil : "said to be done"
    case .notSent: return entries.isEmpty ? nil : "said not to be sent"
    case .rejected: return answered && !entries.isEmpty ? nil : "said to be rejected"
    case .unknown:
      // Nor worse than it has to be.
      if entries.isEmpty { return "nothing was sent" }
      if answered { return "every attempt was refused" }
      if entries.last?.status == 200 { return "the last attempt was answered" }
      let canBeRead = verb != "create" && error?.code != .cancelled
      return hasWanted && canBeRead && !entries.isEmpty && server.isReachable ? "a read shows that it was done" : nil
    }
  }
}
