import BackendClient
import BackendKit

/// The text that identifies a test record to people and to the trial.
struct Marker {
  let text: String
  /// The short form, for fields with a low limit.
  let short: String
  private let digits: String
  /// The same number in ten decimal digits.
  private let decimal: String

  init() {
    var random = SystemRandomNumberGenerator()
    self.init(&random)
  }

  /// Draws until the digits contain no verb (`2add`), since a service may make an address of the marker, and addresses
  /// with a verb are not read; and until the decimal ones begin with no zero, since a service may keep a number.
  init(_ random: inout some RandomNumberGenerator) {
    var number: UInt32
    repeat {
      number = UInt32.random(in: .min ... .max, using: &random)
    } while number < 1_000_000_000 || ActionWords.verb(in: "/\(String(hex: number, digits: 8))") != nil
    digits = String(hex: number, digits: 8)
    decimal = String(number, digits: 10)
    (text, short) = ("switchboard-trial-\(digits)", "sb-\(digits)")
  }

  /// The longest form that a field accepts; nil if even the short one is too long.
  func text(upTo most: Int?) -> String? {
    guard let most, most < text.utf8.count + 2 else { return text }
    return most >= short.utf8.count + 2 ? short : nil
  }

  /// The forms of the marker in the characters that fields may be limited to, the usual ones first.
  var spellings: [String] {
    let lower = ["-", "_", "", "."].flatMap { mark in [text, short].map { $0.replacing(text: "-", with: mark) } }
    return lower + lower.map { $0.uppercased() } + [decimal]
  }

  static func address(_ name: String) -> String { "http://\(name).invalid/" }

  static func mail(_ name: String) -> String { "\(name)@example.invalid" }

  /// The text after an update; the forms that fields accept leave room for it.
  static func changed(_ text: String) -> String { adding("2", to: text) }

  /// The text of another attempt, of the same length as after an update.
  static func again(_ text: String) -> String { adding("3", to: text) }

  /// A name for a record that occurs in no other field, since a service may derive names from texts.
  static func name(_ text: String) -> String { adding("id", to: text) }

  /// The name of the next of several records with such names.
  static func name(_ text: String, _ number: Int) -> String { adding("\(number)", to: text) }

  /// A text that services may normalize, with a capital and surrounding blanks, of the same length as after an update.
  static func spaced(_ text: String) -> String { " \(text.prefix(1).uppercased())\(text.dropFirst()) " }

  /// Inserts a text after the last letter or digit, after the punctuation that is used; the name of a server keeps its
  /// end.
  private static func adding(_ end: String, to text: String) -> String {
    let name = text.firstRange(ofText: ".invalid")?.lowerBound
    let last = name ?? text.lastIndex { $0.isLetter || $0.isNumber }.map { text.index(after: $0) } ?? text.endIndex
    let mark = ["-", "_"].first { text.contains(text: $0) } ?? ""
    return text[..<last] + mark + end + text[last...]
  }

  func isIn(_ value: Value) -> Bool {
    switch value {
    case .string(let found): found.lowercased().contains(text: digits) || found.contains(text: decimal)
    case .object(let object): object.members.contains { isIn($0.1) }
    case .array(let elements): elements.contains(where: isIn)
    default: false
    }
  }
}
