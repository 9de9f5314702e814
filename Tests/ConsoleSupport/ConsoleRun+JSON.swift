import Foundation

extension ConsoleRun {
  /// Standard output, which is one JSON object.
  public func object() throws -> [String: Any] { try output.json() }

  /// Standard output, which is a JSON array of objects.
  public func rows() throws -> [[String: Any]] { try output.json() }
}

extension StringProtocol {
  /// The text as Foundation reads its JSON; throws where that is of another type.
  public func json<Value>(_ type: Value.Type = Value.self) throws -> Value {
    let value = try JSONSerialization.jsonObject(with: Data(utf8), options: .fragmentsAllowed)
    guard let value = value as? Value else { throw OtherJSON(description: "\(self) is no \(type)") }
    return value
  }

  /// The JSON objects of its lines.
  public func jsonLines() throws -> [[String: Any]] { try split(separator: "\n").map { try $0.json() } }
}

/// JSON of another type than a test expects.
private struct OtherJSON: Error, CustomStringConvertible {
  let description: String
}
