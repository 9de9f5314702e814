import BackendKit
import Foundation
import TestSupport
import Testing

@testable import HTTPTransport

/// The port at which the console waits for the browser, and whoever else of this machine finds it.
@Suite("Redirect listener") struct RedirectListenerTests {
  private static let state = RandomText.make()
  private static let end = "/callback?code=c0de&state=\(state)"

  /// Waits at a port, does something to it, and then comes back from the login as a browser does.
  private func survived(
    by attack: @escaping @Sendable (_ port: Int) throws -> Void, patience: Duration = .seconds(180)
  ) async throws {
    let listener = try RedirectListener(patience: patience)
    let port = listener.port
    async let answer = listener.answer(state: Self.state)
    try await blocking { try attack(port) }
    let page = try await blocking { try RawConnection.exchange("GET", Self.end, to: port) }
    #expect(page.status == 200 && page.text.contains("Back to the terminal"))
    #expect(try await answer == ["code": "c0de", "state": Self.state])
  }

  /// Sends the head of a request, and expects a refusal with this status.
  private static func expect(
    _ status: Int, _ head: String..., at port: Int, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let connection = try RawConnection(port: port)
    try connection.write(Array((head + ["", ""]).joined(separator: "\r\n").utf8))
    let answer = try connection.answer()
    #expect(answer.status == status, "\(head)", sourceLocation: sourceLocation)
    #expect(answer.text.contains("Nothing was done"), sourceLocation: sourceLocation)
    #expect(answer.header("Content-Security-Policy") == "default-src 'none'", sourceLocation: sourceLocation)
  }

  @Test("another name, path or method, and what is not a request, are refused, and it waits on")
  func strangers() async throws {
    try await survived { port in
      let end = "GET \(Self.end) HTTP/1.1"
      for host in ["Host: evil.example:\(port)", "Host: localhost:\(port)", "Host: 127.0.0.1", "Accept: */*"] {
        try Self.expect(421, end, host, at: port)
      }
      try Self.expect(421, end, "Host: 127.0.0.1:\(port)", "Host: evil.example", at: port)
      let host = "Host: 127.0.0.1:\(port)"
      let whole = "http://127.0.0.1:\(port)\(Self.end)"
      for path in ["/", "/favicon.ico", "/callback/", "/callbackx?state=\(Self.state)", whole] {
        try Self.expect(404, "GET \(path) HTTP/1.1", host, at: port)
      }
      try Self.expect(405, "POST \(Self.end) HTTP/1.1", host, "Content-Length: 0", at: port)
      for line in ["", "GET", "GET \(Self.end)", "GET \(Self.end) HTTP/2", "GET /call back HTTP/1.1"] {
        try Self.expect(400, line, host, at: port)
      }
    }
  }

  @Test("whoever guesses the state of the login, as another user of this machine may, gets nowhere")
  func guesses() async throws {
    try await survived { port in
      let other = String(Self.state.dropLast()) + (Self.state.hasSuffix("A") ? "B" : "A")
      let queries = [
        "", "?code=theirs", "?code=theirs&state=", "?code=theirs&state=\(other)", "?code=theirs&state=\(Self.state)x",
        "?code=theirs&state=\(other)&state=\(Self.state)", "?code=theirs&state=\(Self.state)&state=\(Self.state)",
        "?code=%&state=\(Self.state)", "?code=theirs&STATE=\(Self.state)",
      ]
      for query in queries + (1...100).map({ "?code=theirs&state=\($0)" }) {
        try Self.expect(403, "GET /callback\(query) HTTP/1.1", "Host: 127.0.0.1:\(port)", at: port)
      }
    }
  }

  @Test("a client that sends a part of its request and waits forever keeps nobody out")
  func slow() async throws {
    let listener = try RedirectListener(patience: .milliseconds(50))
    let port = listener.port
    // Both are connected before the first is taken, so that the browser's request is there whenever its turn comes.
    let (slow, browser) = try await blocking {
      let slow = try RawConnection(port: port)
      try slow.write(Array("GET /callback?co".utf8))
      let browser = try RawConnection(port: port)
      try browser.write(Array("GET \(Self.end) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\n".utf8))
      return (slow, browser)
    }
    #expect(try await listener.answer(state: Self.state)["code"] == "c0de")
    #expect(try await blocking { try browser.answer().status } == 200)
    #expect(try await blocking { try slow.read().isEmpty })
  }

  @Test("ten megabytes are read to 8 KiB, be they one line, many, or a body without an end of the head")
  func large() async throws {
    let host: @Sendable (Int) -> String = { "GET /callback HTTP/1.1\r\nHost: 127.0.0.1:\($0)\r\n" }
    let heads: [@Sendable (Int) -> String] = [
      { _ in "GET /callback?code=" + String(repeating: "x", count: 10 << 20) },
      { host($0) + String(repeating: "X-Much: more\r\n", count: 800_000) },
      { host($0) + "X: " + String(repeating: "\n", count: 10 << 20) },
    ]
    for head in heads {
      try await survived { port in
        let connection = try RawConnection(port: port)
        // The listener has closed the connection before all of it is sent.
        #expect(throws: RawConnection.Failure.self) { try connection.write(Array(head(port).utf8)) }
      }
    }
    try await survived { port in
      let head = host(port)
      let filled = head + "X: " + String(repeating: "x", count: (8 << 10) - head.utf8.count - 3)
      let connection = try RawConnection(port: port)
      try connection.write(Array(filled.utf8))
      #expect(try connection.answer().status == 431)
    }
  }

  @Test("one request ends it: a second one is not answered, on its connection or another")
  func second() async throws {
    let listener = try RedirectListener()
    let port = listener.port
    async let answer = listener.answer(state: Self.state)
    let rest = try await blocking {
      let connection = try RawConnection(port: port)
      let request = "GET \(Self.end) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\n"
      try connection.write(Array((request + request).utf8))
      #expect(try connection.answer().status == 200)
      return try connection.read()
    }
    #expect(rest.isEmpty)
    #expect(try await answer["code"] == "c0de")
    #expect(throws: RawConnection.Failure.self) { try RawConnection(port: port) }
    withExtendedLifetime(listener) {}
  }

  @Test("it listens at 127.0.0.1 alone, and each time at another port")
  func place() async throws {
    let (one, other) = (try RedirectListener(), try RedirectListener())
    #expect(one.port != other.port)
    let sockets = try String(contentsOfFile: "/proc/net/tcp", encoding: .utf8).split(separator: "\n")
    let port = ":" + String(hex: one.port, digits: 4, uppercase: true)
    let listening = sockets.filter { $0.contains("\(port) 00000000:0000 0A ") }
    #expect(listening.count == 1)
    #expect(listening.first?.contains(" 0100007F\(port) ") == true)
  }

  @Test("a login that nobody completes ends, and so does one that is cancelled")
  func ends() async throws {
    let late = try RedirectListener(lifetime: .zero)
    let error = await failure { () throws(BackendError) in try await late.answer(state: Self.state) }
    #expect(error?.code == .unauthorized && error?.effect == .notSent)
    let listener = try RedirectListener()
    let task = Task { await failure { () throws(BackendError) in try await listener.answer(state: Self.state) } }
    task.cancel()
    #expect(await task.value?.code == .cancelled)
    #expect(throws: RawConnection.Failure.self) { try RawConnection(port: listener.port) }
  }

  @Test("the page is another one after a refusal, and repeats nothing of the request")
  func page() async throws {
    let listener = try RedirectListener()
    let port = listener.port
    async let answer = listener.answer(state: Self.state)
    let target = "/callback?error=access_denied&error_description=%3Cscript%3E+no&state=\(Self.state)"
    let page = try await blocking { try RawConnection.exchange("GET", target, to: port) }
    #expect(page.status == 200 && page.text.contains("Not logged in") && !page.text.contains("script"))
    #expect(try await answer["error_description"] == "<script> no")
  }
}
