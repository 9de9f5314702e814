import BackendKit

/// The names under which every value is a secret.
struct SecretNames: Sendable, Hashable {
  // Compared without "-" and "_": api-key, api_key and apiKey are one.
  private static let telling = [
    "password", "passwd", "passphrase", "secret", "token", "apikey", "privatekey", "accesskey", "credential",
    "authorization",
  ]
  /// The endings by which parameters of conditions add a comparison to a name: `pin_gte`.
  private static let comparisons: Set<Substring> = ["like", "ne", "gt", "gte", "lt", "lte", "in", "contains", "eq"]
  /// The least length, in bytes, of a secret that is looked for in texts: a shorter one would be found in words that hold none.
  static let minimumLength = 4
  /// The same for a value whose name only looks like that of a secret.
  static let minimumLengthOfTelling = 8

  /// The names that a configuration lists or a description declares.
  private var declared: Set<String>

  /// The names that say so by themselves, and those that a configuration lists.
  init(_ declared: [String] = []) { self.declared = Set(declared.map { $0.lowercased() }) }

  /// Adds names; false if all of them were there.
  mutating func insert(_ names: [String]) -> Bool {
    let count = declared.count
    declared.formUnion(names.map { $0.lowercased() })
    return declared.count > count
  }

  /// Whether a value under a name is a secret. A dotted name is one of a part, and a parameter may add more to it:
  /// `filter[pin]`, `pin__gt`.
  func contains(_ name: some StringProtocol) -> Bool { minimum(under: name) != nil }

  /// The least length, in bytes, of a value under a name that is looked for in all texts; nil if the name is no secret's.
  func minimum(under name: some StringProtocol) -> Int? {
    let name = name.lowercased()
    if declared.contains(name) { return Self.minimumLength }
    let parts = name.split { ".[]:".contains($0) }
    if !declared.isEmpty, parts.contains(where: isDeclared) { return Self.minimumLength }
    let plain = (parts.last ?? "").filter { $0 != "-" && $0 != "_" }
    return plain == "pwd" || Self.telling.contains { plain.contains(text: $0) } ? Self.minimumLengthOfTelling : nil
  }

  private func isDeclared(_ part: Substring) -> Bool {
    if declared.contains(String(part)) { return true }
    var name = part
    if let end = part.lastIndex(of: "_"), Self.comparisons.contains(part[part.index(after: end)...]) {
      name = part[..<end]
      while name.last == "_" { name.removeLast() }
    }
    return declared.contains(String(name)) || declared.contains { name.hasSuffix("__\($0)") }
  }
}
