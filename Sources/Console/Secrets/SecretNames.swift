import BackendKit

/// Which names tell that what stands under them is a secret, whatever it is.
struct SecretNames: Sendable, Hashable {
  // Compared without "-" and "_": api-key, api_key and apiKey are one.
  private static let telling = [
    "password", "passwd", "passphrase", "secret", "token", "apikey", "privatekey", "accesskey", "credential",
    "authorization",
  ]

  private let configured: Set<String>

  /// The names that say so by themselves, and those that a configuration lists.
  init(_ configured: [String] = []) { self.configured = Set(configured.map { $0.lowercased() }) }

  /// Whether a name, or the last part of a dotted one, is of these.
  func contains(_ name: some StringProtocol) -> Bool {
    let name = name.lowercased()
    let last = name.split(separator: ".").last.map(String.init) ?? ""
    if configured.contains(name) || configured.contains(last) { return true }
    let plain = last.filter { $0 != "-" && $0 != "_" }
    return plain == "pwd" || Self.telling.contains { plain.contains(text: $0) }
  }
}
