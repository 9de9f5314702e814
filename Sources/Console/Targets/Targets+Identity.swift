import BackendKit
import ConsoleSetup

extension Targets {
  /// As whom requests to a backend are sent, as far as that is known without asking it: the user of a login, or of the
  /// configuration.
  func user(_ configuration: BackendConfiguration, _ environment: [String: String]) -> String? {
    if let user = activeLogin(configuration)?.user { return user }
    guard configuration.isTrusted, let credentials = configuration.credentials,
      let name = credentials[.username] ?? credentials[.clientID]
    else { return nil }
    return try? name.resolve(environment: environment, place: configuration.place())
  }

  /// The login at a backend that is in use, or that an earlier run has left.
  func activeLogin(_ configuration: BackendConfiguration) -> ActiveLogin? {
    guard
      isOpen(configuration.name) || configuration.isTrusted && connector.keepsLogin(of: configuration)
    else {
      return nil
    }
    return try? open(configuration.name).connection.activeLogin
  }

  /// Returns the reason why the connection to a backend is not safe, in a word or two; nil if it is safe.
  func connectionMark(_ configuration: BackendConfiguration) -> String? {
    configuration.connectionMark(isLoggedIn: activeLogin(configuration) != nil)
  }
}
