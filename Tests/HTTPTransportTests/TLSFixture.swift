import Foundation

/// Certificates made on the spot, and a server that shows them.
final class TLSFixture {
  let folder: URL
  private var servers: [Process] = []

  static var isPossible: Bool { (try? run("openssl", "version")) != nil }

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try run(
      "openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=authority", "-keyout",
      file("ca.key"), "-out", file("ca.pem"))
    for (name, alternative) in [
      ("server", "IP:127.0.0.1"), ("other", "DNS:other.test"), ("client", "DNS:client.test"),
    ] {
      try Data("subjectAltName=\(alternative)\n".utf8).write(to: URL(fileURLWithPath: file("\(name).ext")))
      try run(
        "openssl", "req", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=\(name)", "-keyout", file("\(name).key"),
        "-out", file("\(name).csr"))
      try run(
        "openssl", "x509", "-req", "-days", "1", "-in", file("\(name).csr"), "-CA", file("ca.pem"), "-CAkey",
        file("ca.key"), "-CAcreateserial", "-extfile", file("\(name).ext"), "-out", file("\(name).pem"))
    }
    try Data("[]".utf8).write(to: URL(fileURLWithPath: file("todos")))
  }

  /// Ends the servers and removes the files.
  func stop() {
    // SIGKILL: a test runner may have blocked SIGTERM, and its children inherit that.
    for server in servers { kill(server.processIdentifier, SIGKILL) }
    try? FileManager.default.removeItem(at: folder)
  }

  func file(_ name: String) -> String { folder.appendingPathComponent(name).path }

  /// Starts a server that gives out the folder's files; returns its address.
  func serve(_ options: String..., certificate: String = "server") throws -> String {
    let server = Process()
    server.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    server.arguments =
      [
        "openssl", "s_server", "-accept", "127.0.0.1:0", "-cert", file("\(certificate).pem"), "-key",
        file("\(certificate).key"),
        "-WWW",
      ]
      + options
    server.currentDirectoryURL = folder
    let output = Pipe()
    server.standardInput = FileHandle.nullDevice
    server.standardOutput = output
    server.standardError = FileHandle.nullDevice
    try server.run()
    servers.append(server)
    var text = ""
    while true {
      let piece = output.fileHandleForReading.availableData
      if piece.isEmpty { throw POSIXError(.ECHILD) }
      text += String(decoding: piece, as: UTF8.self)
      let line = text.split(separator: "\n").first { $0.hasPrefix("ACCEPT ") }
      if text.hasSuffix("\n"), let port = line?.split(separator: ":").last { return "https://127.0.0.1:\(port)" }
    }
  }
}
