import BackendKit
import ConsoleOutput

/// The identifiers of a resource's records, with what tells them apart for people.
struct SeenIdentifiers: Sendable {
  private static let limit = 20_000
  private var titles: [String: String] = [:]
  /// Those of records that the operator has seen, in that order, and those that were only looked up.
  private var seen: [String] = []
  private var found: [String] = []
  private var isSeen: Set<String> = []
  /// True if these were all identifiers at the time of the lookup.
  var isWhole = false

  /// Adds records, the last of them the newest.
  mutating func add(_ records: [Record], isSeen: Bool) {
    for record in records {
      guard let id = record.id?.text else { continue }
      if let title = record.title { titles[id] = title }
      if isSeen {
        if self.isSeen.insert(id).inserted { seen.append(id) }
      } else if !self.isSeen.contains(id), !found.contains(id) {
        found.append(id)
      }
    }
    if seen.count > Self.limit {
      for id in seen.prefix(seen.count - Self.limit) {
        self.isSeen.remove(id)
        titles[id] = nil
      }
      seen.removeFirst(seen.count - Self.limit)
    }
  }

  /// Forgets a record that is no longer there.
  mutating func remove(_ id: String) {
    guard titles.removeValue(forKey: id) != nil || isSeen.contains(id) else { return }
    isSeen.remove(id)
    seen.removeAll { $0 == id }
    found.removeAll { $0 == id }
  }

  /// The identifiers that begin so, those seen first; with a title where there is one.
  func matching(_ prefix: String) -> [(id: String, title: String?)] {
    let bytes = Array(prefix.utf8)
    func begins(_ id: String) -> Bool { bytes.isEmpty || id.utf8.starts(with: bytes) }
    let later = found.filter { begins($0) && !isSeen.contains($0) }
    return (seen.filter(begins) + later).map { ($0, titles[$0]) }
  }

  /// The identifiers of records whose title has a word that begins so, whatever its case.
  func titled(_ text: String) -> [(id: String, title: String?)] {
    guard !text.isEmpty else { return [] }
    let wanted = text.lowercased()
    let all = seen + found.filter { !isSeen.contains($0) }
    return all.filter { id in titles[id].map { Self.hasWord(wanted, in: $0.lowercased()) } == true }
      .map { ($0, titles[$0]) }
  }

  private static func hasWord(_ beginning: String, in title: String) -> Bool {
    title.indices.contains { index in
      title[index...].hasPrefix(beginning)
        && (index == title.startIndex
          || !title[title.index(before: index)].isLetter && !title[title.index(before: index)].isNumber)
    }
  }
}
