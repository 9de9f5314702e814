import BackendKit
import CommandLanguage
import ConsoleSystem

/// Finds the command at the cursor within a statement of the script language.
struct StatementPlace {
  private(set) var words: [Word]
  private(set) var last: PartialWord
  /// The choices if the cursor is not within a command.
  private(set) var choices: [String]?

  private static let questions = ["count", "error", "header", "not", "same", "status"]

  init(_ words: [Word], _ last: PartialWord) {
    self.words = words
    self.last = last
    guard let verb = words.first, !verb.isQuoted, let row = try? CommandTable.command(named: verb.text),
      row.takes(.condition) || row.takes(.group)
    else { return }
    if let opening = Self.openGroup(words, last) {
      self.words = Array(words[opening...])
      if opening == words.count {
        self.last = PartialWord(raw: String(last.raw.dropFirst()), start: last.start + 1)
      } else {
        self.words[0] = self.words[0].dropFirst(1)
      }
      return
    }
    guard row.takes(.condition) else { return }
    let last = words.lastIndex { $0.isPlain("and") || $0.isPlain("or") } ?? 0
    let question = words[(last + 1)...].drop { $0.text == "not" }
    switch question.first?.text {
    case nil: choices = Self.questions
    case "count"?: self.words = Array(question)
    case "error"? where question.count == 1: choices = FailureCode.all.map(\.rawValue)
    default: break
    }
  }

  /// The index of the word that opens the group around the cursor; `words.count` if that is the word at the cursor; nil
  /// without a group.
  private static func openGroup(_ words: [Word], _ last: PartialWord) -> Int? {
    if !last.startsQuoted, last.raw.first == "(" { return words.count }
    guard let opening = words.lastIndex(where: { !$0.startsQuoted && $0.text.hasPrefix("(") }) else { return nil }
    let isClosed = words[opening...].contains { !$0.startsQuoted && $0.text.hasSuffix(")") }
    return isClosed ? nil : opening
  }
}

extension Completer {
  /// Notes the variables that an earlier statement of the typed block will set.
  mutating func bind(_ statement: String) {
    guard let words = try? LineLexer.words(in: statement), words.count > 1 else { return }
    let name = words[1].text
    switch StatementKeyword(rawValue: words[0].text) {
    case .set? where name.hasPrefix("@"): known.variables[String(name.dropFirst())] = []
    case .for?, .capture?:
      // As if the cursor were at the end of the command.
      var inner = words
      if let last = inner.last, words[0].text == StatementKeyword.for.rawValue, last.text.hasSuffix(")") {
        inner.removeLast()
      }
      let place = commandPlace(StatementPlace(inner, PartialWord(raw: "", start: 0)))
      let fields = resource(place.target)?.fields.map(\.name) ?? []
      known.variables[name] = (fields.contains("id") ? fields : ["id"] + fields) + ["count"]
    default: break
    }
  }

  /// The continuations of a reference to a variable at the cursor; nil if there is none.
  func completeReference(_ word: PartialWord) -> CommandCompletion? {
    guard let open = OpenReference(word) else { return nil }
    let found: [Proposal]
    if let name = open.name {
      let members =
        switch name {
        case "env": known.environment
        case "error": ["backend", "code", "effect", "exit", "httpStatus", "id", "message", "resource"]
        default: known.variables[name] ?? []
        }
      found = members.filter(VariableReference.isName).map { Proposal($0) }
    } else {
      found =
        known.variables.keys.sorted().map { name in
          Proposal(name, suffix: known.variables[name]?.isEmpty == false ? "" : nil)
        } + [Proposal("env", "the environment", suffix: "."), Proposal("error", "the last failure", suffix: "")]
    }
    let end = open.isBraced ? "}" : ""
    let candidates = found.filter { $0.text.hasPrefix(open.typed) }.map { proposal in
      CommandCompletion.Candidate(text: proposal.text, suffix: proposal.suffix ?? end, note: proposal.note)
    }
    return CommandCompletion(start: word.start + open.index, candidates: candidates)
  }
}

/// An unfinished reference to a variable at the end of a word.
private struct OpenReference {
  /// The start of the typed part, in scalars of the word as written.
  let index: Int
  let typed: String
  /// The variable whose member is being typed; nil while its own name is.
  let name: String?
  let isBraced: Bool

  init?(_ word: PartialWord) {
    guard let dollar = word.dollar else { return nil }
    let raw = word.raw
    let rest = raw.unicodeScalars.dropFirst(dollar + 1)
    isBraced = rest.first == "{"
    let body = String(String.UnicodeScalarView(isBraced ? rest.dropFirst() : rest))
    let dot = body.lastIndex(of: ".")
    typed = dot.map { String(body[body.index(after: $0)...]) } ?? body
    // For elements and deeper members, the members of the variable itself are offered.
    name = dot.map { String(body[..<$0].prefix { $0 != "[" && $0 != "." }) }
    guard typed.utf8.allSatisfy(VariableReference.isNameByte) else { return nil }
    if let name, !VariableReference.isName(name) { return nil }
    index = raw.unicodeScalars.count - typed.unicodeScalars.count
  }
}
