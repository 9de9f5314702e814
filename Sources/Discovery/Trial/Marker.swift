import BackendKit

/// The text that identifies a test record to people and to the trial.
struct Marker {
  let text: String
  /// The short form, for fields with a low limit.
  let short: String

  init() {
    let digits = String(hex: UInt32.random(in: .min ... .max), digits: 8)
    text = "switchboard-trial-\(digits)"
    short = "sb-\(digits)"
  }

  /// The longest form that a field accepts; nil if even the short one is too long.
  func text(upTo most: Int?) -> String? {
    guard let most, most < text.utf8.count + 2 else { return text }
    return most >= short.utf8.count + 2 ? short : nil
  }

  /// An address of a nonexistent server that fits a field.
  func address(upTo most: Int?) -> String? {
    text(upTo: most.map { $0 - Self.address("").utf8.count }).map(Self.address)
  }

  static func address(_ name: String) -> String { "http://\(name).invalid/" }

  /// The text after an update; `text(upTo:)` has left room for it.
  static func changed(_ text: String) -> String { adding("-2", to: text) }

  /// The text of another attempt, of the same length as after an update.
  static func again(_ text: String) -> String { adding("-3", to: text) }

  /// A name for a record that occurs in no other field, since a service may derive names from texts.
  static func name(_ text: String) -> String { adding("-id", to: text) }

  /// A text that services may normalize, with a capital and surrounding blanks, of the same length as after an update.
  static func spaced(_ text: String) -> String { " \(text.prefix(1).uppercased())\(text.dropFirst()) " }

  /// Inserts a text after the last letter or digit; the name of a server keeps its end.
  private static func adding(_ end: String, to text: String) -> String {
    let name = text.firstRange(ofText: ".invalid")?.lowerBound
    let last = name ?? text.lastIndex { $0.isLetter || $0.isNumber }.map { text.index(after: $0) } ?? text.endIndex
    return text[..<last] + end + text[last...]
  }

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
