import BackendKit
import ConsoleSetup

extension Targets {
  /// The user that requests to a backend are sent as, known without a request: of a login, or of the configuration.
  func user(_ configuration: BackendConfiguration, _ environment: [String: String]) -> String? {
    if let user = activeLogin(configuration)?.user { return user }
    guard configuration.isTrusted, let credentials = configuration.credentials,
      let name = credentials[.username] ?? credentials[.clientID], configuration.login?.isByPerson != true
    else { return nil }
    return try? name.resolve(environment: environment, place: configuration.place())
  }

  /// The login at an open backend, or one left by an earlier run.
  func activeLogin(_ configuration: BackendConfiguration) -> ActiveLogin? {
    guard
      isOpen(configuration.name) || configuration.isTrusted && connector.keepsLogin(of: configuration)
    else {
      return nil
    }
    return try? open(configuration.name).connection.activeLogin
  }

  /// Returns the reason why the connection to a backend is not safe, in one or two words; nil if it is safe.
  func connectionMark(_ configuration: BackendConfiguration) -> String? {
    configuration.connectionMark(isLoggedIn: activeLogin(configuration) != nil)
  }
}
