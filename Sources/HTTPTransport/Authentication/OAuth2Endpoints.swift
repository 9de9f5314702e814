import BackendKit
import BackendTransport
import Synchronization

/// The endpoints of an OAuth 2 server: those of the login, and those that its issuer publishes (RFC 8414, OpenID Connect
/// Discovery), which are read when first needed, and then kept.
final class OAuth2Endpoints: Sendable {
  enum Name: String, CaseIterable {
    case token, revocation, authorization
    case device = "device_authorization"
  }

  private let oauth2: LoginScheme.OAuth2
  private let wire: RequestSender
  private let environment: ProxyEnvironment
  private let known = Mutex<[Name: OAuth2Endpoint]>([:])
  private let published = Mutex<Object?>(nil)

  /// Throws `misconfigured` if an address of the login is invalid.
  init(_ oauth2: LoginScheme.OAuth2, _ wire: RequestSender, environment: ProxyEnvironment) throws(BackendError) {
    (self.oauth2, self.wire, self.environment) = (oauth2, wire, environment)
    for name in Name.allCases where name != .authorization {
      guard let address = configured(name) else { continue }
      let endpoint = try endpoint(at: address)
      known.withLock { $0[name] = endpoint }
    }
  }

  /// The endpoint; nil if neither the login nor the issuer names it.
  func endpoint(_ name: Name) async throws(BackendError) -> OAuth2Endpoint? {
    if let endpoint = known.withLock({ $0[name] }) { return endpoint }
    guard let address = try await publishedAddress(name) else { return nil }
    let endpoint = try endpoint(at: address)
    known.withLock { $0[name] = endpoint }
    return endpoint
  }

  /// The endpoint; throws if there is none.
  func required(_ name: Name) async throws(BackendError) -> OAuth2Endpoint {
    guard let endpoint = try await endpoint(name) else { throw missing(name) }
    return endpoint
  }

  /// The address that a browser opens, with these parameters.
  func authorizationAddress(_ parameters: [(String, String)]) async throws(BackendError) -> String {
    var found = try configured(.authorization).map { text throws(BackendError) in try settings(of: text).address }
    if found == nil { found = try await publishedAddress(.authorization) }
    guard let address = found else { throw missing(.authorization) }
    return address + (address.contains("?") ? "&" : "?") + PercentEncoding.form(parameters)
  }

  /// Returns whether the parameter `iss` of a redirect may be this server's (RFC 9207), so that no other server's code
  /// is sent to it.
  func isIssuer(_ text: String?) -> Bool {
    guard let issuer = oauth2.issuer else { return true }
    if let text { return text == issuer }
    return published.withLock { $0?["authorization_response_iss_parameter_supported"] } != .bool(true)
  }

  private func configured(_ name: Name) -> String? {
    switch name {
    case .token: oauth2.tokenURL
    case .revocation: oauth2.revocationURL
    case .authorization: oauth2.authorizationURL
    case .device: oauth2.deviceURL
    }
  }

  private func missing(_ name: Name) -> BackendError {
    let key = "\(name)URL"
    return BackendError(
      .misconfigured, "\(oauth2.issuer ?? "the login") names no \(name) endpoint", effect: .notSent,
      hint: "write \"\(key)\" into the login")
  }

  private func endpoint(at address: String) throws(BackendError) -> OAuth2Endpoint {
    let sender = try RequestSender(settings(of: address), environment: environment)
    return OAuth2Endpoint(
      sender: sender, path: address.hasSuffix("/") ? RequestPath.base.ending(in: "/") : .base, oauth2: oauth2)
  }

  /// The settings for requests to an endpoint. Data configured for the backend's server is sent to no other server.
  private func settings(of endpoint: String) throws(BackendError) -> TransportSettings {
    var settings = wire.settings
    guard endpoint.contains(text: "://") else {
      settings.address = endpoint.hasPrefix("/") ? "\(wire.base.origin.address)\(endpoint)" : "\(wire.base)/\(endpoint)"
      return settings
    }
    settings.address = endpoint
    guard try WebAddress(configured: endpoint).origin != wire.base.origin else { return settings }
    settings.headers = []
    settings.tls = TLSSettings(ca: wire.settings.tls.ca)
    settings.tls.files = wire.settings.tls.files
    settings.usesProxy = true
    return settings
  }

  // MARK: The issuer

  /// An address that the issuer publishes; nil if it publishes none.
  private func publishedAddress(_ name: Name) async throws(BackendError) -> String? {
    guard let issuer = oauth2.issuer, let text = try await document(of: issuer)["\(name.rawValue)_endpoint"]?.text else {
      return nil
    }
    let plain = name == .authorization ? String(text.prefix { $0 != "?" }) : text
    let isSecure = try WebAddress(configured: issuer).origin.isSecure
    guard let origin = (try? WebAddress(plain))?.origin, isSecure ? origin.isSecure : origin.isPrivate,
      text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }), !text.contains("#")
    else {
      throw BackendError(
        .badResponse, "\(issuer) publishes an address of its \(name) endpoint that cannot be used", effect: .notSent,
        hint: "it has to be an https address; \"\(name)URL\" of the login overrides it")
    }
    return text
  }

  private func document(of issuer: String) async throws(BackendError) -> Object {
    if let document = published.withLock(\.self) { return document }
    let base = try WebAddress(configured: issuer)
    guard base.origin.isPrivate else {
      throw BackendError(
        .misconfigured, "the issuer \(issuer) is not an https address", effect: .notSent,
        hint: "without encryption anybody could name the servers that get the login")
    }
    var problem = "there is none at its usual places"
    // RFC 8414 puts the name before the path of the issuer, OpenID Connect after it.
    for path in ["/.well-known/oauth-authorization-server" + base.path, base.path + "/.well-known/openid-configuration"]
    {
      let sender = try RequestSender(settings(of: base.origin.address + path), environment: environment)
      let answer = try await sender.deliver(HTTPRequest("GET", .base, effect: .read), authorization: nil, following: .none)
      guard answer.status == 200 else {
        await RequestSender.pass(over: answer)
        continue
      }
      let bytes = try await answer.body.collect(limit: 1 << 18)
      guard let object = (try? JSONReader.read(bytes))?.object else { continue }
      if object["issuer"]?.text == issuer {
        published.withLock { $0 = object }
        return object
      }
      problem = "it is that of the issuer \(object["issuer"]?.text.map { "\"\($0.prefix(200))\"" } ?? "without a name")"
    }
    throw BackendError(
      .badResponse, "\(issuer) publishes no document of its endpoints: \(problem)", effect: .notSent,
      hint: "\"issuer\" has to be written as the server writes it; or name the endpoints in the login")
  }
}

/// An endpoint that takes forms from a client.
struct OAuth2Endpoint: Sendable {
  let sender: RequestSender
  fileprivate let path: RequestPath
  fileprivate let oauth2: LoginScheme.OAuth2

  /// Sends a form with the credentials of the client.
  func deliver(
    _ fields: [(String, String)], _ values: [LoginScheme.Credential: String]
  ) async throws(BackendError) -> HTTPResponse {
    var (request, client) = try oauth2.request(fields, client: values[.clientID], secret: values[.clientSecret])
    request.path = path
    return try await sender.deliver(request, authorization: client)
  }
}
