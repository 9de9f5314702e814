import Foundation
import TestSupport

/// Certificates made on the spot, and a server that shows them.
final class TLSFixture {
  let folder: URL
  private var servers: [RunningProgram] = []

  static var isPossible: Bool { (try? run("openssl", "version")) != nil }

  /// The files that every fixture begins with. Four keys take a second of the processor, so they are made once in a process.
  private static let made: Result<[String: Data], any Error> = Result {
    let folder = try TemporaryFolder()
    func openssl(_ words: String...) throws { try Program.run(["openssl"] + words, in: folder.path) }
    try openssl(
      "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=authority", "-keyout", "ca.key",
      "-out", "ca.pem")
    for (name, alternative) in [
      ("server", "IP:127.0.0.1"), ("other", "DNS:other.test"), ("client", "DNS:client.test"),
    ] {
      try folder.write("subjectAltName=\(alternative)\n", to: "\(name).ext")
      try openssl(
        "req", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=\(name)", "-keyout", "\(name).key", "-out",
        "\(name).csr")
      try openssl(
        "x509", "-req", "-days", "1", "-in", "\(name).csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial",
        "-extfile", "\(name).ext", "-out", "\(name).pem")
    }
    try folder.write("[]", to: "todos")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    return try Dictionary(
      uniqueKeysWithValues: names.map { ($0, try Data(contentsOf: URL(fileURLWithPath: "\(folder.path)/\($0)"))) })
  }

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for (name, content) in try Self.made.get() { try content.write(to: URL(fileURLWithPath: file(name))) }
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
