import AdapterSupport
import ConsoleSupport
import Foundation
import Synchronization
import Testing

/// Transfers of lists that shift between their pages while they are read, so that a record is passed over although the total stays.
@Suite("Lists that shift while they are read") struct ShiftingListTests {
  /// Two lists, `a` and `b`, in pages of two records.
  private final class Pages: Sendable {
    private struct State {
      var lists: [String: [(id: Int, code: String)]] = [:]
      /// The list that shifts when its second page is requested: the first record goes, and another one comes.
      var shifting: String?
      /// The creations that get no response, by number.
      var silent: ClosedRange<Int>?
      var creations = 0
    }

    private let state = Mutex(State())

    init() { state.withLock { $0.lists = ["a": Self.records(1...5, from: 0), "b": Self.records(1...5, from: 100)] } }

    private static func records(_ numbers: ClosedRange<Int>, from first: Int) -> [(id: Int, code: String)] {
      numbers.map { (id: first + $0, code: "c\($0)") }
    }

    func shift(_ list: String) { state.withLock { $0.shifting = list } }
    func empty(_ list: String) { state.withLock { $0.lists[list] = [] } }
    func keepSilent(at creations: ClosedRange<Int>) { state.withLock { $0.silent = creations } }
    func codes(_ list: String) -> [String] { state.withLock { ($0.lists[list] ?? []).map(\.code) } }

    func answer(_ request: String) -> [UInt8] {
      let words = request.prefix { $0 != "\r\n" }.split(separator: " ")
      guard words.count > 1, let address = URLComponents(string: String(words[1])) else {
        return FixtureServer.json(400, "{}")
      }
      let parts = address.path.split(separator: "/").map(String.init)
      let body = request.split(whereSeparator: \.isNewline).last.map { Data($0.utf8) } ?? Data()
      let fields = (try? JSONSerialization.jsonObject(with: body)) as? [String: Any]
      let code = fields?["code"] as? String
      let offset = address.queryItems?.first { $0.name == "offset" }?.value.flatMap { Int($0) } ?? 0
      return state.withLock { state in
        var list = state.lists[parts[0]] ?? []
        defer { state.lists[parts[0]] = list }
        let next = (list.map(\.id).max() ?? 0) + 1
        switch words[0] {
        case "POST":
          state.creations += 1
          list.append((id: next, code: code ?? ""))
          if state.silent?.contains(state.creations) == true { return [] }
          return FixtureServer.json(201, Self.text(list[list.count - 1]))
        case "DELETE":
          list.removeAll { "\($0.id)" == parts.last }
          return FixtureServer.json(200, "{}")
        default:
          if offset == 2, state.shifting == parts[0] {
            state.shifting = nil
            list.removeFirst()
            list.append((id: next, code: "c6"))
          }
          let page = list.dropFirst(offset).prefix(2).map(Self.text).joined(separator: ",")
          return FixtureServer.json(200, #"{"items": [\#(page)], "total": \#(list.count)}"#)
        }
      }
    }

    private static func text(_ record: (id: Int, code: String)) -> String {
      #"{"id": \#(record.id), "code": "\#(record.code)"}"#
    }
  }

  private let pages = Pages()
  private let server: FixtureServer
  private let home: ConsoleRun.Home

  init() throws {
    server = try FixtureServer { [pages] in pages.answer($0) }
    home = try ConsoleRun.Home()
  }

  private func run(_ command: String, stability: String = "shifting") async throws -> ConsoleRun {
    _ = try home.write(
      """
      records: {listPath: items}
      page: {style: offset, parameter: offset, stability: \(stability)}
      size: {parameter: limit, default: 2, maximum: 2}
      total: {member: total}
      create: {}
      update: {method: PATCH}
      delete: {}
      identifier: {type: integer}
      resources:
        things:
          fields: {id: {type: integer, readOnly: true}, code: text}
      """, to: "pages.yaml")
    let backends = ["a", "b"].map { name in
      #""\#(name)": {"plugin": "rest", "url": "\#(server.address)/\#(name)", "description": "pages.yaml", "resource": "things"}"#
    }
    let config = try home.write(
      #"{"switchboard": 1, "backends": {\#(backends.joined(separator: ", "))}}"#, to: "pages.json")
    return try await ConsoleRun.run(["--config", config, "-c", command], in: home)
  }

  private var writes: [String] { server.requests.filter { !$0.hasPrefix("GET ") } }

  /// The number of times that a list was read.
  private func readings(_ list: String) -> Int {
    server.requests.count { $0.hasPrefix("GET /\(list)/") && !$0.contains("offset=2") && !$0.contains("offset=4") }
  }

  @Test(
    "what a second reading shows is neither deleted nor created again",
    arguments: [("a", "sync a b --key code --delete --yes", 1), ("b", "sync a b --key code", 0)])
  func passedOver(list: String, command: String, deleted: Int) async throws {
    pages.shift(list)
    let stopped = try await run(command)
    #expect(stopped.status == 5, "\(stopped.output) \(stopped.errors)")
    #expect(stopped.errors.contains("\(list)/things changed while it was being read: "), "\(stopped.errors)")
    #expect(stopped.errors.contains("key c3") && stopped.errors.contains("run the same command again"))
    #expect(writes.isEmpty)
    let again = try await run(command)
    #expect(again.status == 0, "\(again.errors)")
    #expect(writes.count == 1 + deleted, "\(writes)")
    #expect(pages.codes("b").count { $0 == "c3" } == 1)
  }

  @Test("a list is read once if nothing is absent, and if its description calls it stable") func once() async throws {
    let equal = try await run("sync a b --key code --delete --yes")
    #expect(equal.status == 0 && readings("a") == 1 && readings("b") == 1, "\(server.requests)")
    pages.empty("b")
    let stable = try await run("sync a b --key code --delete --yes", stability: "stable")
    #expect(stable.status == 0 && readings("a") == 2 && readings("b") == 2, "\(server.requests)")
    #expect(pages.codes("b") == pages.codes("a"))
  }

  @Test("a row without a response that the list has passed over is not sent again") func lost() async throws {
    pages.empty("b")
    pages.keepSilent(at: 3...4)
    let rows = try home.write("code\nc1\nc2\nc3\nc4\nc5\n", to: "rows.csv")
    let command = "import b \(rows) --jobs 1 --settle 0"
    let first = try await run(command)
    #expect(first.status == 6, "\(first.errors)")
    pages.shift("b")
    let second = try await run(command)
    #expect(second.status == 0, "\(second.errors)")
    #expect(second.errors.contains("2 written, 0 not written"), "\(second.errors)")
    #expect(writes.count == 5)
  }
}
