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
    #expect(await failure { () throws(BackendError) in try await unknown.send(read) }?.code == .unavailable)
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
