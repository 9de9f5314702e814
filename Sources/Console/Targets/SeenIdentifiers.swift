import BackendKit
import ConsoleOutput

/// The identifiers of a resource's records, with titles that distinguish them for people.
struct SeenIdentifiers: Sendable {
  private static let limit = 20_000
  private var titles: [String: String] = [:]
  /// Identifiers of records that were shown, in order; those that were only looked up follow.
  private var seen: [String] = []
  private var found: [String] = []
  private var isSeen: Set<String> = []
  /// True if these were all identifiers at the time of the lookup.
  var isWhole = false

  /// Adds records, the newest last.
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

  mutating func remove(_ id: String) {
    guard titles.removeValue(forKey: id) != nil || isSeen.contains(id) else { return }
    isSeen.remove(id)
    seen.removeAll { $0 == id }
    found.removeAll { $0 == id }
  }

  /// The identifiers with a prefix, those shown before first, with their titles.
  func matching(_ prefix: String) -> [(id: String, title: String?)] {
    let bytes = Array(prefix.utf8)
    func begins(_ id: String) -> Bool { bytes.isEmpty || id.utf8.starts(with: bytes) }
    let later = found.filter { begins($0) && !isSeen.contains($0) }
    return (seen.filter(begins) + later).map { ($0, titles[$0]) }
  }

  /// The identifiers of records whose title has a word with a prefix, in any case.
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
