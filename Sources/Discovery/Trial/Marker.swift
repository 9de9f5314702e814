import BackendKit

/// The text by which a record of a trial is known, to people and to the trial.
struct Marker {
  /// The whole text.
  let text: String
  /// The short form, for fields that take no more.
  let short: String

  init() {
    let digits = String(hex: UInt32.random(in: .min ... .max), digits: 8)
    text = "switchboard-trial-\(digits)"
    short = "sb-\(digits)"
  }

  /// As long as a field takes it; nil where it takes not even the short one.
  func text(upTo most: Int?) -> String? {
    guard let most, most < text.utf8.count + 2 else { return text }
    return most >= short.utf8.count + 2 ? short : nil
  }

  /// An address of a server that does not exist, as long as a field takes it.
  func address(upTo most: Int?) -> String? {
    text(upTo: most.map { $0 - Self.address("").utf8.count }).map(Self.address)
  }

  static func address(_ name: String) -> String { "http://\(name).invalid/" }

  /// The same text after a change; as long as `text(upTo:)` has left room for.
  static func changed(_ text: String) -> String { adding("-2", to: text) }

  /// The text of another attempt, as long as that after a change.
  static func again(_ text: String) -> String { adding("-3", to: text) }

  /// A name for a record, which no other field holds: a service may make its names of a text.
  static func name(_ text: String) -> String { adding("-id", to: text) }

  /// A text that services change: with a capital, and blanks around it; as long as that after a change.
  static func spaced(_ text: String) -> String { " \(text.prefix(1).uppercased())\(text.dropFirst()) " }

  /// A text with another one behind its last letter or digit; a server's name keeps its end.
  private static func adding(_ end: String, to text: String) -> String {
    let name = text.firstRange(ofText: ".invalid")?.lowerBound
    let last = name ?? text.lastIndex { $0.isLetter || $0.isNumber }.map { text.index(after: $0) } ?? text.endIndex
    return text[..<last] + end + text[last...]
  }

  /// Returns whether a value contains the marker anywhere.
  func isIn(_ value: Value) -> Bool {
    switch value {
    case .string(let found): found.contains(text: short.dropFirst(3))
    case .object(let object): object.members.contains { isIn($0.1) }
    case .array(let elements): elements.contains(where: isIn)
    default: false
    }
  }
}

extension String {
  fileprivate func contains(text: Substring) -> Bool { contains(text: String(text)) }
}
