import BackendClient
import BackendKit

extension Session {
  /// Asks before a deletion of several records, and before one with which the server deletes others; says how many those
  /// are, as far as the server tells. In a script such a deletion needs `--yes`, whatever there is to go along.
  func confirmDeletion(of ids: [RecordID], in target: Target, _ invocation: Invocation) async throws {
    try checkWritable(target)
    if invocation.has("yes") { return }
    let resource = try await target.client.resource(target.path)
    let isOne = ids.count == 1 && !invocation.has("from")
    let name = isOne ? "\(target.description)/\(ids[0])" : "\(ids.count) records of \(target.description)"
    var along = resource.dependents.map { DependentRecords(resource: $0.resource ?? ids[0].text, count: nil) }
    if isInteractive, !along.isEmpty {
      along = try await target.client.dependents(of: ids, in: resource, maximumScan: settings.maxScan)
        .filter { $0.count != 0 }
    }
    guard !isOne || !along.isEmpty else {
      return try await permit("Delete \(name)", target, invocation, refused: "nothing was deleted")
    }
    let others = along.map(\.words).joined(separator: ", ")
    try await confirm("Delete \(name)" + (others.isEmpty ? "" : ", and with it \(others)"), target, invocation)
  }
}

extension DependentRecords {
  /// What goes along, for example `10 records of posts`.
  fileprivate var words: String {
    guard let count else { return "records of \(resource)" }
    return "\(Footer.grouped(count)) \(count == 1 ? "record" : "records") of \(resource)"
  }
}
