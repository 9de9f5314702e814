public import BackendKit
import Glibc
import Synchronization

/// A recording (`switchboard --record FILE`) that answers in place of a server.
///
/// Requests must have the recorded order. One that differs in method, path, query or body throws, and says what was
/// expected.
public final class RecordedExchange: HTTPExchange {
  /// The reason why a file is not a recording.
  public struct Failure: Error, CustomStringConvertible {
    /// The reason, as a sentence.
    public let description: String
  }

  private struct Exchange {
    var method: String
    var target: String
    var body: [UInt8]?
    var status: Int
    var headers: [(String, String)]
    var answer: [UInt8]
  }

  private let rest: Mutex<[Exchange]>

  /// Reads a recording.
  public init(_ file: String) throws {
    let lines = try Self.read(file).split(separator: UInt8(ascii: "\n"))
    let values = try lines.enumerated().map { place, line in
      guard let object = (try? JSONReader.read(line))?.object else {
        throw Failure(description: "\(file):\(place + 1): this is not a line of a recording")
      }
      return object
    }
    guard values.first?["switchboardRecording"]?.integer == 1 else {
      throw Failure(description: "\(file) is not a recording; switchboard --record FILE makes one")
    }
    rest = Mutex(
      try values.enumerated().dropFirst().map { place, object in
        guard let exchange = Self.exchange(object) else {
          throw Failure(description: "\(file):\(place + 1): this exchange has no response, or no text as its body")
        }
        return exchange
      })
  }

  /// The recorded requests that were not sent yet, as method, path and query.
  public var remaining: [String] { rest.withLock { $0.map { "\($0.method) /\($0.target)" } } }

  /// Returns the recorded response to a request.
  public func send(_ request: HTTPRequest) async throws(BackendError) -> HTTPResponse {
    let next = rest.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    guard let next else {
      throw BackendError(.unavailable, "\(request.summary) was not recorded: nothing is left", effect: .notSent)
    }
    guard next.method == request.method, next.target == request.target, next.body ?? [] == request.body ?? [] else {
      let what = next.method == request.method && next.target == request.target ? "another body" : "\(request.summary)"
      throw BackendError(
        .unavailable, "recorded is \(next.method) /\(next.target), and the adapter sent \(what)", effect: .notSent)
    }
    return HTTPResponse(
      status: next.status, headers: next.headers, body: HTTPBody(whole: next.answer))
  }

  private static func exchange(_ object: Object) -> Exchange? {
    guard let request = object["request"]?.object, let method = request["method"]?.text,
      let target = request["target"]?.text, let response = object["response"]?.object,
      let status = response["status"]?.integer, let body = response["body"]?.text
    else { return nil }
    let headers = (response["headers"]?.array ?? []).compactMap { pair -> (String, String)? in
      guard let name = pair.array?.first?.text, let value = pair.array?.last?.text else { return nil }
      return (name, value)
    }
    return Exchange(
      method: method, target: target, body: request["body"]?.text.map { Array($0.utf8) }, status: status,
      headers: headers, answer: Array(body.utf8))
  }

  private static func read(_ file: String) throws -> [UInt8] {
    guard let stream = fopen(file, "r") else { throw Failure(description: "\(file) cannot be read") }
    defer { fclose(stream) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = fread(&buffer, 1, buffer.count, stream)
      if count == 0 { return bytes }
      bytes += buffer[..<count]
    }
  }
}
