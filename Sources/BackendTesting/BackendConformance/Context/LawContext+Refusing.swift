import BackendClient
import BackendKit

extension LawContext {
  /// Creates a record by the uniform client, which must fail with `invalid` without a request.
  func expectClientRefusal(_ done: String, of fields: Object) async throws(CheckStop) {
    let (backend, traffic) = try deadEnd()
    let client = Client(name: subject.name, backend: DescribedBackend(inner: backend, description: description))
    try await expectFailure(
      "\(done), in the console", [.invalid], effects: [.notSent], of: await client.perform(.create(path, fields)))
    try require(
      traffic.count == 0, "\(done), in the console", expected: "no request",
      found: "the request \(traffic.requests.first?.summary ?? "")")
  }

  /// Requires that an error refuses data and changes nothing; with `orOpen`, it may also say that the outcome is open,
  /// or that something else was stored.
  func requireRefusal(_ error: BackendError, orOpen: Bool = false, _ done: String) throws(CheckStop) {
    if orOpen, error.code == .badResponse, error.effect == .unknown || error.effect == .applied { return }
    // A service that hides missing records also hides unknown fields.
    let isHidden = error.code == .forbidden && capabilities.missingStatuses.contains(403)
    let isRefusal = error.code == .invalid || error.code == .unsupported || isHidden
    try require(
      isRefusal && (error.effect == .notSent || error.effect == .rejected), done,
      expected: "success, or the error \"invalid\" or \"unsupported\" with nothing changed",
      found: "the error \(error), effect \"\(error.effect.rawValue)\"")
  }

  func requireNot(_ value: Value, in field: String, of record: Record, _ done: String) throws(CheckStop) {
    try require(
      !ValueSimilarity.same(value, record.fields[field]), done, expected: "a different value set by the server",
      found: "the value sent")
  }
}

private struct DescribedBackend: ForwardingBackend {
  let inner: any Backend
  let description: BackendDescription

  func describe(_ depth: DescriptionDepth) async throws(BackendError) -> BackendDescription { description }
}
