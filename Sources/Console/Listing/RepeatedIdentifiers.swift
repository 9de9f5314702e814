import BackendClient
import BackendKit

/// Identifiers that several records have.
struct RepeatedIdentifiers {
  private let counts: [(id: RecordID, count: Int)]
  private let place: (target: Target, maximumScan: Int)?
  /// The identifiers that the list has shown; nil if it was not read for this.
  private let listed: Set<RecordID>?

  var isEmpty: Bool { counts.isEmpty }

  /// The number of records of each identifier, for example `3 records have the identifier 7`.
  var words: String {
    let shown = counts.prefix(5).map { "\(counted($0.count, "record")) have the identifier \($0.id)" }
    let rest = counts.count - shown.count
    return (shown + (rest > 0 ? ["\(counted(rest, "more identifier")) \(rest == 1 ? "is" : "are") shared"] : []))
      .joined(separator: ", ")
  }

  init(
    _ counts: [(id: RecordID, count: Int)] = [], listed: Set<RecordID>? = nil,
    in place: (target: Target, maximumScan: Int)? = nil
  ) {
    (self.counts, self.listed, self.place) = (counts, listed, place)
  }

  /// Those of a list, in the order of their identifiers.
  init(shared counts: [RecordID: Int]) {
    self.init(counts.map { (id: $0.key, count: $0.value) }.sorted { $0.id.text < $1.id.text })
  }

  /// Returns whether the list that was read for this does not show the identifier.
  func isAbsent(_ id: RecordID) -> Bool { listed.map { !$0.contains(id) } ?? false }

  /// Returns, for each identifier, the number of records that are gone and that there were; nil if they cannot be
  /// counted.
  func gone() async throws(BackendError) -> [(id: RecordID, count: Int, of: Int)]? {
    guard let place, !isEmpty else { return [] }
    let left = try await place.target.client.records(
      with: counts.map(\.id), in: place.target.path, maximumScan: place.maximumScan)
    guard let left else { return nil }
    return counts.map { (id: $0.id, count: max(0, $0.count - left[$0.id, default: 0]), of: $0.count) }
  }
}
