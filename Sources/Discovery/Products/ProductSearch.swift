import BackendClient
import BackendKit

struct RecognizedProduct {
  let preset: String
  let base: String
  let evidence: String
  let version: String?
}

/// Recognizes products by the response at the address, and by those at paths that only the product has.
struct ProductSearch {
  static let mostRequests = 24

  private let prober: Prober
  private let order: SurveyOrder

  init(_ order: SurveyOrder, _ prober: Prober) { (self.order, self.prober) = (order, prober) }

  /// Returns the product. Responses that prove nothing, including errors, are left to the survey.
  func product() async throws(BackendError) -> RecognizedProduct? {
    prober.begin(limit: Self.mostRequests)
    guard order.takesPresets, let root = try await prober.getInAnyType(ProbeTarget(order.target)),
      root.status < 500, ![401, 429].contains(root.status)
    else { return nil }
    let path = Candidates.plain(order.target)
    for product in Product.all {
      guard let base = product.base(of: path, root) else { continue }
      if let found = try await recognized(product, at: base, root) { return found }
    }
    return nil
  }

  private func recognized(
    _ product: Product, at base: String, _ root: ProbeResponse
  ) async throws(BackendError) -> RecognizedProduct? {
    var evidence: [String] = []
    var version: String?
    for sign in product.signs {
      let path = sign.path(below: base)
      prober.give(path)
      let isRoot = Candidates.plain(path) == Candidates.plain(order.target)
      guard let answer = isRoot ? root : try await prober.get(ProbeTarget(path)), sign.isShown(by: answer, below: base)
      else {
        return nil
      }
      evidence.append(answer.evidence(sign.name))
      if let place = sign.version {
        version = version ?? place.reduce(answer.document) { $0?.object?[$1] }?.text
      }
    }
    return RecognizedProduct(
      preset: product.preset, base: base, evidence: evidence.joined(separator: "; "),
      version: version.map { SurveyText.cut($0) })
  }
}
