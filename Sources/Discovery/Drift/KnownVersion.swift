import BackendKit
import ServiceDescription

/// The version of the service when it was described, compared with the present one.
struct KnownVersion {
  private let facts: Object
  private let base: String
  private let file: String

  init(of source: DescriptionSource, base: String) throws(BackendError) {
    facts = try Changes.description(source).tree.value.object ?? Object()
    self.base = base
    file = source.file?.name ?? source.backend
  }

  /// A sentence if the versions differ. `documented` is the version in the service's document.
  func note(_ documented: String?, _ prober: Prober) async throws(BackendError) -> String? {
    let source = facts["source"]?.object
    guard let known = source?["version"]?.text, let now = try await shown(prober) ?? documented, now != known else {
      return nil
    }
    let date = source?["date"]?.text.map { " of \($0)" } ?? ""
    return "\(file) is for version \(known)\(date), and the service now has version \(now)"
  }

  private func shown(_ prober: Prober) async throws(BackendError) -> String? {
    guard let discovery = facts["discovery"]?.object, let about = discovery["about"]?.text,
      let member = discovery["version"]?.text
    else { return nil }
    let path = about == "/" ? base : "\(base)/\(about)"
    prober.give(path)
    prober.begin(limit: 1)
    guard let answer = try await prober.get(ProbeTarget(path)), answer.isSuccess else { return nil }
    return member.split(separator: ".").reduce(answer.document) { $0?.object?[String($1)] }?.text
  }
}
