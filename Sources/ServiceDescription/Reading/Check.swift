import BackendKit

/// Checks a layer of a description against the sections: kinds of values, words, keys.
struct Check {
  private(set) var mistakes: [Mistake] = []
  /// The keys written under a former name, each once.
  private(set) var renamed: [KeyMigration.Change] = []

  mutating func check(_ node: Node, _ shape: Shape) {
    // Null removes an inherited value.
    if node.isNull { return }
    switch (shape, node.content) {
    case (.any, _): break
    case (.text(let rule), .scalar(.string(let text))):
      // Parameters are named in many places, also by templates.
      if !check(text, rule, node.place) { check(parameter: text, node.place) }
    case (.boolean, .scalar(.bool)): break
    case (.integer(let range), .scalar(.number(let number))):
      if let integer = number.integer, range.contains(integer) { break }
      let limits =
        range.count == 1 ? "\(range.lowerBound)" : "a whole number from \(range.lowerBound) to \(range.upperBound)"
      mistakes.append(Mistake(node.place, "\(number.text) is out of range", hint: "it is \(limits)"))
    case (.word(let words), .scalar(.string(let word))): check(word, words.map(\.name), node.place)
    case (.list(let element), .list(let elements)), (.oneOrMore(let element), .list(let elements)):
      for node in elements { check(node, element) }
    case (.oneOrMore(let element), _): check(node, element)
    case (.map(let names, let shape), .map(let members)):
      for member in members {
        if names == "header field" { check(member.name, .header, member.place) }
        // Members of a form are subject to the rules for parameters.
        if ["parameter", "member"].contains(names) { check(parameter: member.name, member.place) }
        if names == "type" { check(member.name, FieldWords.kinds.map(\.name), member.place) }
        if names == "comparison" {
          check(member.name, Service.Filters.Comparison.allCases.map(\.rawValue), member.place)
        }
        check(member.node, shape)
      }
    case (.section(let name), .map(let members)): check(members, Section.of(name))
    case (.either(let first, let second), _): check(node, first.takes(node) ? first : second)
    default:
      mistakes.append(Mistake(node.place, "expected \(shape.words), not a \(node.kind)", hint: shape.hint(for: node)))
    }
  }

  private mutating func check(_ members: [Node.Member], _ section: Section) {
    for member in members {
      if let key = section.key(member.name) {
        check(member.node, key.shape)
      } else if let key = section.key(formerly: member.name) {
        refuse(member, key, isDoubled: members.contains { $0.name == key.name })
        check(member.node, key.shape)
      } else {
        let isOfResource = section.name == .description && Section.of(.resource).key(member.name) != nil
        let hint =
          isOfResource
          ? "it belongs below resources.NAME"
          : Mistake.hint(for: member.name, among: section.keys.map(\.name), "known keys")
        mistakes.append(Mistake(member.place, "unknown key", hint: hint))
      }
    }
  }

  private mutating func refuse(_ member: Node.Member, _ key: Section.Key, isDoubled: Bool) {
    guard !isDoubled else {
      mistakes.append(
        Mistake(member.place, KeyMigration.doubled, hint: "\(key.name) is the current name: remove the other"))
      return
    }
    let change = KeyMigration.Change(place: member.place, old: member.name, new: key.name)
    let line = key.line(with: member.node)
    let hint = "write " + (line.hasPrefix("\"") ? line : "\"\(line)\"")
    // A description from a plugin program is not a file that can be migrated.
    let isFirst =
      !renamed.contains { $0.place.file == member.place.file } && !member.place.file.hasPrefix("the description ")
    mistakes.append(
      Mistake(
        member.place, "this key is now \(key.name)",
        hint: isFirst ? "\(hint), or run config migrate \(member.place.file)" : hint))
    if !renamed.contains(change) { renamed.append(change) }
  }

  /// Reports a text that breaks a rule; returns whether it does.
  @discardableResult
  private mutating func check(_ text: String, _ rule: TextRule, _ place: Place) -> Bool {
    guard let problem = rule.problem(of: text) else { return false }
    mistakes.append(Mistake(place, problem.0, hint: problem.1))
    return true
  }

  private mutating func check(parameter name: String, _ place: Place) {
    guard let problem = ReservedName.problem(ofParameter: name) else { return }
    mistakes.append(Mistake(place, "\(name) cannot be described", hint: "\(problem); leave it out here"))
  }

  private mutating func check(_ word: String, _ words: [String], _ place: Place) {
    guard !words.contains(word) else { return }
    let nearest = SpellingSuggestion.suggestion(for: word, among: words).map { " (did you mean \($0)?)" } ?? ""
    mistakes.append(
      Mistake(
        place, "\"\(word)\" is not one of the choices", hint: "choices: \(words.joined(separator: ", "))\(nearest)"))
  }
}

extension Shape {
  func takes(_ node: Node) -> Bool {
    switch (self, node.content) {
    case (.any, _), (.text, .scalar(.string)), (.word, .scalar(.string)), (.boolean, .scalar(.bool)),
      (.integer, .scalar(.number)), (.list, .list),
      (.map, .map), (.section, .map):
      true
    case (.oneOrMore(let element), .list): { if case .list = element { false } else { true } }()
    case (.oneOrMore(let element), _): element.takes(node)
    case (.either(let first, let second), _): first.takes(node) || second.takes(node)
    default: false
    }
  }

  var words: String {
    switch self {
    case .text: "text"
    case .boolean: "true or false"
    case .integer: "a whole number"
    case .any: "a value"
    case .word(let words): words.count <= 4 ? words.map(\.name).joined(separator: " or ") : "a word"
    case .list: "a list"
    case .oneOrMore(let element): "\(element.words) or a list"
    case .map, .section: "a map"
    case .either(let first, let second): "\(first.words) or \(second.words)"
    }
  }

  fileprivate func hint(for node: Node) -> String? {
    switch (self, node.content) {
    case (.text, .scalar(.number)), (.text, .scalar(.bool)): "put it in quotes"
    case (.section(let name), .scalar), (.section(let name), .list):
      "its keys: \(Section.of(name).keys.map(\.name).joined(separator: ", "))"
    case (.word(let words), _) where words.count > 4: "choices: \(words.map(\.name).joined(separator: ", "))"
    default: nil
    }
  }
}

extension TextRule {
  /// Returns the problem with a text, and a hint if there is one; nil if the text is valid.
  func problem(of text: String) -> (String, String?)? {
    if text.isEmpty { return self == .mayBeEmpty ? nil : ("this text is empty", "write one, or leave the key out") }
    guard text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else { return ("this text has control characters", nil) }
    switch self {
    case .member where MemberPath.names(text) == nil:
      return (
        "this is not a valid path to a member", "separate names with dots, and double-quote a name that contains a dot"
      )
    case .path where RequestPath.written(text) == nil:
      return (
        "this is not a path below the backend's address", "names with slashes between them, for example api/todos"
      )
    case .ending where !text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && !"?#%".utf8.contains($0) }):
      return ("this is not a valid path suffix", "for example / or .json")
    case .header:
      let isName = text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"\"(),/:;<=>?@[\\]{}".utf8.contains($0) }
      guard isName else { return ("this is not a valid header name", "for example X-Total-Count") }
      return ReservedName.problem(ofHeader: text).map { ("\(text) cannot be described", "\($0); leave it out here") }
    case .hook:
      let parts = text.split(separator: "/", omittingEmptySubsequences: false)
      return parts.count == 2 && !parts.contains("") ? nil : ("this is not a hook", "write PLUGIN/NAME")
    case .pattern:
      return Self.unmatched(in: text).map {
        ("this is not a regular expression: unmatched \($0)", "\\\($0) is the character")
      }
    default: return nil
    }
  }

  /// An unmatched bracket of a regular expression. The rest differs between dialects, and is left to the service.
  private static func unmatched(in pattern: String) -> Character? {
    var open = 0
    var isSet = false
    var rest = pattern[...]
    while let character = rest.popFirst() {
      switch character {
      case "\\": if rest.popFirst() == nil { return "\\" }
      case "[" where !isSet: isSet = true
      case "]" where isSet: isSet = false
      case "(" where !isSet: open += 1
      case ")" where !isSet:
        guard open > 0 else { return ")" }
        open -= 1
      default: break
      }
    }
    return isSet ? "[" : open > 0 ? "(" : nil
  }
}

/// A path to a member of a document.
package enum MemberPath {
  /// The text of a path, with quotes around names that need them.
  package static func text(_ names: [String]) -> String {
    names.isEmpty ? "$" : names.map { $0.contains(".") ? "\"\($0)\"" : $0 }.joined(separator: ".")
  }

  /// Returns the names along the path; nil if it is invalid.
  package static func names(_ text: String) -> [String]? {
    if text == "$" { return [] }
    var names: [String] = []
    var rest = Substring(text)
    while true {
      let isQuoted = rest.first == "\""
      if isQuoted { rest = rest.dropFirst() }
      let name = rest.prefix { $0 != (isQuoted ? "\"" : ".") }
      rest = rest[name.endIndex...]
      guard isQuoted ? rest.popFirst() != nil : !name.isEmpty else { return nil }
      names.append(String(name))
      guard let next = rest.popFirst() else { return names }
      guard next == "." else { return nil }
    }
  }
}

extension RequestPath {
  /// The path written as segments with slashes between them, and optionally one at the end; nil if it is invalid.
  static func written(_ text: String) -> RequestPath? {
    if text == "/" { return .base }
    var rest = Substring(text)
    if rest.first == "/" { rest = rest.dropFirst() }
    if rest.last == "/" { rest = rest.dropLast() }
    guard !text.utf8.contains(where: { "?#".utf8.contains($0) }) else { return nil }
    let path = try? RequestPath(segments: rest.split(separator: "/", omittingEmptySubsequences: false).map(String.init))
    return path?.ending(in: text.hasSuffix("/") ? "/" : "")
  }
}
