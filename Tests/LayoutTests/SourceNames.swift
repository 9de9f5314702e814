/// The names of types and functions in the code of a source. Comments and texts are no code, but for what a text inserts.
struct SourceNames {
  /// The names that are declared at its top, and not for the file alone.
  private(set) var declared: Set<String> = []
  /// All names that are declared in it.
  private(set) var local: Set<String> = []
  /// The names that it refers to; those of members are none.
  private(set) var used: Set<String> = []

  private let bytes: [UInt8]
  private var at = 0
  private var depth = 0
  private var isDeclaration = false
  private var isPrivate = false

  init(_ source: String) {
    bytes = Array(source.utf8)
    readCode()
  }

  private func isNext(_ text: StaticString, after count: Int = 0) -> Bool {
    text.withUTF8Buffer { bytes[min(at + count, bytes.count)...].starts(with: $0) }
  }

  /// Reads to the end, or to the parenthesis that ends what is inserted into a text.
  private mutating func readCode(isInserted: Bool = false) {
    var parentheses = 0
    while at < bytes.count {
      switch bytes[at] {
      case 0x20, 0x0A: at += 1
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"): readWord()
      case UInt8(ascii: "0")...UInt8(ascii: "9"): while at < bytes.count, Self.isPart(bytes[at]) { at += 1 }
      case UInt8(ascii: "/") where isNext("//"): while at < bytes.count, bytes[at] != 0x0A { at += 1 }
      case UInt8(ascii: "/") where isNext("/*"): while at < bytes.count, !isNext("*/") { at += 1 }
      case UInt8(ascii: "\""), UInt8(ascii: "#"): readText()
      case UInt8(ascii: "{"): (depth, at) = (depth + 1, at + 1)
      case UInt8(ascii: "}"): (depth, at) = (depth - 1, at + 1)
      case UInt8(ascii: "("): (parentheses, at) = (parentheses + 1, at + 1)
      case UInt8(ascii: ")"):
        at += 1
        if isInserted, parentheses == 0 { return }
        parentheses -= 1
      default: at += 1
      }
    }
  }

  /// Reads a text in quotes, with number signs around it or not; of number signs before anything else only these.
  private mutating func readText() {
    let start = at
    while isNext("#") { at += 1 }
    let signs = at - start
    guard isNext("\"") else { return }
    let quotes = isNext("\"\"\"") ? 3 : 1
    at += quotes
    func hasSigns(after count: Int) -> Bool {
      let end = at + count + signs
      return end <= bytes.count && bytes[(at + count)..<end].allSatisfy { $0 == UInt8(ascii: "#") }
    }
    while at < bytes.count {
      if isNext("\\"), hasSigns(after: 1) {
        at += 2 + signs
        if at <= bytes.count, bytes[at - 1] == UInt8(ascii: "(") { readCode(isInserted: true) }
      } else if quotes == 3 ? isNext("\"\"\"") : isNext("\""), hasSigns(after: quotes) {
        at += quotes + signs
        return
      } else {
        at += 1
      }
    }
  }

  private mutating func readWord() {
    let start = at
    while at < bytes.count, Self.isPart(bytes[at]) { at += 1 }
    guard start == 0 || bytes[start - 1] != UInt8(ascii: ".") else { return }
    let word = String(decoding: bytes[start..<at], as: UTF8.self)
    switch word {
    case "struct", "enum", "class", "protocol", "actor", "typealias", "func": isDeclaration = true
    case "private", "fileprivate": isPrivate = true
    case "final", "indirect", "nonisolated": break
    default:
      if isDeclaration {
        local.insert(word)
        if depth == 0, !isPrivate { declared.insert(word) }
      } else if bytes[start] < UInt8(ascii: "_") || isNext("(") {
        used.insert(word)
      }
      (isDeclaration, isPrivate) = (false, false)
    }
  }

  private static func isPart(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"): true
    case UInt8(ascii: "0")...UInt8(ascii: "9"): true
    default: byte >= 0x80
    }
  }
}
