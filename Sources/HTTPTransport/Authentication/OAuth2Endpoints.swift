import BackendKit
import BackendTransport
import Synchronization

/// The endpoints of an OAuth 2 server: those of the login, and those that its issuer publishes (RFC 8414, OpenID
/// Connect Discovery), which are read when first needed, and then kept.
final class OAuth2Endpoints: Sendable {
  enum Name: String {
    case token, revocation, authorization
    case device = "device_authorization"
  }

  private let oauth2: LoginScheme.OAuth2
  private let wire: RequestSender
  private let environment: ProxyEnvironment
  /// The addresses in the login.
  private let configured: [Name: String]
  private let published = Mutex<Object?>(nil)

  /// Throws `misconfigured` if an address of the login is invalid.
  init(_ oauth2: LoginScheme.OAuth2, _ wire: RequestSender, environment: ProxyEnvironment) throws(BackendError) {
    (self.oauth2, self.wire, self.environment) = (oauth2, wire, environment)
    let all: [Name: String?] = [
      .token: oauth2.tokenURL, .revocation: oauth2.revocationURL, .authorization: oauth2.authorizationURL,
      .device: oauth2.deviceURL,
    ]
    configured = all.compactMapValues(\.self)
    for address in configured.values { _ = try endpoint(at: address) }
  }

  /// The endpoint; nil if neither the login nor the issuer names it.
  func endpoint(_ name: Name) async throws(BackendError) -> OAuth2Endpoint? {
    if let address = configured[name] { return try endpoint(at: address) }
    return try await publishedAddress(name).map { address throws(BackendError) in try endpoint(at: address) }
  }

  /// The endpoint; throws if there is none.
  func required(_ name: Name) async throws(BackendError) -> OAuth2Endpoint {
    guard let endpoint = try await endpoint(name) else { throw missing(name) }
    return endpoint
  }

  /// The address that a browser opens, with these parameters.
  func authorizationAddress(_ parameters: [(String, String)]) async throws(BackendError) -> String {
    let given = try configured[.authorization].map { text throws(BackendError) in try settings(of: text).address }
    let published = given == nil ? try await publishedAddress(.authorization) : nil
    guard let address = given ?? published else { throw missing(.authorization) }
    return address + (address.contains("?") ? "&" : "?") + PercentEncoding.form(parameters)
  }

  /// Returns whether the parameter `iss` of a redirect may be this server's (RFC 9207), so that no other server's code
  /// is sent to it.
  func isIssuer(_ text: String?) -> Bool {
    guard let issuer = oauth2.issuer else { return true }
    if let text { return text == issuer }
    return published.withLock { $0?["authorization_response_iss_parameter_supported"] } != .bool(true)
  }

  private func missing(_ name: Name) -> BackendError {
    BackendError(
      .misconfigured, "\(oauth2.issuer ?? "the login") names no \(name) endpoint", effect: .notSent,
      hint: "write \"\(name)URL\" into the login")
  }

  private func endpoint(at address: String) throws(BackendError) -> OAuth2Endpoint {
    OAuth2Endpoint(
      sender: try RequestSender(settings(of: address), environment: environment),
      path: address.hasSuffix("/") ? RequestPath.base.ending(in: "/") : .base, oauth2: oauth2)
  }

  /// The settings for requests to an endpoint. Data configured for the backend's server is sent to no other server.
  private func settings(of endpoint: String) throws(BackendError) -> TransportSettings {
    var settings = wire.settings
    guard endpoint.contains(text: "://") else {
      settings.address =
        endpoint.hasPrefix("/") ? "\(wire.base.origin.address)\(endpoint)" : "\(wire.base)/\(endpoint)"
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
    guard let issuer = oauth2.issuer, let text = try await document(of: issuer)["\(name.rawValue)_endpoint"]?.text
    else {
      return nil
    }
    let isSecure = try WebAddress(configured: issuer).origin.isSecure
    guard let origin = WebAddress.shown(text)?.origin, origin.isSecure || !isSecure else {
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
      throw .misconfigured("the issuer \(issuer) is not an https address", hint: "write an https address")
    }
    var problem = "there is none at its usual places"
    // RFC 8414 puts the name before the path of the issuer, OpenID Connect after it.
    let usual = [
      "/.well-known/oauth-authorization-server\(base.path)", "\(base.path)/.well-known/openid-configuration",
    ]
    for path in usual {
      let answer = try await endpoint(at: base.origin.address + path).sender
        .deliver(HTTPRequest("GET", .base, effect: .read), authorization: nil, following: .none)
      let bytes = try await answer.body.collect(limit: 1 << 18)
      guard answer.status == 200, let object = (try? JSONReader.read(bytes))?.object else { continue }
      if object["issuer"]?.text == issuer {
        published.withLock { $0 = object }
        return object
      }
      problem = "it names the issuer \"\((object["issuer"]?.text ?? "").prefix(200))\""
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
    // A server may repeat what it refuses.
    if let client { sender.settings.keepSecret([client.text]) }
    return try await sender.deliver(request, authorization: client)
  }
}

extension WebAddress {
  /// An address in a server's document that a person or a client is sent to, without its query; nil if others could
  /// read or change what goes there.
  static func shown(_ text: String) -> WebAddress? {
    guard text.utf8.count <= 2000, text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }),
      let address = try? WebAddress(String(text.prefix { $0 != "?" && $0 != "#" })), address.origin.isPrivate
    else { return nil }
    return address
  }
}
