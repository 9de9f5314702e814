import BackendKit
import ServiceDescription

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
        if let address = first?.link(relation), let path = Origin.path(of: address) { candidates.append(path) }
      }
      candidates += places.prefix(2).map { base + "/" + $0 }
      if !base.isEmpty { candidates += places.prefix(2).map { "/" + $0 } }
      candidates += places.dropFirst(2).map { base + "/" + $0 }
      // A service with its version in the path may keep its document there.
      if let first = base.split(separator: "/").first, "/" + first != base {
        candidates += ["openapi.json", "__api__"].map { "/\(first)/\($0)" }
      }
    }
    var seen: Set<String> = []
    for path in candidates where seen.insert(path).inserted {
      guard let answer = try await prober.get(Target(path), [("Accept", "application/json, */*")]) else { continue }
      guard answer.isSuccess, !answer.isPage, !answer.isCut else { continue }
      var value = answer.document
      if value == nil, let tree = try? DescriptionText.read(answer.body, file: path + ".yaml") { value = tree.value }
      if let document = ServiceDocument(value, base: base) { return (document, path) }
    }
    return nil
  }
}
