import BackendKit
import BackendTransport

extension BackendConfiguration {
  /// What keeps its connection from being safe, in a word or two; nil where nothing does. `isLoggedIn`: whether requests carry
  /// the token of a login.
  func connectionMark(isLoggedIn: Bool) -> String? {
    guard let origin = try? WebAddress(url).origin, !origin.isLoopback else { return nil }
    if origin.isSecure { return tls?.insecure == true ? "server not verified" : nil }
    return isLoggedIn || sendsSecrets ? "not encrypted" : nil
  }

  /// Whether its requests carry secrets that the configuration gives.
  private var sendsSecrets: Bool {
    let names = SecretNames(secretNames)
    return credentials != nil || !secretReferences.isEmpty
      || headers.contains { names.contains($0.name) } || options.names.contains { names.contains($0) }
  }
}
