import BackendKit
import BackendTransport
import Foundation
import Testing

@testable import HTTPTransport

@Suite("TLS", .enabled(if: TLSFixture.isPossible, "openssl is not in PATH"))
struct TLSTests {
  @Test("A certificate of an unknown authority is refused, of a known one or on request taken")
  func authorities() async throws {
    let fixture = try TLSFixture()
    defer { fixture.stop() }
    let address = try fixture.serve()
    let strict = try transport(address)
    let error = await failure { () throws(BackendError) in try await strict.send(write) }
    #expect(error?.code == .unavailable)
    #expect(error?.effect == .notSent)
    #expect(error?.message == "cannot connect securely to \(address): the certificate is not trusted")
    let trusting = try transport(address) { $0.tls.ca = fixture.file("ca.pem") }
    #expect(try await trusting.send(read).text() == "[]")
    let careless = try transport(address) { $0.tls.insecure = true }
    #expect(try await careless.send(read).text() == "[]")
  }

  @Test("A certificate for another host is refused")
  func otherHost() async throws {
    let fixture = try TLSFixture()
    defer { fixture.stop() }
    let address = try fixture.serve(certificate: "other")
    let transport = try transport(address) { $0.tls.ca = fixture.file("ca.pem") }
    let error = await failure { () throws(BackendError) in try await transport.send(read) }
    #expect(error?.message == "cannot connect securely to \(address): the certificate is not for this host")
    #expect(error?.hint == "use a host name of the certificate, or set the digest of its key as `pin` under `tls`")
  }

  @Test("A server that asks for a certificate gets the configured one")
  func clientCertificate() async throws {
    let fixture = try TLSFixture()
    defer { fixture.stop() }
    let address = try fixture.serve("-Verify", "1", "-verify_return_error", "-CAfile", fixture.file("ca.pem"))
    let known = try transport(address) { settings in
      settings.tls = TLSSettings(
        ca: fixture.file("ca.pem"), cert: fixture.file("client.pem"), key: fixture.file("client.key"))
    }
    #expect(try await known.send(read).text() == "[]")
    let unknown = try transport(address) { $0.tls.ca = fixture.file("ca.pem") }
    // The client has sent its request when the server ends the handshake, and the server has not read it.
    let error = await failure { () throws(BackendError) in try await unknown.send(write) }
    #expect(error?.code == .unavailable && error?.effect == .notSent)
    #expect(
      error?.message
        == "cannot connect securely to \(address): the server refused the TLS handshake (certificate required)")
  }

  @Test("A server that ends the handshake is named with its reason, and has been sent nothing")
  func alert() async throws {
    let fixture = try TLSFixture()
    defer { fixture.stop() }
    let address = try fixture.serve(
      "-tls1_2", "-Verify", "1", "-verify_return_error", "-CAfile", fixture.file("ca.pem"))
    let transport = try transport(address) { $0.tls.ca = fixture.file("ca.pem") }
    let error = await failure { () throws(BackendError) in try await transport.send(write) }
    #expect(error?.code == .unavailable && error?.effect == .notSent)
    #expect(
      error?.message
        == "cannot connect securely to \(address): the server refused the TLS handshake (handshake failure)")
    #expect(error?.hint == "it may want a client certificate, or another one: `cert` and `key` under `tls`")
  }

  @Test(
    "The alerts of the TLS library are read, and those that are on the client's certificate told apart",
    arguments: [
      ("tlsv13 alert certificate required, errno 0", "certificate required", true),
      ("sslv3 alert certificate expired", "certificate expired", true), ("tlsv1 alert unknown ca", "unknown ca", true),
      ("sslv3 alert handshake failure", "handshake failure", false),
      ("tlsv1 alert internal error", "internal error", false),
    ])
  func alerts(text: String, words: String, isOfCertificate: Bool) {
    let alert = TLSAlert("OpenSSL SSL_read: error:0A00045C:SSL routines::\(text)")
    #expect(alert?.words == words && alert?.isOfCertificate == isOfCertificate)
    #expect(TLSAlert("OpenSSL SSL_connect: error:0A000086:SSL routines::certificate verify failed") == nil)
  }

  @Test("A key of another certificate, and an encrypted one, are named")
  func keys() async throws {
    let fixture = try TLSFixture()
    defer { fixture.stop() }
    let address = try fixture.serve()
    try run(
      "openssl", "pkey", "-aes256", "-passout", "pass:x", "-in", fixture.file("client.key"), "-out",
      fixture.file("locked.key"))
    for (key, message) in [
      ("other.key", "cannot connect securely to \(address): the key does not belong to the certificate"),
      ("locked.key", "cannot read the TLS key in \(fixture.file("locked.key")): it is encrypted"),
    ] {
      let transport = try transport(address) { settings in
        settings.tls = TLSSettings(
          ca: fixture.file("ca.pem"), cert: fixture.file("client.pem"), key: fixture.file(key))
      }
      let error = await failure { () throws(BackendError) in try await transport.send(write) }
      #expect(error?.effect == .notSent && error?.message == message)
    }
  }

  @Test("Files that are missing or are not PEM text are named", arguments: ["missing.pem", "todos"])
  func files(name: String) async throws {
    let fixture = try TLSFixture()
    defer { fixture.stop() }
    let transport = try transport("https://127.0.0.1:1") { $0.tls.ca = fixture.file(name) }
    let error = await failure { () throws(BackendError) in try await transport.send(read) }
    #expect(error?.code == .misconfigured)
    #expect(error?.message.contains(fixture.file(name)) == true)
  }

  @Test("A certificate without its key is refused at once")
  func halfPair() {
    let error = #expect(throws: BackendError.self) { try transport("https://h") { $0.tls.cert = "/c.pem" } }
    #expect(error?.code == .misconfigured)
  }
}
