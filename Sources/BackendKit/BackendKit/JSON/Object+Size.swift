extension Object {
  /// The approximate number of bytes of memory that the members take.
  public var roughSize: Int { packed?.size ?? members.reduce(96) { $0 + 40 + $1.1.roughSize } }
}

extension Value {
  /// The approximate number of bytes of memory that it takes.
  public var roughSize: Int {
    switch self {
    case .string(let text): Self.size(of: text)
    case .number(let number): Self.size(of: number.text)
    case .array(let elements): elements.reduce(64) { $0 + 40 + $1.roughSize }
    case .object(let object): object.roughSize
    case .null, .bool: 0
    }
  }

  /// Short texts are stored inline.
  private static func size(of text: String) -> Int { text.utf8.count > 15 ? 48 + text.utf8.count : 0 }
}
