import BackendKit
import BackendTransport

extension BackendConfiguration {
  /// Returns the reason why its connection is not safe, in a word or two; nil if it is safe. `isLoggedIn`: true if
  /// requests carry the token of a login.
  package func connectionMark(isLoggedIn: Bool) -> String? {
    guard let origin = try? WebAddress(url).origin, !origin.isLoopback else { return nil }
    if origin.isSecure { return tls?.insecure == true ? "server not verified" : nil }
    return isLoggedIn || sendsSecrets ? "not encrypted" : nil
  }

  /// True if its requests carry secrets from the configuration.
  private var sendsSecrets: Bool {
    let names = SecretNames(secretNames)
    return credentials != nil || !secretReferences.isEmpty
      || headers.contains { names.contains($0.name) } || options.names.contains { names.contains($0) }
  }
}
