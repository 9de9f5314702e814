import BackendClient
import BackendKit

/// Decides which addresses are read: every request of a survey that reads goes through it, and so does every link
/// before it is taken for a list.
struct LinkGate {
  /// The most resources that are looked at.
  static let most = 50

  /// A reason not to read an address.
  enum Refusal: Hashable {
    /// Its path has a verb, or its query asks for one.
    case action
    /// It is that of a single record or of something below one, as far as can be told.
    case record
    /// Its path is longer than that of a list.
    case length
    /// Its path has segments such as `..`, or is not that of the request that it belongs to.
    case form
    /// It is at another server, or at none of the web.
    case server
    /// There is a document, which does not have it.
    case undocumented
    /// There are too many.
    case number

    /// As people read it.
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

  /// The origin of the survey, if it is known.
  private let origin: Origin?
  /// The longest path of a request, in bytes.
  private static let longest = 1_000
  /// True to follow links to single records.
  private let follows: Bool
  /// The paths that the operator has given or agreed to.
  private(set) var given: [String]

  init(_ order: SurveyOrder) {
    follows = order.followsRecordLinks
    origin = order.origin
    given = [order.target] + [order.document].compactMap(\.self) + order.only.filter { $0.hasPrefix("/") }
  }

  /// Takes a path that the operator has agreed to.
  mutating func give(_ path: String) { if !given.contains(path) { given.append(path) } }

  /// Why a target is not read; nil if it may be.
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

  /// Returns whether an address contains a verb only by chance, among the hexadecimal digits of an identifier: `a3dd`.
  private func isVerbInIdentifier(_ address: String) -> Bool {
    let bare = address.split(separator: "/", omittingEmptySubsequences: false).map { segment in
      segment.utf8.count >= 16 && Self.isIdentifier(String(segment)) && !segment.contains("@") ? "0" : String(segment)
    }
    return ActionWords.verb(in: bare.joined(separator: "/"), beyond: given) == nil
  }

  /// Why a link is not taken for a list below a base path; nil if it may be. `document` is what names it.
  func refusal(ofLink path: String, below base: String, in document: Object? = nil) -> Refusal? {
    guard !Self.isLong(path, below: base) else { return .length }
    guard Self.isPlain(Self.path(of: path)), !path.contains("#") else { return .form }
    guard ActionWords.verb(in: path, beyond: [base]) == nil else { return .action }
    guard let document, !follows, Self.isBelowRecord(path, base, document) else { return nil }
    return .record
  }

  /// Why an address with a server in it is not one of this service; nil if it may be. A link below a base path that is
  /// not the root may have the public name of the service.
  func refusal(ofServerIn address: String, below base: String) -> Refusal? {
    guard let end = address.firstRange(ofText: "://") else { return nil }
    guard ["http", "https"].contains(address[..<end.lowerBound].lowercased()) else { return .server }
    guard let origin, base.isEmpty else { return nil }
    var rest = address[...]
    guard let other = try? Origin(takenFrom: &rest) else { return .server }
    func isUsual(_ origin: Origin) -> Bool { origin.port == (origin.isSecure ? 443 : 80) }
    let isSameHost = other.host == origin.host || other.isLoopback && origin.isLoopback
    // Behind a proxy that encrypts, services write their own address without `s`.
    let isSamePort =
      other.port == origin.port && other.isSecure == origin.isSecure || isUsual(other) && isUsual(origin)
    return isSameHost && isSamePort ? nil : .server
  }

  /// Returns whether a path exceeds the base by more than the permitted length.
  private static func isLong(_ path: String, below base: String) -> Bool {
    path.utf8.count > base.utf8.count + SurveyText.name
  }

  /// The path of an address, without its query.
  private static func path(of address: String) -> Substring {
    (Link.rootPath(address) ?? address).prefix { $0 != "?" && $0 != "#" }
  }

  /// Returns whether a path has no empty or dot segments and no backslashes, so that it leads to the place it names.
  private static func isPlain(_ path: Substring) -> Bool {
    !path.contains(text: "//")
      && path.split(separator: "/").allSatisfy { segment in
        let segment = PercentEncoding.decoded(segment) ?? String(segment)
        return segment != "." && segment != ".." && !segment.contains("\\")
      }
  }

  /// Returns whether a path is that of a single record, or below one: it contains an identifier or a value from the
  /// document that identifies it. A base that ends with one is itself the path of a record.
  private static func isBelowRecord(_ path: String, _ base: String, _ document: Object) -> Bool {
    let known = base.split(separator: "/").map(String.init)
    let beyond = Self.path(of: path).split(separator: "/").map(String.init).dropFirst(known.count)
    let values = Set(
      document.members.compactMap { name, value in
        name.lowercased().contains(text: "version") ? nil : RecordID(value)?.text
      })
    if let last = known.last {
      // The number of a version is no identifier: `/rest/api/2`.
      let versions = ["api", "rest", "v", "version", "versions"]
      let isVersion = known.count == 1 || versions.contains(known[known.count - 2].lowercased())
      if values.contains(last) || isIdentifier(last) && !isVersion { return true }
    }
    return beyond.contains { isIdentifier($0) || values.contains($0) }
  }

  /// Returns whether a path segment looks like an identifier of a record: a number, at least 16 hexadecimal digits, or
  /// an email address.
  private static func isIdentifier(_ segment: String) -> Bool {
    let decoded = PercentEncoding.decoded(segment[...]) ?? segment
    if decoded.contains("@") { return true }
    // `7.json` is the record 7.
    let bytes = decoded.prefix { $0 != "." }.utf8.filter { $0 != UInt8(ascii: "-") }
    guard !bytes.isEmpty else { return false }
    if bytes.allSatisfy({ (0x30...0x39).contains($0) }) { return true }
    return bytes.count >= 16
      && bytes.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0 | 0x20) }
  }
}
