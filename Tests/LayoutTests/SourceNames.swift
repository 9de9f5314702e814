/// The names of types, functions and members in the code of a source. Comments and texts are no code, but for what a text inserts.
struct SourceNames {
  /// A member that an extension adds to a type, and that other files see.
  struct Added: Hashable {
    let type: String
    let member: String
    let isStatic: Bool
  }

  /// What a brace has opened.
  private enum Scope {
    /// A type or an extension of one; nothing in it is seen by other files if it is private.
    case type(String, isExtension: Bool, isPrivate: Bool, conforms: Bool)
    case code
  }

  /// The names that are declared at its top, and not for the file alone.
  private(set) var declared: Set<String> = []
  /// All names that are declared in it.
  private(set) var local: Set<String> = []
  /// The names that it refers to; those of members are none.
  private(set) var used: Set<String> = []
  /// The types that it declares, each with the types around it: `Service.Resource`.
  private(set) var types: Set<String> = []
  /// The members that it declares, those for the file alone among them.
  private(set) var members: Set<String> = []
  /// The names after a dot, and those that are called.
  private(set) var memberUses: Set<String> = []
  /// The members that its extensions add to types; not those of an extension that makes a type conform to something.
  private(set) var added: Set<Added> = []

  private let bytes: [UInt8]
  private var at = 0
  private var scopes: [Scope] = []
  /// A type whose name was read, and whose brace is still to come.
  private var pending: (name: String, isExtension: Bool, isPrivate: Bool, conforms: Bool)?
  private var isConstrained = false
  private var keyword = ""
  /// True if the last declaration was a case.
  private var isCase = false
  private var isPrivate = false
  private var isStatic = false

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
      case UInt8(ascii: "{"): open()
      case UInt8(ascii: "}"):
        _ = scopes.popLast()
        at += 1
      case UInt8(ascii: ":"):
        if parentheses == 0, !isConstrained { pending?.conforms = true }
        at += 1
      case UInt8(ascii: ","):
        // The next of several cases.
        if parentheses == 0, isCase, case .type? = scopes.last { keyword = "case" }
        at += 1
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

  /// Takes a brace that opens the body of a type, or of anything else.
  private mutating func open() {
    at += 1
    let outer = scopes.contains { if case .type(_, _, isPrivate: true, _) = $0 { true } else { false } }
    scopes.append(
      pending.map {
        .type($0.name, isExtension: $0.isExtension, isPrivate: $0.isPrivate || outer, conforms: $0.conforms)
      } ?? .code)
    (pending, isConstrained) = (nil, false)
  }

  private mutating func word() -> String {
    let start = at
    while at < bytes.count, Self.isPart(bytes[at]) { at += 1 }
    return String(decoding: bytes[start..<at], as: UTF8.self)
  }

  private mutating func readWord() {
    let isMember = at > 0 && bytes[at - 1] == UInt8(ascii: ".")
    let word = word()
    guard !isMember else { return memberUses.formUnion([word]) }
    switch word {
    case "struct", "enum", "class", "protocol", "actor", "extension", "typealias", "func": keyword = word
    case "var", "let", "case", "init", "subscript":
      // Elsewhere they are no members.
      guard case .type? = scopes.last else { break }
      keyword = word
      if ["init", "subscript"].contains(word) { declare(word) }
    case "private", "fileprivate": isPrivate = true
    case "static": isStatic = true
    case "where": isConstrained = pending != nil
    case "final", "indirect", "nonisolated", "mutating", "lazy", "weak", "package", "public": break
    default:
      if keyword.isEmpty { use(word) } else { declare(word) }
      (keyword, isPrivate, isStatic) = ("", false, false)
    }
  }

  private mutating func use(_ word: String) {
    let isCalled = isNext("(")
    if isCalled { memberUses.insert(word) }
    if isCalled || word.first?.isUppercase == true { used.insert(word) }
  }

  /// Takes the name after a keyword.
  private mutating func declare(_ word: String) {
    defer { (keyword, isPrivate, isStatic) = ("", false, false) }
    isCase = keyword == "case"
    switch keyword {
    case "extension":
      var name = word
      while isNext(".") {
        at += 1
        name += "." + self.word()
      }
      pending = (name, true, isPrivate, false)
      used.insert(word)
    case "struct", "enum", "class", "protocol", "actor", "typealias", "func":
      local.insert(word)
      if scopes.isEmpty, !isPrivate { declared.insert(word) }
      if keyword == "func" { return member(word) }
      let around = scopes.compactMap { if case .type(let name, _, _, _) = $0 { name } else { nil } }
      types.insert((around + [word]).joined(separator: "."))
      if keyword != "typealias" { pending = (word, false, isPrivate, false) }
    default: member(word)
    }
  }

  private mutating func member(_ word: String) {
    guard case .type(let type, let isExtension, let isHidden, let conforms)? = scopes.last else { return }
    members.insert(word)
    guard isExtension, !isHidden, !isPrivate, !conforms else { return }
    added.insert(Added(type: type, member: word, isStatic: isStatic))
  }

  private static func isPart(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"): true
    case UInt8(ascii: "0")...UInt8(ascii: "9"): true
    default: byte >= 0x80
    }
  }
}
