extension Candidates {
  /// Makes names unique regardless of case: the last segment of the path, preceded by as many as needed.
  mutating func nameApart() {
    pair()
    var entries = list.map {
      Entry($0.name, Self.segments($0.collection, below: base), $0.isKnown, apartFrom: ownerNames)
    }
    entries += nested.map { Entry($0.name, Self.segments($0.shape, below: base), $0.isKnown, isPaired: $0.same != nil) }
    Entry.nameApart(&entries, besides: Set(looked.map { $0.lowercased() }))
    for place in list.indices { list[place].name = entries[place].name }
    for place in nested.indices { nested[place].name = entries[list.count + place].name }
    let names = Dictionary(list.map { (Self.plain($0.collection), $0.name) }, uniquingKeysWith: { first, _ in first })
    for place in nested.indices { nested[place].owner = names[nested[place].ownerPath] ?? nested[place].owner }
    pair()
  }

  /// Finds the resource each nested list may be part of, by its last segment or a shared path of single records.
  private mutating func pair() {
    for place in nested.indices where !nested[place].isKnown {
      let last = Self.last(nested[place].shape)
      let alike = list.filter { Self.last($0.collection) == last }
      let whole =
        alike.count == 1 ? alike.first : alike.first { Self.plain($0.collection) == base + "/" + (last ?? "") }
      let leader = nested[..<place].first {
        Self.last($0.shape) == last && $0.item != nil && $0.item == nested[place].item
      }
      nested[place].same = whole?.name ?? leader?.name
    }
  }

  /// The segments of a path below another, without variables.
  private static func segments(_ path: String, below base: String) -> [String] {
    let all = plain(path).split(separator: "/").map(String.init)
    let known = base.split(separator: "/").count
    let below = plain(path).hasPrefix(base) ? Array(all.dropFirst(known)) : all
    return below.filter { !$0.hasPrefix("{") }
  }
}

extension Candidates {
  private struct Entry {
    var name: String
    let segments: [String]
    let isKnown: Bool
    private var depth: Int

    /// Last segments that do not say what is listed.
    private static let generic: Set<String> = [
      "all", "data", "entries", "index", "items", "list", "objects", "records", "results", "values",
    ]

    /// Segments that do not say what is below them.
    private static let general: Set<String> = ["api", "rest", "v1", "v2", "v3"]

    /// A list that may be a part of another gets two segments, as does one whose last segment is among `owners`.
    init(
      _ name: String, _ segments: [String], _ isKnown: Bool, isPaired: Bool = false, apartFrom owners: Set<String> = []
    ) {
      (self.name, self.segments, self.isKnown) = (name, segments, isKnown)
      let isGeneric =
        segments.last.map { Self.generic.contains($0.lowercased()) } == true
        && segments.dropLast().last.map { Self.general.contains($0.lowercased()) } == false
      let isOthers = segments.count > 1 && segments.last.map { owners.contains($0.lowercased()) } == true
      depth = isPaired || isGeneric || isOthers ? 2 : 1
      if !isKnown { spell() }
    }

    private mutating func spell() {
      let parts = segments.suffix(depth)
      if !parts.isEmpty { name = Candidates.bare(parts.joined(separator: "-")) }
    }

    private mutating func lengthen() -> Bool {
      guard !isKnown, depth < segments.count else { return false }
      depth += 1
      spell()
      return true
    }

    /// Lengthens names until they are unique. `others` are taken, in lowercase.
    static func nameApart(_ entries: inout [Entry], besides others: Set<String>) {
      var isChanged = true
      while isChanged {
        isChanged = false
        let names = entries.map { $0.name.lowercased() } + others
        let counts = Dictionary(names.map { ($0, 1) }, uniquingKeysWith: +)
        for place in entries.indices where counts[entries[place].name.lowercased(), default: 0] > 1 {
          if entries[place].lengthen() { isChanged = true }
        }
      }
      // Paths that differ only in punctuation or case are numbered in order.
      var taken = others.union(entries.filter(\.isKnown).map { $0.name.lowercased() })
      let order = entries.indices.sorted {
        entries[$0].segments.joined(separator: "/") < entries[$1].segments.joined(separator: "/")
      }
      for place in order where !entries[place].isKnown {
        let name = entries[place].name
        var number = 1
        while !taken.insert(entries[place].name.lowercased()).inserted {
          number += 1
          entries[place].name = "\(name)-\(number)"
        }
      }
    }
  }
}

/// A resource of the existing description.
struct KnownResource {
  let name: String
  /// The path of its collection below the base address, including the suffix of all paths.
  let path: String
  /// The resources with some of its records below theirs, each with the last segment of that path.
  let owners: [(name: String, last: String)]
}
