import Foundation

/// An HTTP answer as it came off the wire.
public struct RawAnswer: Sendable {
  /// The status code; 0 where the connection ended before any answer.
  public var status = 0
  /// The words behind the status code.
  public var reason = ""
  /// The headers in their order and spelling.
  public var headers: [(name: String, value: String)] = []
  /// The body without its framing.
  public var body: [UInt8] = []
  /// True if the body had the length that its framing promised.
  public var isComplete = false

  /// An answer that is still to be filled in.
  public init() {}

  /// The value of a header, whatever its spelling; several are joined by a comma.
  public func header(_ name: String) -> String? {
    let values = headers.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
    return values.isEmpty ? nil : values.joined(separator: ", ")
  }

  /// The body as text.
  public var text: String { String(decoding: body, as: UTF8.self) }

  /// The body as Foundation reads its JSON.
  public func json() throws -> Any {
    try JSONSerialization.jsonObject(with: Data(body), options: .fragmentsAllowed)
  }

  /// The body as a JSON object; empty for anything else.
  public func object() throws -> [String: Any] { try json() as? [String: Any] ?? [:] }

  /// The body as a JSON array of objects; empty for anything else.
  public func rows() throws -> [[String: Any]] { try json() as? [[String: Any]] ?? [] }
}
