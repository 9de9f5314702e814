import BackendKit
import BackendTransport
import Foundation
import TestSupport
import Testing

@testable import HTTPTransport

/// HTTP Digest, against a server that computes it by itself.
@Suite("HTTP Digest") struct DigestTests {
  private static func challenge(_ fields: String..., status: Int = 401) throws(BackendError) -> DigestChallenge {
    try DigestChallenge(
      of: HTTPResponse(
        status: status, headers: fields.map { ("WWW-Authenticate", $0) }, body: HTTPBody(whole: [])),
      at: "http://h", weakest: nil)
  }

  private func client(_ server: PythonServer, _ mode: String, password: String = "Secret, or not?") throws
    -> HTTPTransport
  {
    try transport("\(server.address)/\(mode)") { settings in
      settings.login = LoginScheme(.digest)
      settings.give([.username: "Jäsøn Doe", .password: password])
    }
  }

  /// Status, algorithm, number of the nonce and count of each request.
  private func log(_ server: PythonServer) async throws -> [String] {
    let text = try await transport(server.address).send(
      HTTPRequest("GET", try RequestPath("log"), effect: .read)
    ).text()
    return try JSONReader.read(text).array?.map { entry in
      (entry.array ?? []).dropFirst().map { $0.text ?? JSONWriter.compact($0) }.joined(separator: " ")
    } ?? []
  }

  @Test("MD5 is that of RFC 1321")
  func md5() {
    for (text, expected) in [
      ("", "d41d8cd98f00b204e9800998ecf8427e"), ("abc", "900150983cd24fb0d6963f7d28e17f72"),
      (
        "12345678901234567890123456789012345678901234567890123456789012345678901234567890",
        "57edf4a22be3c955ac49da2e2107b67a"
      ),
      ("abcdefghijklmnopqrstuvwxyz", "c3fcd3d76192e4007dfb496cca67e13b"),
    ] { #expect(MD5.hex(Array(text.utf8)) == expected) }
    for length in 0..<130 { #expect(MD5.hex([UInt8](repeating: 7, count: length)).count == 32) }
  }

  @Test(
    "answers are those of RFC 7616, section 3.9.1",
    arguments: [
      ("MD5", "8ca523f5e9506fed4657c9700eebdbec"),
      ("SHA-256", "753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"),
    ])
  func vectors(algorithm: String, response: String) throws {
    let challenge = try Self.challenge(
      #"Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm=\#(algorithm), nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS""#
    )
    let text = DigestAnswer(
      challenge: challenge, username: "Mufasa", password: "Circle of Life",
      clientNonce: "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ", count: 1
    ).text("GET", "/dir/index.html")
    #expect(
      text
        == #"username="Mufasa", realm="http-auth@example.org", uri="/dir/index.html", algorithm=\#(algorithm), nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", nc=00000001, cnonce="f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ", qop=auth, response="\#(response)", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS""#
    )
  }

  @Test("the strongest of several challenges counts, in one field or in several, whatever stands between them")
  func strongest() throws {
    func digest(_ algorithm: String) -> String {
      #"Digest realm="r", nonce="\#(algorithm)", qop=auth, algorithm=\#(algorithm)"#
    }
    for fields in [[digest("MD5"), digest("SHA-256")], [digest("SHA-256"), digest("MD5")]] {
      #expect(try Self.challenge(fields[0], fields[1]).nonce == "SHA-256")
      #expect(try Self.challenge(fields.joined(separator: ", Negotiate abc==, ")).nonce == "SHA-256")
    }
    #expect(try Self.challenge(digest("SHA-512-256"), digest("md5")).algorithm == .md5)
    #expect(try Self.challenge(#"dIGEST realm="a\"b", nonce = "n,=", qop="auth""#).realm == #"a"b"#)
  }

  @Test(
    "what cannot be answered is one sentence",
    arguments: [
      (
        #"Digest realm="r", nonce="n", qop="auth", algorithm=SHA-512-256"#,
        "asks for HTTP Digest with SHA-512-256, but only MD5 and SHA-256 are supported"
      ),
      (
        #"Digest realm="r", nonce="n", qop="auth-int""#,
        "asks for HTTP Digest without qop=auth, or in an unreadable form"
      ),
      (#"Digest realm="r", nonce="n""#, "asks for HTTP Digest without qop=auth, or in an unreadable form"),
      (
        #"Digest realm="r", realm="s", nonce="n", qop=auth"#,
        "asks for HTTP Digest without qop=auth, or in an unreadable form"
      ),
      (
        #"Digest realm="r, nonce="n", qop=auth"#,
        "asks for HTTP Digest without qop=auth, or in an unreadable form"
      ),
      (#"Basic realm="r""#, "does not ask for HTTP Digest, but for Basic"), ("", "does not ask for HTTP Digest"),
    ])
  func unanswerable(field: String, reason: String) {
    let error = #expect(throws: BackendError.self) { try Self.challenge(field) }
    #expect(error?.code == .unauthorized && error?.message == "http://h \(reason)", "\(String(describing: error))")
  }

  @Test(
    "each algorithm is accepted, and a nonce is used again with the next count",
    arguments: [
      ("md5", "MD5"), ("sha", "SHA-256"), ("both", "SHA-256"), ("sess", "MD5-sess"), ("shasess", "SHA-256-sess"),
      ("user", "SHA-256"),
    ])
  func accepted(mode: String, algorithm: String) async throws {
    let server = try await PythonServer("Server/digest.py")
    let client = try client(server, mode)
    for request in [write, read, read] { #expect(try await client.send(request).status == 200) }
    var next = read
    next.link = "?a=b%20c&d=%2F"
    #expect(try await client.send(next).status == 200)
    let log = try await log(server)
    #expect(log.first == "401 null null null" && log.count == 5)
    let nonces = Set(log.dropFirst().map { $0.split(separator: " ")[2] })
    #expect(nonces.count == 1)
    for (number, line) in log.dropFirst().enumerated() {
      #expect(line.hasPrefix("200 \(algorithm) ") && line.hasSuffix(" 0000000\(number + 1)"), "\(line)")
    }
    #expect(client.loggedIn == nil)
  }

  @Test("a nonce that became stale is renewed once, and the request is answered")
  func stale() async throws {
    let server = try await PythonServer("Server/digest.py")
    let client = try client(server, "old")
    for _ in 1...3 { #expect(try await client.send(write).status == 200) }
    let log = try await log(server)
    #expect(log.map { $0.prefix(3) } == ["401", "200", "200", "401", "200"], "\(log)")
    #expect(log.last?.hasSuffix("00000001") == true)
  }

  @Test("a server for which every nonce is stale is asked twice and no more")
  func alwaysStale() async throws {
    let server = try await PythonServer("Server/digest.py")
    let client = try client(server, "always")
    let error = await failure { () throws(BackendError) in try await client.send(write) }
    #expect(error?.code == .unauthorized && error?.effect == .rejected)
    #expect(error?.message == "\(server.address) rejected as stale a nonce that it had just issued")
    #expect(try await log(server).count == 2)
  }

  @Test("the nonce that a response names is answered next")
  func next() async throws {
    let server = try await PythonServer("Server/digest.py")
    let client = try client(server, "next")
    for _ in 1...3 { #expect(try await client.send(read).status == 200) }
    let log = try await log(server)
    #expect(log.dropFirst().map { $0.suffix(10) } == ["0 00000001", "1 00000001", "2 00000001"], "\(log)")
  }

  @Test("a weaker algorithm than before is not answered")
  func downgrade() async throws {
    let server = try await PythonServer("Server/digest.py")
    let client = try client(server, "weaker")
    #expect(try await client.send(read).status == 200)
    let error = await failure { () throws(BackendError) in try await client.send(read) }
    #expect(error?.message == "\(server.address) now asks for HTTP Digest with MD5; earlier it asked for SHA-256")
    #expect(try await log(server).count == 3)
  }

  @Test(
    "nothing is sent in reply to what cannot be answered, and never Basic", arguments: ["unknown", "basic", "noqop"])
  func unanswered(mode: String) async throws {
    let server = try await PythonServer("Server/digest.py")
    let client = try client(server, mode)
    let error = await failure { () throws(BackendError) in try await client.send(write) }
    #expect(error?.code == .unauthorized && error?.effect == .rejected && error?.hint != nil)
    #expect(try await log(server) == ["401 null null null"])
  }

  @Test("a password that is refused is answered with once")
  func refused() async throws {
    let server = try await PythonServer("Server/digest.py")
    let client = try client(server, "md5", password: UUID().uuidString)
    #expect(try await client.send(read).status == 401)
    let error = await failure { () throws(BackendError) in try await client.send(read) }
    #expect(error?.code == .unauthorized && error?.effect == .notSent)
    #expect(try await log(server).count == 2)
  }

  @Test("a name that cannot be told from the password is refused before anything is sent")
  func colon() async throws {
    let server = try await PythonServer("Server/digest.py")
    let client = try transport(server.address) { settings in
      settings.login = LoginScheme(.digest)
      settings.give([.username: "a:b", .password: "p"])
    }
    let error = await failure { () throws(BackendError) in try await client.send(read) }
    #expect(error?.message == "a user name for HTTP Digest cannot contain a colon" && error?.effect == .notSent)
  }
}
