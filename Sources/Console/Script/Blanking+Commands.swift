import BackendKit
import CommandLanguage
public import ConsoleSetup

/// Secrets in commands.
///
/// Secrets are: a value under a secret name (`password=x`, `api.token:=x`, `token>x`, `password~x`, `--where "token =
/// 'x'"`, `--native "access_token=x"`, `set baasic.apiKey x`, `--token x`); a password after `login`, which takes none,
/// but users type one; a header with credentials; a password in an address; and every known secret. The name of a file
/// or variable that has a secret is not one, nor is the request for a field by such a name.
extension Blanking {
  /// Returns whether any row of a line has a secret, so that it must not be kept.
  public func carriesSecret(_ line: String) -> Bool {
    TypedText(line).statements.contains { statement in
      let words = Self.words(of: statement)
      return !secrets(in: words).isEmpty || words.contains { text($0.text) != $0.text }
    } || text(line) != line
  }

  /// A line in the form to keep: only the first word if it has a secret.
  func line(_ line: String) -> String {
    guard carriesSecret(line) else { return line }
    let verb = line.split(whereSeparator: \.isWhitespace).first.map(String.init) ?? ""
    return carriesSecret(verb) ? Self.mark : "\(verb) \(Self.mark)"
  }

  /// Returns whether a statement compares with a secret, so that the value it found is also a secret.
  func comparesSecret(_ statement: String) -> Bool { !secrets(of: statement).isEmpty }

  /// A text that may quote a command, without the command's secrets.
  func text(_ text: String, quoting command: String) -> String { self.text(text, without: secrets(of: command)) }

  /// A text that may quote words, without their secrets.
  func text(_ text: String, quoting words: [Word]) -> String { self.text(text, without: secrets(in: words)) }

  private func secrets(of command: String) -> [String] {
    TypedText(command).statements.flatMap { secrets(in: Self.words(of: $0)) }
  }

  private static func words(of statement: String) -> [Word] {
    (try? LineLexer.words(in: statement))
      ?? statement.split(separator: " ").map { Word(text: String($0), isQuoted: false, column: 1) }
  }

  /// The secrets in the words of a command, as written, and the parts that messages quote.
  private func secrets(in words: [Word]) -> [String] {
    secrets(of: words[...])
      + secrets(in: words.map { $0.text.isEmpty ? $0.references.first?.shown ?? "" : $0.text })
  }

  /// Returns the command at the beginning of words and its reading of the others; nil if it is unknown.
  private func reading(_ words: ArraySlice<Word>) -> (command: Command, words: CommandReading)? {
    guard let (command, read) = CommandTable.reading(words) else { return nil }
    let bound = read.bound { kind, word in
      kind != .backend || backends.contains(word.text) || BackendConfiguration.adHoc(word.text) != nil
    }
    return (command, bound)
  }

  /// The configured backends that a line may use and whose descriptions were not read yet.
  public func undescribed(in line: String) -> Set<String> {
    let named = TypedText(line).statements.flatMap { statement in
      // No single row of the command table reads the commands of a block.
      statement.contains(where: \.isNewline)
        ? Self.parts(of: statement) : backendNames(in: Self.words(of: statement)[...])
    }
    return Set(named).intersection(backends).filter { !isDescribed($0) }
  }

  /// Returns the words that may name backends: backends and targets by the command's row, and words without a kind.
  private func backendNames(in words: ArraySlice<Word>) -> [String] {
    guard let (_, read) = reading(words) else { return words.flatMap { Self.parts(of: $0.text) } }
    let values = read.options.compactMap { option in option.value.map { (word: $0, kind: option.syntax.value) } }
    let found = (read.arguments + values).flatMap { word, kind -> [String] in
      switch kind {
      case .target, .backend: [String(word.text.prefix { $0 != "/" })]
      case nil, .line, .group, .condition: Self.parts(of: word.text)
      default: []
      }
    }
    return found + (read.line.map(backendNames(in:)) ?? [])
  }

  private static func parts(of text: String) -> [String] {
    text.split { $0.isWhitespace || "/'\"(){}|;,".contains($0) }.map(String.init)
  }

  /// The secrets that follow from the command's row: words after the arguments of a login, and the value of a setting
  /// with a secret name.
  private func secrets(of words: ArraySlice<Word>) -> [String] {
    // Most commands have no such word, and need not be read.
    guard words.first.flatMap({ CommandTable.command(spelled: $0.text) })?.mayNameSecret == true,
      let (command, read) = reading(words)
    else { return [] }
    let found = read.arguments.flatMap { word, kind in
      switch kind {
      case nil where command.effects.contains(.takesSecret): [word.text]
      case .settingValue(let name?) where names.contains(name): NamedSecrets.parts(of: word.text[...])
      default: [String]()
      }
    }
    return found + (read.line.map(secrets(of:)) ?? [])
  }

  private func secrets(in words: [String]) -> [String] {
    var found: [String] = []
    var hasRest = false
    for (index, word) in words.enumerated() {
      let next = words.indices.contains(index + 1) ? words[index + 1] : nil
      found += NamedSecrets.all(in: word, names)
      if let password = Self.passwordOfAddress(word) { found.append(password) }
      guard let next else { continue }
      // `expect $last.pin = 1234`: a comparison of separate words.
      if words.indices.contains(index + 2), names.contains(word.drop { $0 == "$" }), NamedSecrets.compares(next) {
        found += NamedSecrets.parts(of: words[index + 2][...])
      }
      let isDashed = word.hasPrefix("--") || word.unicodeScalars.first?.isDashLookAlike == true
      let isOption = isDashed && !word.contains("=") && !word.hasSuffix("-file") && names.contains(word)
      if isOption && !next.hasPrefix("--") { found += NamedSecrets.parts(of: next[...]) }
      let text = word.lowercased()
      if ["bearer", "basic"].contains(text) { found.append(next) }
      if !hasRest, text.last == ":", names.contains(text.dropLast()) {
        found += words[(index + 1)...]
        hasRest = true
      }
    }
    return found
  }

  /// `http://user:password@host`.
  private static func passwordOfAddress(_ word: String) -> String? {
    guard let start = word.firstRange(ofText: "://") else { return nil }
    let authority = word[start.upperBound...].prefix { $0 != "/" }
    guard let at = authority.lastIndex(of: "@"), let colon = authority[..<at].firstIndex(of: ":") else { return nil }
    return String(authority[authority.index(after: colon)..<at])
  }
}
