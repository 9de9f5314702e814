public import BackendKit

/// A login that the document of a service describes. The document is untrusted: whoever uses the login has to agree to
/// every server that would get credentials.
public struct DocumentedLogin: Sendable, Hashable {
  /// The login as a configuration has it: `{"kind": "key", "header": "X-Api-Key"}`.
  public private(set) var written: Object
  /// The same, as it is carried out.
  public let scheme: LoginScheme
  /// The server that gives tokens, if it is named by an address.
  public let tokenServer: Origin?

  /// A login in its written form; nil if that is not valid.
  public init?(_ written: Object) {
    let address: WebAddress?
    do {
      scheme = try LoginScheme(reading: .object(written))
      // A path has to be one from the root of the service.
      let text = written["tokenURL"]?.text
      address = try text.map { try WebAddress($0.hasPrefix("/") ? "http://localhost\($0)" : $0) }
      tokenServer = text?.hasPrefix("/") == false ? address?.origin : nil
    } catch { return nil }
    // A configuration would refuse the others too.
    if case .oauth2(let oauth2) = scheme.kind,
      oauth2.namedServers.contains(where: { (try? WebAddress($0.address)) == nil })
    {
      return nil
    }
    self.written = written
  }

  /// The login for a service at an origin: what is at the same origin is named by its path.
  public func at(_ origin: Origin) -> DocumentedLogin {
    guard let tokenServer, origin.isOwn(tokenServer), let path = written["tokenURL"]?.text.flatMap(Link.rootPath) else {
      return self
    }
    var written = written
    written["tokenURL"] = .string(path)
    return DocumentedLogin(written) ?? self
  }
}
