import BackendClient
import BackendKit

/// Decides which addresses may be read. Every read of a survey passes it, and every link that may lead to a list.
struct LinkGate {
  /// The maximum number of resources in a survey.
  static let most = 50

  enum Refusal: Hashable {
    /// A verb in the path or the query.
    case action
    /// Apparently a single record, or something below one.
    case record
    /// A path too long for a list.
    case length
    /// A path with segments such as `..`, or other than that of its request.
    case form
    /// Another server, or not an HTTP address.
    case server
    /// Missing from the existing document.
    case undocumented
    /// More than the maximum number of resources.
    case number

    var text: String {
      switch self {
      case .action: "a verb in the path or the query"
      case .record: "a single record, or below one: --follow reads these"
      case .length: "longer than \(SurveyText.name) characters"
      case .form: "not a plain path"
      case .server: "at another server"
      case .undocumented: "not in the document: --only PATH reads one"
      case .number: "more than \(LinkGate.most)"
      }
    }
  }

  private let origin: Origin?
  /// The maximum length of a request's path, in bytes.
  private static let longest = 1_000
  /// True to follow links to single records.
  private let follows: Bool
  /// The paths that the operator has named or agreed to.
  private(set) var given: [String]

  init(_ order: SurveyOrder) {
    follows = order.followsRecordLinks
    origin = order.origin
    given = [order.target] + [order.document].compactMap(\.self) + order.only.filter { $0.hasPrefix("/") }
  }

  mutating func give(_ path: String) { if !given.contains(path) { given.append(path) } }

  /// The reason not to read a target; nil if it may be read.
  func refusal(of target: ProbeTarget) -> Refusal? {
    guard !given.contains(target.sent) else { return nil }
    let path = Self.path(of: target.address)
    guard path.utf8.count <= Self.longest else { return .length }
    guard Self.isPlain(path) else { return .form }
    guard ActionWords.verb(in: target.sent, beyond: given) == nil || isVerbInIdentifier(target.sent) else {
      return .action
    }
    guard !target.hasItsShape else { return nil }
    if target.isNamed { return .form }
    return follows ? nil : .record
  }

  /// Returns whether a verb occurs only by chance in the hexadecimal digits of an identifier: `a3dd`.
  private func isVerbInIdentifier(_ address: String) -> Bool {
    let bare = address.split(separator: "/", omittingEmptySubsequences: false).map { segment in
      segment.utf8.count >= 16 && Self.isIdentifier(String(segment)) && !segment.contains("@") ? "0" : String(segment)
    }
    return ActionWords.verb(in: bare.joined(separator: "/"), beyond: given) == nil
  }

  /// The reason not to treat a link as a list below a base path; nil if it may be one. `document` contains the link.
  func refusal(ofLink path: String, below base: String, in document: Object? = nil) -> Refusal? {
    guard !Self.isLong(path, below: base) else { return .length }
    guard Self.isPlain(Self.path(of: path)), !path.contains("#") else { return .form }
    guard ActionWords.verb(in: path, beyond: [base]) == nil else { return .action }
    guard let document, !follows, Self.isBelowRecord(path, base, document) else { return nil }
    return .record
  }

  /// The reason why an absolute address is not one of this service; nil if it may be. Below a base path other than the
  /// root, a link may have the public host name of the service.
  func refusal(ofServerIn address: String, below base: String) -> Refusal? {
    guard let end = address.firstRange(ofText: "://") else { return nil }
    guard ["http", "https"].contains(address[..<end.lowerBound].lowercased()) else { return .server }
    guard let origin, base.isEmpty else { return nil }
    var rest = address[...]
    guard let other = try? Origin(takenFrom: &rest) else { return .server }
    func isUsual(_ origin: Origin) -> Bool { origin.port == (origin.isSecure ? 443 : 80) }
    let isSameHost = other.host == origin.host || other.isLoopback && origin.isLoopback
    // Behind a proxy that terminates TLS, services write their own addresses with `http`.
    let isSamePort =
      other.port == origin.port && other.isSecure == origin.isSecure || isUsual(other) && isUsual(origin)
    return isSameHost && isSamePort ? nil : .server
  }

  private static func isLong(_ path: String, below base: String) -> Bool {
    path.utf8.count > base.utf8.count + SurveyText.name
  }

  private static func path(of address: String) -> Substring {
    (Link.rootPath(address) ?? address).prefix { $0 != "?" && $0 != "#" }
  }

  /// Returns whether a path has no empty segments, dot segments or backslashes, so that it leads where it says.
  private static func isPlain(_ path: Substring) -> Bool {
    !path.contains(text: "//")
      && path.split(separator: "/").allSatisfy { segment in
        let segment = PercentEncoding.decoded(segment) ?? String(segment)
        return segment != "." && segment != ".." && !segment.contains("\\")
      }
  }

  /// Returns whether a path leads to a single record, or below one: it contains an identifier, or a value that
  /// identifies the document. A base that ends in one is itself the path of a record.
  private static func isBelowRecord(_ path: String, _ base: String, _ document: Object) -> Bool {
    let known = base.split(separator: "/").map(String.init)
    let beyond = Self.path(of: path).split(separator: "/").map(String.init).dropFirst(known.count)
    let values = Set(
      document.members.compactMap { name, value in
        name.lowercased().contains(text: "version") ? nil : RecordID(value)?.text
      })
    if let last = known.last {
      // The number of a version is not an identifier: `/rest/api/2`.
      let versions = ["api", "rest", "v", "version", "versions"]
      let isVersion = known.count == 1 || versions.contains(known[known.count - 2].lowercased())
      if values.contains(last) || isIdentifier(last) && !isVersion { return true }
    }
    return beyond.contains { isIdentifier($0) || values.contains($0) }
  }

  /// Returns whether a segment looks like an identifier: a number, at least 16 hexadecimal digits, or an email address.
  private static func isIdentifier(_ segment: String) -> Bool {
    let decoded = PercentEncoding.decoded(segment[...]) ?? segment
    if decoded.contains("@") { return true }
    // `7.json` is record 7.
    let bytes = decoded.prefix { $0 != "." }.utf8.filter { $0 != UInt8(ascii: "-") }
    guard !bytes.isEmpty else { return false }
    if bytes.allSatisfy({ (0x30...0x39).contains($0) }) { return true }
    return bytes.count >= 16
      && bytes.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0 | 0x20) }
  }
}
