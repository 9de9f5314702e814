import BackendKit
import ConsoleSupport
import Foundation
import TestSupport
import Testing

/// `add` at services whose certificates no authority of the system has signed.
@Suite("Services with their own certificates") struct OwnCertificateTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A server with a certificate that it has signed itself, and the digest of its key.
  private func server() async throws -> (server: StyleServer, digest: String) {
    let (certificate, key) = (folder.path + "/server.pem", folder.path + "/server.key")
    _ = try Program.run(
      "openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/O=Desk/CN=pve", "-addext",
      "subjectAltName=DNS:pve.test,IP:127.0.0.1", "-keyout", key, "-out", certificate)
    let digest = try Program.run(
      "sh", "-c",
      "openssl x509 -in '\(certificate)' -pubkey -noout | openssl pkey -pubin -outform der | openssl dgst -sha256 -r")
    return (
      try await StyleServer("finding", ["tls", certificate, key, folder.path + "/log"]), String(digest.prefix(64))
    )
  }

  private var log: String { (try? String(contentsOfFile: folder.path + "/log", encoding: .utf8)) ?? "" }

  private func configuration(_ server: StyleServer) -> String {
    (try? server.configuration()) ?? ""
  }

  @Test func `an authority and a pin are taken into the configuration`() async throws {
    let (server, digest) = try await server()
    let without = try await server.add("open/things none")
    #expect(without.status == 4 && without.errors.contains("--pin"), "\(without.errors)")
    #expect(try await server.add("open/things own --ca \(folder.path)/server.pem").status == 0)
    #expect(try await server.add("open/things pinned --pin=\(digest.uppercased())").status == 0)
    #expect(configuration(server).contains(digest) && configuration(server).contains("server.pem"))
    let counted = try await server.run("count own", "count pinned")
    #expect(counted.output == "30\n30\n", "\(counted.errors)")
    let wrong = try await server.add("open/things wrong --pin=\(String(repeating: "0", count: 64))")
    #expect(wrong.status == 4 && wrong.errors.contains("differs from the pinned key"), "\(wrong.errors)")
    let both = try await server.add("open/things both --pin=\(digest) --ca \(folder.path)/server.pem")
    #expect(both.errors.contains("cannot be combined"))
    let script = try await server.add("open/things asked --pin=ask")
    #expect(script.status == 2 && script.errors.contains("--pin=ask needs a terminal"), "\(script.errors)")
  }

  @Test func `a certificate is shown before anything is sent, and the end of its digest accepts it`() async throws {
    let (server, digest) = try await server()
    let token = ["DESK_TOKEN": "t0k"]
    let line = "add \(server.address)/open/things asked --pin=ask --bearer-env DESK_TOKEN"
    let refused = try await server.type(line, "00000000", variables: token)
    #expect(refused.contains("O=Desk, CN=pve") && refused.contains("pve.test, 127.0.0.1"), "\(refused)")
    #expect(refused.contains(digest) && refused.contains("the key was not confirmed"), "\(refused)")
    #expect(log.isEmpty)
    let shown = try await server.type(line, String(digest.suffix(8)), "y", variables: token)
    #expect(configuration(server).contains("\"pin\": \"\(digest)\""), "\(shown)")
    #expect(log.contains("Bearer t0k"))
    // The new backend is the current one.
    #expect(shown.contains("asked"), "\(shown)")
  }

  @Test func `another key than that of a backend at the address is an error`() async throws {
    let (server, digest) = try await server()
    #expect(try await server.add("open/things pinned --pin=\(digest)").status == 0)
    try configuration(server).replacing(digest, with: String(repeating: "0", count: 64)).write(
      to: server.file(), atomically: true, encoding: .utf8)
    let shown = try await server.type("add \(server.address)/open/things again --pin=ask")
    #expect(shown.contains("is not the one that pinned pins; nothing was sent"), "\(shown)")
  }
}
