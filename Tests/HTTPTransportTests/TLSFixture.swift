import Foundation
import TestSupport

/// Certificates made on the spot, and a server that shows them.
final class TLSFixture {
  let folder: URL
  private var servers: [RunningProgram] = []

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

  /// Makes another certificate of the same authority for this machine.
  func makeCertificate(
    _ name: String, key: [String] = ["rsa:2048"], digest: String = "-sha256", hasAlternativeName: Bool = true,
    days: Int = 1
  ) throws {
    try Data((hasAlternativeName ? "subjectAltName=IP:127.0.0.1\n" : "keyUsage=digitalSignature\n").utf8)
      .write(to: URL(fileURLWithPath: file("\(name).ext")))
    try run(
      ["openssl", "req", "-newkey"] + key
        + ["-nodes", "-subj", "/CN=localhost", "-keyout", file("\(name).key"), "-out", file("\(name).csr")])
    try run(
      [
        "openssl", "x509", "-req", digest, "-days", "\(days)", "-in", file("\(name).csr"), "-CA", file("ca.pem"),
        "-CAkey",
        file("ca.key"), "-CAcreateserial", "-extfile", file("\(name).ext"), "-out", file("\(name).pem"),
      ])
  }

  /// The SHA-256 digest of a certificate's public key, as OpenSSL has it.
  func pin(_ name: String) throws -> String {
    try run("openssl", "x509", "-in", file("\(name).pem"), "-pubkey", "-noout")
      .write(to: URL(fileURLWithPath: file("\(name).pub")))
    let digest = try run(
      "sh", "-c", "openssl pkey -pubin -in '\(file("\(name).pub"))' -outform der | openssl dgst -sha256 -r")
    return String(decoding: digest.prefix(64), as: UTF8.self)
  }

  /// Ends the servers and removes the files.
  func stop() {
    servers = []
    try? FileManager.default.removeItem(at: folder)
  }

  func file(_ name: String) -> String { folder.appendingPathComponent(name).path }

  /// Starts a server that gives out the folder's files; returns its address.
  func serve(_ options: String..., certificate: String = "server") throws -> String {
    let server = try RunningProgram(
      [
        "openssl", "s_server", "-accept", "127.0.0.1:0", "-cert", file("\(certificate).pem"), "-key",
        file("\(certificate).key"), "-WWW",
      ] + options, in: folder.path)
    server.endInput()
    servers.append(server)
    try server.waitForOutput("ACCEPT ")
    let place = try server.waitForOutput("\n").dropLast()
    guard let port = place.split(separator: ":").last else { throw POSIXError(.EADDRNOTAVAIL) }
    return "https://127.0.0.1:\(port)"
  }
}
