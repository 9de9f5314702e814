import DemoServerSupport

/// What the calls of a table are sent to.
protocol Answering: Sendable {
  func base(_ dialect: String) -> String

  func send(
    _ method: String, _ target: String, headers: [(String, String)], bytes: [UInt8]?
  ) async throws -> RawAnswer
}

extension DemoProcess: Answering {}
