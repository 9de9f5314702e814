package import BackendKit

/// The base address of requests.
extension WebAddress {
  /// The address in a configuration. Throws `misconfigured` if it is invalid.
  package init(configured text: String) throws(BackendError) {
    do throws(Fault) { try self.init(text) } catch {
      throw .misconfigured(
        error.isSecret ? error.reason : "cannot use \"\(text)\": \(error.reason)",
        hint: error.isSecret
          ? "give them as credentials" : "write it like https://example.org/api or unix:///run/service.sock")
    }
  }

  /// The address of a path and query below this one, or of a link in a response. A link to the request's own path at
  /// another server is taken as one to this server: behind a proxy, services may write their inner addresses. Throws
  /// `misconfigured` for any other link to another server.
  package func address(of request: HTTPRequest) throws(BackendError) -> String {
    if let link = request.link { return try address(of: link, of: request) }
    var address = plainAddress(of: request)
    if !request.query.isEmpty {
      address += "?"
      address += PercentEncoding.form(request.query)
    }
    return address
  }

  /// The address of the path of a request.
  private func plainAddress(of request: HTTPRequest) -> String {
    var address = description
    if !request.path.segments.isEmpty {
      address += "/"
      address += request.path.description
    } else if path.isEmpty || request.path.isBaseWithSlash {
      address += "/"
    }
    return address
  }

  /// The address of a link, with the parameters of the request replacing its own of the same names.
  private func address(of link: String, of request: HTTPRequest) throws(BackendError) -> String {
    let query = request.query
    guard let (other, target) = Redirect.resolve(link, against: description + "/", origin) else {
      throw .badResponse("the server links to an invalid address")
    }
    let isOwnPath = origin.socket == nil && origin.address + target.prefix { $0 != "?" } == plainAddress(of: request)
    guard origin.isOwn(other) || isOwnPath else {
      throw BackendError(
        .misconfigured, "the server links to another host, \(other); not followed", effect: .rejected,
        hint: "check the backend's address: it may have to match the one that the server uses for itself")
    }
    guard !query.isEmpty else { return origin.address + target }
    let names = Set(query.map(\.0))
    let bare = target.prefix { $0 != "?" }
    let kept = target.dropFirst(bare.count + 1).split(separator: "&").filter { part in
      let name = part.prefix { $0 != "=" }
      return !names.contains(PercentEncoding.decoded(name) ?? String(name))
    }
    return "\(origin.address)\(bare)?" + (kept.map(String.init) + [PercentEncoding.form(query)]).joined(separator: "&")
  }
}
