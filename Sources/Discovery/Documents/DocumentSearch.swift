import BackendClient
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
  /// The path of the address, nil if it is that of the document, and whether it may be that of the API.
  private var address: (path: String?, isBase: Bool)
  private var seen: Set<String> = []

  /// Finds the document; nil if there is none, with the reason why one cannot be read. Takes the files of the operator,
  /// or tries the address itself, the one that a response names, then the usual places, and then the pages for people.
  /// `isList` is true if the address responds with records.
  static func document(
    _ prober: Prober, _ order: SurveyOrder, base: String, first: ProbeResponse, isList: Bool
  ) async throws(BackendError) -> (found: FoundDocument?, problem: String?) {
    let address = (Candidates.plain(order.target), !first.isPage && !isList)
    if let file = order.documentFiles.first {
      let files = Dictionary(
        order.documentFiles.map { (DocumentReader.withoutDots($0.path), $0.bytes) }, uniquingKeysWith: { $1 })
      guard files.values.reduce(0, { $0 + $1.count }) <= DocumentReader.mostBytes else {
        throw unusable(file.path, "the files are larger than \(DocumentReader.mostBytes >> 20) MiB together")
      }
      let reader = DocumentReader(prober, files: files)
      var search = DocumentSearch(prober: prober, reader: reader, base: base, address: address)
      if let found = try await search.first(of: [DocumentReader.withoutDots(file.path)]) { return (found, nil) }
      throw unusable(file.path, reader.problem)
    }
    let reader = DocumentReader(prober)
    var search = DocumentSearch(prober: prober, reader: reader, base: base, address: address)
    if let named = order.document {
      if let found = try await search.first(of: [named]) { return (found, nil) }
      throw unusable(named, reader.problem)
    }
    if search.isDocument(first) {
      search.address = (nil, false)
      return (try await search.first(of: [order.target]), reader.problem)
    }
    return (try await search.found(first), reader.problem)
  }

  private static func unusable(_ place: String, _ problem: String?) -> BackendError {
    let reason = problem ?? "it is neither OpenAPI 3 nor Swagger 2"
    return BackendError(.invalid, "\(place) cannot be used as a document: \(reason)", effect: .rejected)
  }

  /// Finds the document by what the address responds, and at the usual places.
  private mutating func found(_ first: ProbeResponse) async throws(BackendError) -> FoundDocument? {
    if let found = try await self.first(of: Self.links(first) + Self.usual(base)) { return found }
    if first.isPage, let found = try await self.first(namedBy: first, hops: 1) { return found }
    let folders = base.isEmpty ? [""] : [base, ""]
    for page in folders.flatMap({ folder in Self.pages.map { "\(folder)/\($0)" } }) {
      guard let answer = try await prober.get(ProbeTarget(page), [("Accept", "text/html, */*")]), answer.isSuccess
      else {
        continue
      }
      if let found = try await self.first(namedBy: answer, hops: 1) { return found }
    }
    return nil
  }

  private init(prober: Prober, reader: DocumentReader, base: String, address: (path: String?, isBase: Bool)) {
    (self.prober, self.reader, self.base, self.address) = (prober, reader, base, address)
  }

  /// Returns whether the address is that of a document. A response with records may be too long for one, and cut off.
  private func isDocument(_ answer: ProbeResponse) -> Bool {
    guard answer.isSuccess, !answer.isPage else { return false }
    let isOne = answer.document.map(ServiceDocument.isOne) ?? DocumentReader.isLikeOne(answer.body)
    if isOne { prober.forget(answer.target) }
    return isOne
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
    // The address may be that of a list or record, and have the document above it.
    var above = base
    while let slash = above.lastIndex(of: "/"), slash != above.startIndex {
      above = String(above[..<slash])
      candidates += ["openapi.json", "openapi.yaml"].map { "\(above)/\($0)" }
      if !above.dropFirst().contains("/") { candidates.append(above + "/__api__") }
    }
    if !base.isEmpty { candidates.append("/openapi.yaml") }
    candidates += folders.flatMap { folder in otherPlaces.map { "\(folder)/\($0)" } }
    return candidates + (base.isEmpty ? [] : ["/api-docs"])
  }

  private mutating func first(
    of paths: [String]
  ) async throws(BackendError) -> FoundDocument? {
    for path in paths where seen.insert(path).inserted {
      guard let value = try await reader.read(ProbeTarget(path)), ServiceDocument.isOne(value) else { continue }
      let (root, others, missing) = try await reader.referred(by: value, at: path)
      if let document = ServiceDocument(root, others: others, address: address.path, isBase: address.isBase) {
        return FoundDocument(document: document, place: path, isFile: reader.readsFiles, missing: missing)
      }
    }
    return nil
  }

  /// The document shown by a page of Swagger UI or ReDoc, or by its scripts.
  private mutating func first(
    namedBy page: ProbeResponse, hops: Int
  ) async throws(BackendError) -> FoundDocument? {
    let names = ViewerPage(String(decoding: page.body, as: UTF8.self))
    func paths(_ addresses: [String]) -> [String] {
      addresses.compactMap { Link.resolved($0, against: page.target.address) }.map {
        DocumentReader.withoutDots(Link.rootPath($0) ?? $0)
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
