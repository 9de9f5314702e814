import BackendKit
import Foundation
import Testing

@testable import HTTPTransport

@Suite("Compressed answers")
struct CompressionTests {
  private func server(_ bytes: Data, missing: Int = 0) throws -> FixtureServer {
    let body = [UInt8](bytes.dropLast(missing))
    return try FixtureServer { connection, _ in
      while connection.request() != nil {
        connection.write("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(body.count)\r\n\r\n")
        connection.write(body)
      }
    }
  }

  private let list = Data(("[" + (1...5000).map { "{\"id\":\($0)}" }.joined(separator: ",") + "]").utf8)

  @Test("A gzip body is decompressed, and its fields do not speak of it")
  func decompressed() async throws {
    let server = try server(run("gzip", "-c", input: list))
    let answer = try await transport(server.address).send(read)
    #expect(answer.header("Content-Encoding") == nil)
    #expect(answer.header("Content-Length") == nil)
    #expect(try await Data(answer.body.collect()) == list)
  }

  @Test("A body that grows beyond the limit is given up")
  func bomb() async throws {
    let server = try server(run("gzip", "-c", input: Data(repeating: 0x20, count: 20 << 20)))
    let answer = try await transport(server.address).send(read)
    let error = await failure { () throws(BackendError) in try await answer.body.collect() }
    #expect(error?.code == .badResponse)
    #expect(error?.message.contains("exceeds the limit") == true)
  }

  @Test("A damaged or shortened body is not a whole body")
  func damaged() async throws {
    var bytes = try run("gzip", "-c", input: list)
    let short = try await transport(server(bytes, missing: 20).address).send(read)
    #expect(await failure { () throws(BackendError) in try await short.body.collect() }?.code == .badResponse)
    for place in 200..<260 { bytes[place] = 0xFF }
    let damaged = try await transport(server(bytes).address).send(read)
    #expect(await failure { () throws(BackendError) in try await damaged.body.collect() }?.code == .badResponse)
  }
}
