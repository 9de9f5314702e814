import BackendKit

/// Looks for the document of a service where services keep it.
struct DocumentSearch {
  /// Where services keep their documents, below the address or the origin's root.
  private static let places = [
    "openapi.json", "swagger.json", "openapi.yaml", "api-docs", "v3/api-docs", "__api__", "schema/", "openapi",
  ]

  /// The document, and where it was found; nil where there is none. The address that a response names is tried first.
  static func document(
    _ prober: Prober, base: String, first: Answer?, named: String?
  ) async throws(BackendError) -> (document: ServiceDocument, place: String)? {
    var candidates: [String] = []
    if let named {
      candidates = [named]
    } else {
      for relation in ["service-desc", "describedby"] {
        if let address = first?.link(relation), let path = Link.rootPath(address) { candidates.append(path) }
      }
      candidates += places.prefix(2).map { base + "/" + $0 }
      if !base.isEmpty { candidates += places.prefix(2).map { "/" + $0 } }
      candidates += places.dropFirst(2).map { base + "/" + $0 }
      // A service with its version in the path may keep its document there.
      if let first = base.split(separator: "/").first, "/" + first != base {
        candidates += ["openapi.json", "__api__"].map { "/\(first)/\($0)" }
      }
    }
    let reader = DocumentReader(prober)
    var seen: Set<String> = []
    for path in candidates where seen.insert(path).inserted {
      guard let value = try await reader.read(Target(path)), ServiceDocument.isOne(value) else { continue }
      let (root, others) = try await reader.referred(by: value, at: path)
      if let document = ServiceDocument(root, others: others, base: base) { return (document, path) }
    }
    return nil
  }
}
