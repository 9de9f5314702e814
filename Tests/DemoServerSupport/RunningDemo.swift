public import TestSupport

/// The demo's servers, wherever they run.
public protocol RunningDemo: Sendable {
  /// The port on 127.0.0.1 in their addresses.
  var port: Int { get }

  /// Sends one request whose body is any bytes.
  ///
  /// `Host` is added, and `Content-Length` where there is a body and neither it nor `Transfer-Encoding` is given.
  func send(
    _ method: String, _ target: String, headers: [(String, String)], bytes: [UInt8]?
  ) async throws -> RawAnswer
}

extension RunningDemo {
  /// The address of a dialect, such as `http://127.0.0.1:40000/grails`.
  public func base(_ dialect: String) -> String { "http://127.0.0.1:\(port)/\(dialect)" }

  /// Sends one request whose body is text.
  public func send(
    _ method: String, _ target: String, headers: [(String, String)] = [], body: String? = nil
  ) async throws -> RawAnswer {
    try await send(method, target, headers: headers, bytes: body.map { Array($0.utf8) })
  }
}
