import BackendKit

/// The handling of redirects. Reads follow them within the origin. A write is never redirected: its response is
/// returned like any other. A redirected login is refused.
enum Redirect {
  /// The maximum number of redirects for one request.
  static let most = 5

  /// Returns the address to which a redirect leads the request; nil if the request may write. Throws if the redirect
  /// must not be followed.
  static func target(
    of answer: HTTPResponse, to address: String, _ request: HTTPRequest, _ origin: Origin, _ count: Int
  ) throws(BackendError) -> String? {
    guard !request.mayWrite, let location = answer.header("Location") else { return nil }
    func refuse(_ message: String, _ code: BackendError.Code, _ hint: String?) -> BackendError {
      BackendError(code, message, effect: .rejected, hint: hint, httpStatus: answer.status)
    }
    guard let (other, path) = resolve(location, against: address, origin) else {
      throw refuse("\(origin) redirects to an invalid address", .badResponse, nil)
    }
    guard request.effect == .read else {
      throw refuse(
        "\(origin) redirects \(request.method) to \(other.address)\(path.prefix { $0 != "?" }), but redirects are not followed for logins",
        .misconfigured, "set the address that it redirects to")
    }
    guard origin.isOwn(other) else {
      throw refuse(
        "\(origin) redirects to another server, \(other.address)\(path.prefix { $0 != "?" })", .misconfigured,
        "set that address if it is the right one")
    }
    guard count < most else {
      throw refuse("\(origin) redirects more than \(most) times, last to \(other.address)\(path)", .badResponse, nil)
    }
    return origin.address + path
  }

  /// The origin, and path with query, of a `Location`.
  static func resolve(_ location: String, against address: String, _ origin: Origin) -> (Origin, String)? {
    // A line end or another control character would end up in the next request and on the terminal.
    guard location.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return nil }
    let text = location.prefix { $0 != "#" }
    let scheme = text.prefix { !":/?".contains($0) }
    if text.dropFirst(scheme.count).first == ":" { return absolute(text) }
    if text.hasPrefix("//") { return absolute((origin.isSecure ? "https:" : "http:") + text) }
    var base = address[...]
    guard (try? Origin(takenFrom: &base)) != nil else { return nil }
    if text.isEmpty { return (origin, String(base)) }
    let path = base.prefix { $0 != "?" }
    if text.hasPrefix("/") { return (origin, normal(text)) }
    if text.hasPrefix("?") { return (origin, "\(path)\(text)") }
    let folder = path.lastIndex(of: "/").map { path[...$0] } ?? "/"
    return (origin, normal("\(folder)\(text)"))
  }

  private static func absolute(_ text: some StringProtocol) -> (Origin, String)? {
    var rest = Substring(text)
    guard let origin = try? Origin(takenFrom: &rest) else { return nil }
    return (origin, rest.hasPrefix("/") ? normal(rest) : "/\(rest)")
  }

  /// A path with `.` and `..` resolved.
  private static func normal(_ text: Substring) -> String {
    let path = text.prefix { $0 != "?" }
    var parts: [Substring] = []
    let all = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
    for (place, part) in all.enumerated() {
      if part == ".." { _ = parts.popLast() }
      if part != "." && part != ".." {
        parts.append(part)
      } else if place == all.count - 1 {
        parts.append("")
      }
    }
    return "/" + parts.joined(separator: "/") + text[path.endIndex...]
  }
}
