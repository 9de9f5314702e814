import BackendKit

/// A product whose preset names its resources, and what shows that a service is one.
struct Product: Sendable {
  /// Something that the product shows. One alone never counts: other services may have it, too.
  struct Sign: Sendable {
    /// The path, by that of the API.
    let path: @Sendable (_ base: String) -> String
    /// The sign as people read it.
    let name: String
    /// The members that lead to the version; nil if the response has none.
    let version: [String]?
    let isShown: @Sendable (_ answer: ProbeResponse, _ base: String) -> Bool

    init(
      at path: @escaping @Sendable (String) -> String, _ name: String, version: [String]? = nil,
      isShown: @escaping @Sendable (ProbeResponse, String) -> Bool
    ) {
      (self.path, self.name, self.version, self.isShown) = (path, name, version, isShown)
    }

    /// Members of a successful response below the API.
    init(_ path: String, _ members: [String], in member: String? = nil, version: String? = nil) {
      self.init(
        at: { "\($0)/\(path)" }, members.joined(separator: ", "),
        version: version.map { [member, $0].compactMap(\.self) }
      ) { answer, _ in
        let object = answer.document?.object
        let inner = member.map { object?[$0]?.object } ?? object
        return answer.isSuccess && members.allSatisfy { inner?[$0] != nil }
      }
    }
  }

  /// The place of the API below the address of the service.
  enum Place: Sendable {
    /// The end of its path; empty if the path is.
    case end(String)
    /// The end of its path, a pattern with `*` for any text at the end of a segment. The second one is where the API is if the address has
    /// no path; nil if it may be anywhere.
    case pattern(String, usual: String?)
  }

  let preset: String
  let place: Place
  /// True if the response at the path of the API itself is the first sign. Otherwise it is not JSON, or not a success.
  let isShownAtRoot: Bool
  /// The signs, all of which have to be shown.
  let signs: [Sign]

  init(_ preset: String, at place: Place, isShownAtRoot: Bool = false, _ signs: Sign...) {
    (self.preset, self.place, self.isShownAtRoot, self.signs) = (preset, place, isShownAtRoot, signs)
  }

  /// The path of the API, if the address may lead to the product; nil if it cannot. `root` is what the address shows.
  func base(of path: String, _ root: ProbeResponse) -> String? {
    let isAPI = root.isSuccess && root.document.map { $0.object != nil || $0.array != nil } == true
    switch place {
    case .end(let end):
      if end.isEmpty ? path.isEmpty : path.hasSuffix(end), isAPI == isShownAtRoot { return path }
      return path.isEmpty && !isAPI ? end : nil
    case .pattern(let pattern, let usual):
      if Self.fits(path, pattern), isAPI == isShownAtRoot { return path }
      return path.isEmpty && !isAPI ? usual : nil
    }
  }

  /// True if the last segments of a path match a pattern.
  private static func fits(_ path: String, _ pattern: String) -> Bool {
    let wanted = pattern.split(separator: "/")
    let found = path.split(separator: "/").suffix(wanted.count)
    return found.count == wanted.count
      && zip(wanted, found).allSatisfy { $0.hasSuffix("*") ? $1.hasPrefix($0.dropLast()) : $0 == $1 }
  }
}
