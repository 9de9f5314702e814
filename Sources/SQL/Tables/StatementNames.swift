/// A pair of names joined by a dot in a statement.
struct NamedTable: Hashable {
  var backend: String
  var resource: String
  /// Its place in the text, in bytes.
  var place: Int
  /// True if the pair can only be a table.
  var isTable: Bool
}

/// Finds the names in a statement without parsing it: texts and comments have none.
struct StatementNames {
  private enum Token {
    case name(String, isQuoted: Bool, place: Int)
    case dot
    case end
    case other
  }

  private let bytes: [UInt8]
  private var place = 0
  private var tokens: [Token] = []
  private var words: [(text: String, depth: Int, place: Int)] = []
  private var depth = 0
  private var isPastEnd = false
  private var parameters: [(name: String, place: Int)] = []

  static func tables(in text: String) -> [NamedTable] {
    var names = StatementNames(bytes: Array(text.utf8))
    names.read()
    return names.pairs
  }

  /// Returns whether a text has more than white space, comments and semicolons.
  static func holdsMore(_ text: String) -> Bool {
    var names = StatementNames(bytes: Array(text.utf8))
    names.read()
    return names.tokens.contains { if case .end = $0 { false } else { true } }
  }

  /// The place of a parameter in a statement, in bytes; nil if it has none.
  static func place(of parameter: String, in text: String) -> Int? {
    var names = StatementNames(bytes: Array(text.utf8))
    names.read()
    return names.parameters.first { $0.name == parameter }?.place
  }

  /// The first whole number in a statement that exceeds SQLite's range, and would be changed.
  static func oversizedNumber(in text: String) -> (text: String, place: Int)? {
    var names = StatementNames(bytes: Array(text.utf8))
    names.read()
    return names.parameters.first { name, place in
      guard name.utf8.allSatisfy({ (0x30...0x39).contains($0) }), Int64(name) == nil else { return false }
      // The smallest number is a minus sign and the successor of the largest.
      let isNegative = names.bytes[..<place].last { $0 != 0x20 } == UInt8(ascii: "-")
      return !isNegative || Int64("-\(name)") == nil
    }.map { ($0.name, $0.place) }
  }

  /// The unquoted words of the first statement in uppercase, each with its depth of parentheses.
  static func words(in text: String) -> [(text: String, depth: Int, place: Int)] {
    var names = StatementNames(bytes: Array(text.utf8))
    names.read()
    return names.words
  }

  private init(bytes: [UInt8]) { self.bytes = bytes }

  private var pairs: [NamedTable] {
    var pairs: [NamedTable] = []
    var before = ""
    var place = 0
    while place < tokens.count {
      defer { place += 1 }
      guard case .name(let backend, let isQuoted, let start) = tokens[place] else {
        before = ""
        continue
      }
      if place + 2 < tokens.count, case .dot = tokens[place + 1], case .name(let resource, _, _) = tokens[place + 2] {
        let isTable = ["FROM", "JOIN", "INTO", "UPDATE"].contains(before)
        pairs.append(NamedTable(backend: backend, resource: resource, place: start, isTable: isTable))
        place += 2
        // The name of a column may follow.
        while place + 2 < tokens.count, case .dot = tokens[place + 1] { place += 2 }
        before = ""
      } else {
        before = isQuoted ? "" : backend.uppercased()
      }
    }
    return pairs
  }

  private mutating func read() {
    while place < bytes.count {
      let byte = bytes[place]
      let start = place
      place += 1
      switch byte {
      case 0x20, 0x09...0x0D: break
      case UInt8(ascii: "-") where peek == byte: skip { $0 == 0x0A }
      case UInt8(ascii: "/") where peek == UInt8(ascii: "*"):
        place += 1
        while place < bytes.count,
          !(bytes[place - 1] == UInt8(ascii: "*") && bytes[place] == UInt8(ascii: "/") && place > start + 2)
        {
          place += 1
        }
        place += 1
      case UInt8(ascii: "'"):
        _ = quoted(by: byte)
        tokens.append(.other)
      case UInt8(ascii: "\""), UInt8(ascii: "`"): tokens.append(.name(quoted(by: byte), isQuoted: true, place: start))
      case UInt8(ascii: "["):
        skip { $0 == UInt8(ascii: "]") }
        let name = String(decoding: bytes[(start + 1)..<min(place, bytes.count)], as: UTF8.self)
        place += 1
        tokens.append(.name(name, isQuoted: true, place: start))
      case UInt8(ascii: "."): tokens.append(.dot)
      case _ where Self.begins(byte):
        skip { !Self.begins($0) && !(0x30...0x39).contains($0) && $0 != UInt8(ascii: "$") }
        let word = String(decoding: bytes[start..<place], as: UTF8.self)
        tokens.append(.name(word, isQuoted: false, place: start))
        if !isPastEnd { words.append((word.uppercased(), depth, start)) }
      case 0x30...0x39, UInt8(ascii: "$"), UInt8(ascii: ":"), UInt8(ascii: "@"), UInt8(ascii: "?"):
        // Numbers and parameters, with all their characters.
        skip { !Self.begins($0) && !(0x30...0x39).contains($0) && $0 != UInt8(ascii: ".") }
        tokens.append(.other)
        parameters.append((String(decoding: bytes[start..<place], as: UTF8.self), start))
      case UInt8(ascii: "("), UInt8(ascii: ")"):
        depth += byte == UInt8(ascii: "(") ? 1 : -1
        tokens.append(.other)
      case UInt8(ascii: ";"):
        tokens.append(.end)
        isPastEnd = true
      default: tokens.append(.other)
      }
    }
  }

  private var peek: UInt8? { place < bytes.count ? bytes[place] : nil }

  private mutating func skip(to isEnd: (UInt8) -> Bool) {
    while let byte = peek, !isEnd(byte) { place += 1 }
  }

  private mutating func quoted(by quote: UInt8) -> String {
    var text: [UInt8] = []
    while place < bytes.count {
      let byte = bytes[place]
      place += 1
      if byte == quote {
        guard peek == quote else { break }
        place += 1
      }
      text.append(byte)
    }
    return String(decoding: text, as: UTF8.self)
  }

  private static func begins(_ byte: UInt8) -> Bool {
    byte == 0x5F || byte >= 0x80 || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
  }
}
