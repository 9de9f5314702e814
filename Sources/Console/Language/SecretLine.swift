/// Whether a line carries a secret, so that it is not to be kept.
///
/// What counts: a field, option or setting whose name says that it is a password, token, key or the like, with a value
/// (`password=x`, `api.token:=x`, `set baasic.apiKey x`, `--token x`); a name and a password after `login`, which takes no
/// password there, but people type one; a header with credentials; a password within an address. The name of a file or
/// variable that holds a secret is none, nor is asking for a field by such a name.
public enum SecretLine {
  private static let names = [
    "password", "passwd", "passphrase", "secret", "token", "apikey", "api-key", "api_key", "privatekey", "credential",
    "authorization",
  ]
  private static let credentials = ["bearer", "basic"]

  /// Whether a line, or any row of it, carries one.
  public static func carriesSecret(_ line: String) -> Bool {
    TypedText(line).statements.contains { statement in
      let words = (try? Tokenizer.words(in: statement))?.map(\.text) ?? statement.split(separator: " ").map(String.init)
      return carriesSecret(words)
    }
  }

  private static func carriesSecret(_ words: [String]) -> Bool {
    if words.first == "login", logsInWithPassword(words.dropFirst()) { return true }
    for (place, word) in words.enumerated() {
      let next = words.indices.contains(place + 1) ? words[place + 1] : nil
      if isAssignment(word) || isAddressWithPassword(word) || isHeader(word, next) { return true }
      if let next, !next.hasPrefix("--"), isSecretOption(word) || (place == 1 && words[0] == "set" && isSecret(word)) {
        return true
      }
    }
    return false
  }

  /// Whether more follows than a backend and a user.
  private static func logsInWithPassword(_ words: ArraySlice<String>) -> Bool {
    var rest = Array(words)
    if let option = rest.firstIndex(of: "--password-file") { rest.removeSubrange(option..<min(option + 2, rest.count)) }
    return rest.count { !$0.hasPrefix("-") } > 2
  }

  /// `NAME=VALUE` and `NAME:=VALUE`; a file's name after `@` is no secret.
  private static func isAssignment(_ word: String) -> Bool {
    guard let equals = word.firstIndex(of: "=") else { return false }
    let name = word[..<equals].drop { $0 == "-" }
    let value = word[word.index(after: equals)...]
    if value.isEmpty || value.first == "@" || name.hasSuffix("-file") { return false }
    return isSecret(String(name)) || (name.last == ":" && isSecretJSON(value))
  }

  /// A secret as a member of an object: `"password": "x"`.
  private static func isSecretJSON(_ value: Substring) -> Bool {
    let text = value.lowercased()
    return names.contains { text.contains("\($0)\"") }
  }

  private static func isSecretOption(_ word: String) -> Bool {
    word.hasPrefix("--") && !word.contains("=") && !word.hasSuffix("-file") && isSecret(word)
  }

  /// Whether a name says that what stands under it is a secret.
  static func isSecretName(_ name: String) -> Bool { isSecret(name) }

  /// Whether the last part of a name says so.
  private static func isSecret(_ name: String) -> Bool {
    let last = name.lowercased().split(separator: ".").last ?? ""
    return names.contains { last.contains($0) }
  }

  /// `http://user:password@host`.
  private static func isAddressWithPassword(_ word: String) -> Bool {
    guard let start = word.firstRange(of: "://") else { return false }
    let authority = word[start.upperBound...].prefix { $0 != "/" }
    guard let at = authority.lastIndex(of: "@") else { return false }
    return authority[..<at].contains(":")
  }

  /// `Authorization: Bearer x`, in one word or several.
  private static func isHeader(_ word: String, _ next: String?) -> Bool {
    let text = word.lowercased()
    if let colon = text.firstIndex(of: ":"), !text[colon...].hasPrefix(":="), !text.contains("://") {
      let value = text[text.index(after: colon)...]
      if isSecret(String(text[..<colon])), !value.isEmpty || next != nil { return true }
    }
    return next != nil && credentials.contains(text)
  }
}
