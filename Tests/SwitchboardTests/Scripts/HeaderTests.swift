import AdapterSupport
import ConsoleSupport
import Testing

/// Header fields of answers, in what a script expects.
@Suite("Expected header fields") struct HeaderTests {
  @Test("a secret in them is neither shown nor compared") func secrets() async throws {
    let home = try ConsoleRun.Home()
    let body = #"{"id":1,"title":"a","body":"b"}"#
    let answer =
      Array(
        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nSet-Cookie: sid=0123456789; Secure\r\nX-A: one\r\nx-a: two\r\n"
          .utf8) + Array("Content-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n\(body)".utf8)
    let server = try SocketServer([answer])
    let script = """
      on-error continue
      get grails:http://127.0.0.1:\(server.port) 1 -o id
      expect header set-cookie ~ 0123456789
      expect header set-cookie = [blanked]
      expect header X-A = "one, two"

      """
    let run = try await home.run(script)
    #expect(run.output == "1\n", "\(run.errors)")
    #expect(
      run.errors == "stdin:3: error: expected header set-cookie ~ \"[blanked]\", found \"[blanked]\"\n", "\(run.errors)"
    )
    #expect(run.status == 1)
  }
}
