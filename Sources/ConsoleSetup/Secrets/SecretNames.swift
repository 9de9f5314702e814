import BackendKit

/// The names under which every value is a secret.
package struct SecretNames: Sendable, Hashable {
  // Compared without "-" and "_": api-key, api_key and apiKey are equal.
  private static let telling = [
    "password", "passwd", "passphrase", "secret", "token", "apikey", "privatekey", "accesskey", "credential",
    "authorization",
  ]
  /// Names that OpenAPI, RFC 8414 and configurations give to the address of an endpoint.
  private static let addresses: Set<String> = [
    "tokenurl", "tokenendpoint", "authorizationurl", "authorizationendpoint", "deviceauthorizationurl",
    "deviceauthorizationendpoint",
  ]
  /// The endings with which parameters of conditions append a comparison to a name: `pin_gte`.
  private static let comparisons: Set<Substring> = ["like", "ne", "gt", "gte", "lt", "lte", "in", "contains", "eq"]
  /// The minimum length, in bytes, of a secret that is searched for in texts: shorter ones would cause false matches.
  package static let minimumLength = 4
  /// The minimum for values that were read or sent under a secret name: shorter ones, such as a year, would match
  /// unrelated texts, and are blanked by name only.
  static let minimumLengthOfValues = 8

  /// The reason why values under a name are secrets.
  package enum Reason: Sendable, Hashable {
    /// A configuration lists it, or a description declares it.
    case declared
    /// It looks like one; a service may use such a name in a response for anything.
    case telling
  }

  /// The names that a configuration lists or a description declares.
  private var declared: Set<String>

  /// The telling names, and those that a configuration lists.
  init(_ declared: [String] = []) { self.declared = Set(declared.map { $0.lowercased() }) }

  /// Adds names; returns false if all were present.
  mutating func insert(_ names: [String]) -> Bool {
    let count = declared.count
    declared.formUnion(names.map { $0.lowercased() })
    return declared.count > count
  }

  /// Returns whether a value under a name is a secret. A dotted name belongs to a part, and a parameter may append to
  /// it: `filter[pin]`, `pin__gt`.
  package func contains(_ name: some StringProtocol) -> Bool { reason(for: name) != nil }

  /// Returns the reason why values under a name are secrets; nil if they are not.
  func reason(for name: some StringProtocol) -> Reason? {
    let mayTell = Self.mayTell(name)
    if declared.isEmpty, !mayTell { return nil }
    let name = name.lowercased()
    if declared.contains(name) { return .declared }
    // A name without these signs is its only part.
    let hasParts = name.utf8.contains { "_.[]:".utf8.contains($0) }
    guard mayTell || hasParts else { return nil }
    let parts = name.split { ".[]:".contains($0) }
    if !declared.isEmpty, hasParts, parts.contains(where: isDeclared) { return .declared }
    guard mayTell else { return nil }
    let plain = (parts.last ?? "").filter { $0 != "-" && $0 != "_" }
    if Self.addresses.contains(plain) { return nil }
    return plain == "pwd" || Self.telling.contains { plain.contains(text: $0) } ? .telling : nil
  }

  /// The set of letters of each telling name, as bits from "a".
  private static let letters = (telling + ["pwd"]).map { $0.utf8.reduce(UInt32(0)) { $0 | 1 << UInt32($1 - 97) } }

  /// Returns false for names without the letters of any telling one, which are nearly all: every word of a command is
  /// tested.
  private static func mayTell(_ name: some StringProtocol) -> Bool {
    var found: UInt32 = 0
    for byte in name.utf8 {
      // Lowercase forms of other letters may be among a to z.
      if byte >= 128 { return true }
      let letter = byte | 32
      if (97...122).contains(letter) { found |= 1 << UInt32(letter - 97) }
    }
    return letters.contains { $0 & found == $0 }
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
