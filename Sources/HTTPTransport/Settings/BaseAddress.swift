import BackendKit

/// The address that every request's path is joined to.
struct BaseAddress: Sendable, Hashable {
  /// Why a text is no base address.
  struct Fault: Error {
    let reason: String
    let isSecret: Bool

    init(_ reason: String, isSecret: Bool = false) {
      self.reason = reason
      self.isSecret = isSecret
    }
  }

  /// Scheme, host and port.
  let origin: Origin
  /// The path as it is sent: empty, or with a leading and without a trailing slash.
  let prefix: String
  /// Origin and path, joined once.
  private let text: String

  /// The address in a text; throws `misconfigured` with what is wrong.
  init(_ text: String) throws(BackendError) {
    do {
      var rest = text[...]
      origin = try Origin(&rest)
      prefix = try BaseAddress.prefix(rest)
      self.text = "\(origin)\(prefix)"
    } catch {
      throw BackendError(
        .misconfigured, "the address\(error.isSecret ? "" : " \"\(text)\"") cannot be used: \(error.reason)",
        effect: .notSent,
        hint: error.isSecret ? "give them as credentials" : "write it like https://example.org/api")
    }
  }

  private static func prefix(_ text: Substring) throws(Fault) -> String {
    var path = text
    while path.last == "/" { path = path.dropLast() }
    if path.isEmpty { return "" }
    guard !path.contains("?"), !path.contains("#") else { throw Fault("it must not hold a query or a fragment") }
    guard path.utf8.allSatisfy(isPathByte), hasWholeEscapes(path) else {
      throw Fault("its path holds a character that must be percent-encoded")
    }
    for part in path.dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
      if part.isEmpty { throw Fault("its path holds a doubled slash") }
      if part == "." || part == ".." { throw Fault("its path holds the part \"\(part)\"") }
    }
    return String(path)
  }

  private static func isPathByte(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    default: "-._~!$&'()*+,;=:@/%".utf8.contains(byte)
    }
  }

  private static func hasWholeEscapes(_ path: Substring) -> Bool {
    path.split(separator: "%", omittingEmptySubsequences: false).dropFirst()
      .allSatisfy { $0.count >= 2 && $0.prefix(2).allSatisfy(\.isHexDigit) }
  }

  /// The address of a path and a query below this one, or of a link that a response has named; throws `misconfigured` for one to
  /// another server.
  func address(of request: HTTPRequest) throws(BackendError) -> String {
    if let link = request.link { return try address(of: link, with: request.query) }
    var address = text
    if !request.path.segments.isEmpty {
      address += "/"
      address += request.path.description
    } else if prefix.isEmpty || request.path.isBaseWithSlash {
      address += "/"
    }
    if !request.query.isEmpty {
      address += "?"
      address += PercentEncoding.form(request.query)
    }
    return address
  }

  /// The address of a link, with parameters in the place of its own of the same name.
  private func address(of link: String, with query: [(String, String)]) throws(BackendError) -> String {
    guard let (other, target) = Redirect.resolve(link, against: text + "/", origin) else {
      throw BackendError(
        .badResponse, "the server leads to an address that is not valid", effect: .rejected)
    }
    guard other == origin else {
      throw BackendError(
        .misconfigured, "the server leads to another server, \(other), which is not followed", effect: .rejected,
        hint: "check the backend's address: it may have to be the one that the server has for itself")
    }
    guard !query.isEmpty else { return "\(other)\(target)" }
    let names = Set(query.map(\.0))
    let path = target.prefix { $0 != "?" }
    let kept = target.dropFirst(path.count + 1).split(separator: "&").filter { part in
      let name = part.prefix { $0 != "=" }
      return !names.contains(PercentEncoding.decoded(name) ?? String(name))
    }
    return "\(other)\(path)?" + (kept.map(String.init) + [PercentEncoding.form(query)]).joined(separator: "&")
  }
}
