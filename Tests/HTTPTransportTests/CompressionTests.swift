import BackendKit
import Foundation
import Testing

@testable import HTTPTransport

@Suite("Compressed answers")
struct CompressionTests {
  private func server(_ bytes: Data, missing: Int = 0, as encoding: String = "gzip") throws -> ScriptedServer {
    let body = [UInt8](bytes.dropLast(missing))
    return try ScriptedServer { connection, _ in
      while connection.request() != nil {
        connection.write("HTTP/1.1 200 OK\r\nContent-Encoding: \(encoding)\r\nContent-Length: \(body.count)\r\n\r\n")
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

  /// A body of five letters, compressed.
  struct Packed: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var encoding: String
    /// The bytes, or what Python makes of the letters.
    var bytes: [UInt8] = []
    var python = ""
  }

  @Test(
    "A body is decompressed in each way that is asked for, however its server writes it",
    arguments: [
      Packed(testDescription: "two members", encoding: "gzip", python: "gzip.compress(b'he') + gzip.compress(b'llo')"),
      Packed(
        testDescription: "an empty member", encoding: "gzip", python: "gzip.compress(b'hello') + gzip.compress(b'')"),
      Packed(testDescription: "zeros behind it", encoding: "gzip", python: "gzip.compress(b'hello') + bytes(16)"),
      Packed(testDescription: "an older name", encoding: "x-gzip", python: "gzip.compress(b'hello')"),
      Packed(testDescription: "capitals", encoding: "GZIP", python: "gzip.compress(b'hello')"),
      Packed(testDescription: "deflate", encoding: "deflate", python: "zlib.compress(b'hello')"),
      Packed(testDescription: "deflate alone", encoding: "deflate", python: "zlib.compress(b'hello')[2:-4]"),
      Packed(testDescription: "brotli", encoding: "br", bytes: [0x0B, 0x02, 0x80] + Array("hello".utf8) + [0x03]),
      Packed(
        testDescription: "zstd", encoding: "zstd",
        bytes: [0x28, 0xB5, 0x2F, 0xFD, 0x20, 0x05, 0x29, 0x00, 0x00] + Array("hello".utf8)),
      Packed(testDescription: "not compressed", encoding: "utf-8", bytes: Array("hello".utf8)),
    ])
  func ways(packed: Packed) async throws {
    let made =
      packed.python.isEmpty
      ? Data(packed.bytes)
      : try run("python3", "-c", "import gzip, sys, zlib; sys.stdout.buffer.write(\(packed.python))")
    let answer = try await transport(server(made, as: packed.encoding).address).send(read)
    #expect(try await answer.text() == "hello")
    guard packed.encoding != "utf-8" else { return }
    let short = try await transport(server(made, missing: made.count - 6, as: packed.encoding).address).send(read)
    #expect(await failure { () throws(BackendError) in try await short.body.collect() }?.code == .badResponse)
  }

  @Test("Something else behind a gzip body is damage") func trailer() async throws {
    let server = try server(run("gzip", "-c", input: list) + Data("more".utf8))
    let answer = try await transport(server.address).send(read)
    #expect(await failure { () throws(BackendError) in try await answer.body.collect() }?.code == .badResponse)
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
