import AdapterSupport
import BackendConformance
import BackendKit
import ConsoleSupport
import DeskSupport
import Foundation
import Synchronization

/// The console on a service in memory, with the plugin of the tests.
final class DeskConsole: Sendable {
  let home: ConsoleRun.Home
  let server: SocketServer
  private let service: ReferenceServer
  private let arguments: [String]

  /// `changing` is done to the service before each request that writes, as somebody else would.
  init(changing change: @escaping @Sendable (ReferenceServer) async throws -> Void = { _ in }) throws {
    let home = try ConsoleRun.Home()
    let service = ReferenceServer(Desk.resources)
    let server = try SocketServer { text in
      let answer = Mutex<[UInt8]>([])
      let isDone = DispatchSemaphore(value: 0)
      Task.detached {
        let request = HTTPRequest(text: text)
        if request.effect == .write { try? await change(service) }
        if let response = try? await service.send(request), let body = try? await response.body.collect() {
          let text = String(decoding: body, as: UTF8.self)
          answer.withLock { $0 = SocketServer.answer(response.status, response.headers, text) }
        }
        isDone.signal()
      }
      isDone.wait()
      return answer.withLock { $0 }
    }
    let library = home.folder.appending(path: "libswitchboard-desk.so").path
    try FileManager.default.copyItem(
      atPath: ConsoleRun.products.appending(path: "libdesk-plugin.so").path, toPath: library)
    let config = try home.write(
      #"""
      {"switchboard": 1, "default": "desk", "backends": {
        "desk": {"plugin": "desk", "url": "\#(server.address)/", "resource": "tickets"},
        "locked": {"plugin": "desk", "url": "\#(server.address)/", "resource": "tickets", "readOnly": true}}}
      """#, to: "config.json")
    (self.home, self.server, self.service) = (home, server, service)
    arguments = ["--config", config, "--plugin-path", library]
  }

  /// Runs a script.
  func run(_ script: String, _ options: [String] = []) async throws -> ConsoleRun {
    try await ConsoleRun.run(arguments + options, input: script, in: home)
  }

  /// The fields of a record as they are stored.
  func fields(_ place: Int = 0, of resource: String = "tickets") -> Object {
    service.records(of: resource)[place].fields
  }

  /// The requests that write.
  var writes: [String] { server.requests.filter { !$0.hasPrefix("GET") && !$0.hasPrefix("HEAD") } }
}

extension HTTPRequest {
  /// The request that a text on the wire makes.
  fileprivate init(text: String) {
    let parts = text.components(separatedBy: "\r\n\r\n")
    let lines = parts[0].components(separatedBy: "\r\n")
    let words = lines[0].components(separatedBy: " ")
    let address = URLComponents(string: words.count > 1 ? words[1] : "/")
    let segments = (address?.path ?? "").split(separator: "/").map(String.init)
    let isRead = ["GET", "HEAD"].contains(words[0])
    self.init(words[0], (try? RequestPath(segments: segments)) ?? .base, effect: isRead ? .read : .write)
    query = (address?.queryItems ?? []).map { ($0.name, $0.value ?? "") }
    headers = lines.dropFirst().compactMap { line in
      line.firstIndex(of: ":").map { colon in
        (String(line[..<colon]), line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces))
      }
    }
    body = Array(parts.dropFirst().joined(separator: "\r\n\r\n").utf8)
  }
}
