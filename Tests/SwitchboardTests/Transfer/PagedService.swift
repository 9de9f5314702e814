import AdapterSupport
import ConsoleSupport
import Foundation
import Synchronization

/// A service with the lists `a` and `b`, in pages of two records, and the console with a backend for each.
final class PagedService: Sendable {
  private struct State {
    var lists: [String: [(id: Int, code: String)]] = [:]
    /// The list that shifts when its second page is requested: the first record goes, and another one comes.
    var shifting: String?
    /// The creations that get no response, by number.
    var silent: ClosedRange<Int>?
    var creations = 0
  }

  let home: ConsoleRun.Home
  private let state: StateBox
  private let server: SocketServer

  /// The state, which the server has from its beginning.
  private final class StateBox: Sendable {
    let state = Mutex(State())
  }

  init() throws {
    let box = StateBox()
    box.state.withLock { $0.lists = ["a": Self.records(1...5, from: 0), "b": Self.records(1...5, from: 100)] }
    state = box
    let server = try SocketServer { request in box.state.withLock { Self.answer(request, &$0) } }
    self.server = server
    home = try ConsoleRun.Home(
      ["a", "b"].map { name in
        DescribedBackend(name, "\(server.address)/\(name)", by: "pages", more: #", "resource": "things""#)
      }, describing: [:])
  }

  private static func records(_ numbers: ClosedRange<Int>, from first: Int) -> [(id: Int, code: String)] {
    numbers.map { (id: first + $0, code: "c\($0)") }
  }

  /// Runs a command; `stability` is that of the described pages.
  func run(_ command: String, stability: String = "shifting") async throws -> ConsoleRun {
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
    return try await home.run(commands: command)
  }

  // MARK: The lists

  /// Has a list shift once while it is read.
  func shift(_ list: String) { state.state.withLock { $0.shifting = list } }

  func empty(_ list: String) { state.state.withLock { $0.lists[list] = [] } }

  func rename(_ code: String, of list: String, to new: String) {
    state.state.withLock { state in
      state.lists[list] = (state.lists[list] ?? []).map { $0.code == code ? (id: $0.id, code: new) : $0 }
    }
  }

  /// Gives no response to some creations, which are carried out.
  func keepSilent(at creations: ClosedRange<Int>) { state.state.withLock { $0.silent = creations } }

  func codes(_ list: String) -> [String] { state.state.withLock { ($0.lists[list] ?? []).map(\.code) } }

  // MARK: The requests

  var requests: [String] { server.requests }

  /// The requests so far that write.
  var writes: [String] { requests.filter { !$0.hasPrefix("GET ") } }

  /// The number of times that a list was read.
  func readings(_ list: String) -> Int {
    requests.count { $0.hasPrefix("GET /\(list)/") && !$0.contains("offset=2") && !$0.contains("offset=4") }
  }

  private static func answer(_ request: String, _ state: inout State) -> [UInt8] {
    let words = request.prefix { $0 != "\r\n" }.split(separator: " ")
    guard words.count > 1, let address = URLComponents(string: String(words[1])) else {
      return SocketServer.json(400, "{}")
    }
    let parts = address.path.split(separator: "/").map(String.init)
    var list = state.lists[parts[0]] ?? []
    defer { state.lists[parts[0]] = list }
    let next = (list.map(\.id).max() ?? 0) + 1
    switch words[0] {
    case "POST":
      let fields = try? request.split(whereSeparator: \.isNewline).last?.json([String: Any].self)
      state.creations += 1
      list.append((id: next, code: fields?["code"] as? String ?? ""))
      if state.silent?.contains(state.creations) == true { return [] }
      return SocketServer.json(201, text(list[list.count - 1]))
    case "DELETE":
      list.removeAll { "\($0.id)" == parts.last }
      return SocketServer.json(200, "{}")
    case "PATCH":
      let fields = try? request.split(whereSeparator: \.isNewline).last?.json([String: Any].self)
      guard let place = list.firstIndex(where: { "\($0.id)" == parts.last }) else {
        return SocketServer.json(404, "{}")
      }
      list[place].code = fields?["code"] as? String ?? list[place].code
      return SocketServer.json(200, text(list[place]))
    case "GET" where parts.count == 3:
      let record = list.first { "\($0.id)" == parts.last }
      return record.map { SocketServer.json(200, text($0)) } ?? SocketServer.json(404, "{}")
    default:
      let offset = address.queryItems?.first { $0.name == "offset" }?.value.flatMap { Int($0) } ?? 0
      if offset == 2, state.shifting == parts[0] {
        state.shifting = nil
        list.removeFirst()
        list.append((id: next, code: "c6"))
      }
      let page = list.dropFirst(offset).prefix(2).map(text).joined(separator: ",")
      return SocketServer.json(200, #"{"items": [\#(page)], "total": \#(list.count)}"#)
    }
  }

  private static func text(_ record: (id: Int, code: String)) -> String {
    #"{"id": \#(record.id), "code": "\#(record.code)"}"#
  }
}
