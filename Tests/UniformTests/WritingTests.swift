import ConsoleSupport
import Testing

/// The verbs that write, on every backend.
@Suite struct WritingTests {
  private static let title = "新しい \"title\", it's 🎉 <b>&amp;</b> \\ 50% 'e\u{301}'"

  @Test func `A record is made, read, changed and deleted in the same words on four backends`() async throws {
    let server = try await UniformServer(UniformData.titles(250))
    var first: [String]?
    for backend in UniformServer.backends {
      let said = try await walk(server, backend)
      if let first { #expect(said == first, "\(backend)") }
      first = first ?? said
    }
    #expect(first?.joined().contains("it's 🎉 changed") == true)
  }

  @Test(arguments: ["placeholder", "baasic"])
  func `A record whose identifier needs escaping is found, changed and deleted`(backend: String) async throws {
    let titles = UniformData.titles(20)
    let server = try await UniformServer(titles)
    for (number, id) in UniformData.awkwardIdentifiers.sorted(by: { $0.key < $1.key }) {
      let word = "'" + id.replacing("'", with: "'\\''") + "'"
      let lines = ["get \(word) -o json", "update \(word) title='now \(number)'", "list 'title=now \(number)' -o id"]
      let run = try await server.run(backend, lines + ["delete \(word)"])
      #expect(run.status == 0, "\(id): \(run.errors)")
      #expect(run.output.contains("\n\(id)\n"), "\(run.output)")
      let again = try await server.run(backend, ["get \(word)"])
      #expect(again.status == 1, "\(id)")
    }
    let rest = try await server.run(backend, ["count"])
    #expect(rest.output == "\(titles.count - UniformData.awkwardIdentifiers.count)\n")
  }

  /// Returns the console's answer to each line, without the name of the resource and the identifier.
  private func walk(_ server: UniformServer, _ backend: String) async throws -> [String] {
    let quoted = "'" + Self.title.replacing("'", with: "'\\''") + "'"
    let made = try await server.run(backend, ["create title=\(quoted) -o id"])
    #expect(made.status == 0, "\(backend): \(made.errors)")
    let id = made.output.replacing("\n", with: "")
    let show = "list title~\"it's 🎉\" --fields title -o ndjson"
    let lines = [
      show, "get \(id) -o json", "update \(id) title=\"it's 🎉 changed\"", "update \(id) title=\"it's 🎉 changed\"", show,
      "count", "delete \(id)", show, "count", "get \(id)", "update \(id) title=x", "delete \(id)",
    ]
    var said: [String] = []
    for line in lines {
      let run = try await server.run(backend, [line])
      let text = line.hasPrefix("get") && run.status == 0 ? Self.titleLine(of: run.output) : run.output
      said.append("\(run.status) " + text.replacing(/(announcements|todos|todo)\/[^\s:]+/, with: "RECORD"))
    }
    #expect(said.map { $0.prefix(1) }.joined() == "000000000111", "\(backend): \(said)")
    return said
  }

  /// The record's title as JSON; which members stand around it differs.
  private static func titleLine(of json: String) -> String {
    let line = json.split(separator: "\n").first { $0.contains("\"title\"") } ?? "no title"
    return String(line.replacing(/^ +|,$/, with: ""))
  }
}
