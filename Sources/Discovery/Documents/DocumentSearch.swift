import BackendKit

struct DocumentSearch {
  static let mostRequests = 36
  /// The usual paths of documents, below the base address or the root of the origin.
  private static let places = [
    "openapi.json", "swagger.json", "openapi.yaml", "api-docs", "v3/api-docs", "__api__", "schema/", "openapi",
  ]
  private static let otherPlaces = [
    "schema/openapi.json", "_openapi", "api/v1/_openapi", "swagger/doc.json", "api/docs",
  ]
  /// The paths of pages that show the document to people.
  private static let pages = ["docs", "swagger", "redoc"]

  private let prober: Prober
  private let reader: DocumentReader
  private let base: String
  private var seen: Set<String> = []

  /// Finds the document and its place; nil if there is none. Tries the address that a response names, then the usual
  /// places, and then the pages for people.
  static func document(
    _ prober: Prober, base: String, first: ProbeResponse?, named: String?
  ) async throws(BackendError) -> (document: ServiceDocument, place: String)? {
    var search = DocumentSearch(prober: prober, reader: DocumentReader(prober), base: base)
    if let named { return try await search.first(of: [named]) }
    if let found = try await search.first(of: links(first) + usual(base)) { return found }
    if let first, first.isPage, let found = try await search.first(namedBy: first, hops: 1) { return found }
    let folders = base.isEmpty ? [""] : [base, ""]
    for page in folders.flatMap({ folder in pages.map { "\(folder)/\($0)" } }) {
      guard let answer = try await prober.get(ProbeTarget(page), [("Accept", "text/html, */*")]), answer.isSuccess
      else {
        continue
      }
      if let found = try await search.first(namedBy: answer, hops: 1) { return found }
    }
    return nil
  }

  private init(prober: Prober, reader: DocumentReader, base: String) {
    (self.prober, self.reader, self.base) = (prober, reader, base)
  }

  /// The paths that a response links to as its document.
  private static func links(_ answer: ProbeResponse?) -> [String] {
    let inside = answer?.document?.object?["links"]?.array?.compactMap(\.object) ?? []
    let named = inside.filter { $0["rel"] == "service-desc" }.compactMap { $0["href"]?.text }
    return (["service-desc", "describedby"].compactMap { answer?.link($0) } + named).compactMap { Link.rootPath($0) }
  }

  private static func usual(_ base: String) -> [String] {
    let folders = base.isEmpty ? [""] : [base, ""]
    var candidates = folders.flatMap { folder in places.prefix(2).map { "\(folder)/\($0)" } }
    candidates += places.dropFirst(2).map { base + "/" + $0 }
    // A service with a version in its path may have the document above it.
    if let first = base.split(separator: "/").first, "/" + first != base {
      candidates += ["openapi.json", "__api__"].map { "/\(first)/\($0)" }
    }
    candidates += folders.flatMap { folder in otherPlaces.map { "\(folder)/\($0)" } }
    return candidates + (base.isEmpty ? [] : ["/api-docs"])
  }

  private mutating func first(
    of paths: [String]
  ) async throws(BackendError) -> (document: ServiceDocument, place: String)? {
    for path in paths where seen.insert(path).inserted {
      guard let value = try await reader.read(ProbeTarget(path)), ServiceDocument.isOne(value) else { continue }
      let (root, others) = try await reader.referred(by: value, at: path)
      if let document = ServiceDocument(root, others: others, base: base) { return (document, path) }
    }
    return nil
  }

  /// Resolves `..`, which pages use for addresses outside of their folder.
  private static func withoutDots(_ path: String) -> String {
    guard path.hasPrefix("/"), path.contains(text: "/../") else { return path }
    var parts: [Substring] = []
    for part in path.split(separator: "/") {
      if part == ".." { _ = parts.popLast() } else if part != "." { parts.append(part) }
    }
    return "/" + parts.joined(separator: "/")
  }

  /// The document shown by a page of Swagger UI or ReDoc, or by its scripts.
  private mutating func first(
    namedBy page: ProbeResponse, hops: Int
  ) async throws(BackendError) -> (document: ServiceDocument, place: String)? {
    let names = ViewerPage(String(decoding: page.body, as: UTF8.self))
    func paths(_ addresses: [String]) -> [String] {
      addresses.compactMap { Link.resolved($0, against: page.target.address) }.map {
        Self.withoutDots(Link.rootPath($0) ?? $0)
      }
    }
    if let found = try await first(of: Self.links(page) + paths(names.documents)) { return found }
    guard hops > 0 else { return nil }
    for path in paths(names.scripts).prefix(2) where seen.insert(path).inserted {
      guard let script = try await prober.get(ProbeTarget(path), [("Accept", "*/*")]), script.isSuccess else {
        continue
      }
      if let found = try await first(namedBy: script, hops: hops - 1) { return found }
    }
    return nil
  }
}
