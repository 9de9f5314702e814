import AdapterSupport
import BackendKit
import ConsoleSupport
import Foundation
import TerminalSupport
import TestSupport
import Testing

/// The service of Server/files.py as a process of its own, and the console on it in a folder with a few files.
final class FilesService: Sendable {
  let home: ConsoleRun.Home
  private let server: PythonServer

  /// The backend `s` gives up after this many seconds of silence.
  init(patience: Int = 300) async throws {
    server = try await PythonServer("../Server/files.py")
    let backend = #"{"plugin": "rest", "url": "\#(server.address)", "description": "files.yaml", "resource": "photos""#
    home = try ConsoleRun.Home(
      configuration: #"""
        {"switchboard": 1, "default": "f", "backends": {"f": \#(backend)}, "p": \#(backend), "label": "production"},
          "s": \#(backend), "timeouts": {"firstByte": \#(patience)}}}}
        """#)
    _ = try home.write(
      """
      preset: plain
      identifier: {type: integer}
      page: {style: none}
      update: {method: PATCH}
      resources:
        photos:
          fields:
            id: {type: integer, readOnly: true}
            title: text
            image: {file: {upload: form}}
        documents:
          fields:
            id: {type: integer, readOnly: true}
            title: text
            content: {file: {upload: body, path: content, type: type, size: size}}
        odd:
          fields:
            id: {type: integer, readOnly: true}
            name: text
            file: {file: {link: url, size: size}}
      """, to: "files.yaml")
    try Self.picture.write(to: url("cat.png"))
    try Data("a text".utf8).write(to: url("note.txt"))
  }

  /// Content of several pieces that is no text.
  static let picture = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) })
  static let digest = SHA256.hex(Array(picture))

  func url(_ name: String) -> URL { home.folder.appending(path: name) }
  func content(_ name: String) throws -> Data { try Data(contentsOf: url(name)) }

  /// The names in the folder.
  var names: Set<String> {
    get throws { Set(try FileManager.default.contentsOfDirectory(atPath: home.folder.path)) }
  }

  func terminal() throws -> PseudoTerminal {
    try ConsoleTerminal.start(in: home, config: home.config, columns: 200, prompt: "f/photos>")
  }

  /// Runs a script.
  func run(_ script: String, _ options: [String] = []) async throws -> ConsoleRun {
    try await home.run(script + "\n", options)
  }

  /// The requests that wrote: method, path, media type, digest of the body, and of a form its files and fields.
  func sent() async throws -> [[Value]] {
    let exchange = try ServerExchange(server.address)
    let log = try await exchange.send(HTTPRequest("GET", try RequestPath("log"), effect: .read)).body.json()
    return (log.array ?? []).map { $0.array ?? [] }
  }
}
