import AdapterSupport
import ConsoleSupport
import Synchronization
import Testing

/// Imports into a service that knows a creation that is sent again by a key.
@Suite("Creations with a key") struct CreationKeyTests {
  /// The records of the service: titles by key, in the order made. It gives no answer to the second and the fourth request that writes.
  private final class Notes: Sendable {
    let made = Mutex<[(key: String, title: String)]>([])
    private let writes = Mutex(0)

    func answer(_ request: String) -> [UInt8] {
      guard request.hasPrefix("POST ") else { return SocketServer.json(200, "[]") }
      let lines = request.split(whereSeparator: \.isNewline)
      let header = lines.first { $0.lowercased().hasPrefix("creation-key: ") }
      let title = lines.last.flatMap { try? $0.json([String: Any].self)["title"] as? String }
      guard let header, let title else { return SocketServer.json(400, "{}") }
      let key = String(header.dropFirst(14))
      let number = made.withLock { made -> Int in
        if let there = made.firstIndex(where: { $0.key == key }) { return there }
        made.append((key, title))
        return made.count - 1
      }
      let count = writes.withLock { count in
        count += 1
        return count
      }
      return [2, 4].contains(count) ? [] : SocketServer.json(201, "{\"id\": \(number + 1), \"title\": \"\(title)\"}")
    }
  }

  @Test("rows whose outcome is unknown are sent again under their keys, and nothing is made twice") func again()
    async throws
  {
    let notes = Notes()
    let server = try SocketServer { notes.answer($0) }
    let home = try ConsoleRun.Home(
      [DescribedBackend("n", server.address, by: "notes", more: #", "resource": "notes""#)],
      describing: [
        "notes": """
        product: Notes
        page: {style: none}
        resources:
          notes:
            fields: {id: {type: integer, readOnly: true}, title: text}
            create: {idempotencyKey: Creation-Key}
        """
      ])
    // Two rows are alike, and both are wanted.
    let rows = try home.write("title\none\ntwo\ntwo\nthree\n", to: "rows.csv")
    let command = "import n \(rows) --jobs 1"
    func titles() -> [String] { notes.made.withLock { $0.map(\.title) } }
    let first = try await home.run(commands: command)
    #expect(first.status == 6, "\(first.status) \(first.errors)")
    #expect(titles() == ["one", "two", "two", "three"])
    try await home.run(commands: command).succeeded()
    #expect(titles() == ["one", "two", "two", "three"])
    // Once all is done the same command begins anew.
    try await home.run(commands: command).succeeded()
    #expect(titles().count == 8)
  }
}
