import BackendKit
import BackendTransport
import Foundation
import Testing

@testable import HTTPTransport

/// Which servers are accepted although, or not accepted because, of what their certificates are.
@Suite("Certificates", .enabled(if: TLSFixture.isPossible, "openssl is not in PATH"))
struct CertificateTests {
  private let fixture: TLSFixture

  init() throws { fixture = try TLSFixture() }

  /// A certificate with one weakness, and how it is reported.
  struct Weak: Sendable, CustomTestStringConvertible {
    var name: String
    var key = ["rsa:2048"]
    var digest = "-sha256"
    var hasAlternativeName = true
    var says: String

    var testDescription: String { name }
  }

  static let weak = [
    Weak(
      name: "nameless", hasAlternativeName: false, says: "the certificate has no host in its subject alternative names"),
    Weak(
      name: "sha1", digest: "-sha1", says: "the certificate is signed with SHA-1 or an older digest"),
    Weak(
      name: "short", key: ["rsa:1024"], says: "the certificate has an RSA key of 1024 bits, fewer than 2048"),
  ]

  private func serve(_ weak: Weak) throws -> String {
    try fixture.makeCertificate(
      weak.name, key: weak.key, digest: weak.digest, hasAlternativeName: weak.hasAlternativeName)
    let address = try fixture.serve("-cipher", "DEFAULT@SECLEVEL=0", certificate: weak.name)
    // Without alternative names the common name counted once, for a host that has a name.
    return weak.hasAlternativeName ? address : address.replacing("127.0.0.1", with: "localhost")
  }

  @Test(
    "one without alternative names, signed with SHA-1 or with a short key is refused, each in a sentence of its own",
    arguments: weak)
  func weakness(weak: Weak) async throws {
    defer { fixture.stop() }
    let address = try serve(weak)
    let strict = try transport(address) { $0.tls.ca = fixture.file("ca.pem") }
    let error = await failure { () throws(BackendError) in try await strict.send(write) }
    #expect(error?.code == .unavailable)
    #expect(error?.effect == .notSent)
    #expect(error?.message == "cannot connect securely to \(address): \(weak.says)")
    let pin = try fixture.pin(weak.name)
    #expect(error?.hint?.contains("\"pin\": \"\(pin)\"") == true, "\(error?.hint ?? "")")
    // Pinned, it is that key and nothing else that counts.
    let pinned = try transport(address) { $0.tls.pins = [pin] }
    #expect(try await pinned.send(read).text() == "[]")
  }

  @Test("one that has expired is refused for that, although its authority is known") func expired() async throws {
    defer { fixture.stop() }
    try fixture.makeCertificate("expired", days: -1)
    let address = try fixture.serve(certificate: "expired")
    let strict = try transport(address) { $0.tls.ca = fixture.file("ca.pem") }
    let error = await failure { () throws(BackendError) in try await strict.send(write) }
    #expect(error?.code == .unavailable && error?.effect == .notSent)
    #expect(
      error?.message.hasPrefix("cannot connect securely to \(address): the certificate expired on 20") == true,
      "\(error?.message ?? "")")
    #expect(error?.hint == "renew it on the server, or check the clock of this machine")
  }

  @Test("a pinned key is accepted whatever else is wrong with its certificate, and no other key is")
  func pins() async throws {
    defer { fixture.stop() }
    let address = try fixture.serve(certificate: "other")
    let pin = try fixture.pin("other")
    let pinned = try transport(address) { $0.tls.pins = [String(repeating: "0", count: 64), pin] }
    #expect(try await pinned.send(read).text() == "[]")
    let mistaken = try fixture.pin("server")
    let strict = try transport(address) { settings in
      settings.tls.pins = [mistaken]
      settings.tls.ca = fixture.file("ca.pem")
    }
    let error = await failure { () throws(BackendError) in try await strict.send(write) }
    #expect(error?.effect == .notSent)
    #expect(error?.message == "cannot connect securely to \(address): the server's key differs from the pinned key")
    #expect(error?.hint?.contains(pin) == true)
    // Again over the same client: what failed is not kept.
    #expect(await failure { () throws(BackendError) in try await strict.send(write) }?.message == error?.message)
  }

  @Test("a connection is used again only under the settings that judged its certificate") func shared() async throws {
    defer { fixture.stop() }
    let address = try fixture.serve()
    let pin = try fixture.pin("server"), other = try fixture.pin("other")
    let careless = try transport(address) { $0.tls.insecure = true }
    #expect(try await careless.send(read).text() == "[]")
    // The connection that is kept now was not judged.
    for change: @Sendable (inout TransportSettings) -> Void in [
      { _ in }, { $0.tls.pins = [other] },
    ] {
      let strict = try transport(address, change)
      let error = await failure { () throws(BackendError) in try await strict.send(write) }
      #expect(error?.code == .unavailable && error?.effect == .notSent)
    }
    let pinned = try transport(address) { $0.tls.pins = [pin] }
    #expect(try await pinned.send(read).text() == "[]")
  }

  @Test("a server of another kind of key is accepted", arguments: ["prime256v1", "secp384r1"])
  func curves(curve: String) async throws {
    defer { fixture.stop() }
    try fixture.makeCertificate("ec", key: ["ec", "-pkeyopt", "ec_paramgen_curve:\(curve)"])
    let address = try fixture.serve(certificate: "ec")
    let transport = try transport(address) { $0.tls.ca = fixture.file("ca.pem") }
    #expect(try await transport.send(read).text() == "[]")
  }

  @Test("a server without TLS 1.2 is refused") func versions() async throws {
    defer { fixture.stop() }
    let address = try fixture.serve("-tls1_1", "-cipher", "DEFAULT@SECLEVEL=0")
    let old = try transport(address) { $0.tls.ca = fixture.file("ca.pem") }
    let error = await failure { () throws(BackendError) in try await old.send(write) }
    #expect(error?.effect == .notSent)
    #expect(
      error?.message == "cannot connect securely to \(address): the server does not support TLS 1.2 or later")
    let recent = try fixture.serve("-tls1_2")
    let transport = try transport(recent) { $0.tls.ca = fixture.file("ca.pem") }
    #expect(try await transport.send(read).text() == "[]")
  }

  @Test("what is cut, or not a certificate, is not read as one") func malformed() throws {
    defer { fixture.stop() }
    let der = try run("openssl", "x509", "-in", fixture.file("server.pem"), "-outform", "der")
    let whole = try #require(LeafCertificate(der: Array(der)))
    #expect(whole.rsaBits == 2048 && whole.hasAlternativeNames && whole.signature == .sound)
    #expect(whole.fault(at: whole.validFrom) == nil && whole.fault(at: whole.validTo) == nil)
    #expect(whole.fault(at: "20000102030405")?.hasPrefix("the certificate is not valid before 20") == true)
    #expect(whole.fault(at: "99991231235959")?.hasPrefix("the certificate expired on 20") == true)
    for count in 0..<der.count { #expect(LeafCertificate(der: Array(der.prefix(count))) == nil) }
    for place in stride(from: 0, to: der.count, by: 3) {
      var bytes = Array(der)
      bytes[place] ^= 0xFF
      _ = LeafCertificate(der: bytes)
    }
  }
}
